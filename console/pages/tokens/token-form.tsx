/** Creates an access token, which is shown once. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { request } from '../../api.ts'
import { Dialog } from '../../parts/forms/dialog.tsx'
import { Check, Field, SelectField } from '../../parts/forms/field.tsx'
import { Form } from '../../parts/forms/form.tsx'
import { useForm } from '../../parts/forms/use-form.ts'
import { Notice } from '../../parts/notice.tsx'
import { CodeField, PasswordField } from '../../parts/records/proof.tsx'
import { ShownOnce } from '../../parts/shown-once.tsx'
import { commonWords } from '../../words/common.ts'
import { useWords } from '../../words/language.ts'
import { type Scope, scopeWords } from '../../words/scopes.ts'
import { tokenWords } from './words.ts'

export const tokensKey = ['tokens']

const secondsOfDay = 86_400
const lifetimes = [14, 90, 365]
const noEnd = '-1'
const scopes: Scope[] = ['calls:place', 'calls:read', 'contacts', 'billing', 'admin']

export function TokenForm({ onClose }: { onClose: () => void }) {
  const words = useWords(tokenWords)
  const scopeNames = useWords(scopeWords)
  const common = useWords(commonWords)
  const cache = useQueryClient()
  const [token, setToken] = useState<string>()
  const [isLimited, setIsLimited] = useState(false)
  const [hasNoRight, setHasNoRight] = useState(false)
  const form = useForm(async (values) => {
    const chosen = isLimited ? scopes.filter((scope) => values[scope] === 'on') : undefined
    setHasNoRight(chosen?.length === 0)
    if (chosen?.length === 0) return
    const created = await request('POST', '/users/accessTokens', { body: read(values, chosen) })
    setToken(created.id)
    await cache.invalidateQueries({ queryKey: tokensKey })
  })
  if (token !== undefined) {
    return (
      <ShownOnce title={words.create} text={token} onClose={onClose}>
        <Notice tone="warn">{words.shownOnce}</Notice>
      </ShownOnce>
    )
  }
  return (
    <Dialog title={words.create} onClose={onClose}>
      <Form form={form} action={words.make} onCancel={onClose}>
        <div className="pair">
          <Field label={common.name} name="name" required maxLength={64} hint={words.nameHint} />
          <SelectField
            label={words.lifetime}
            name="ttl"
            defaultValue={String(365 * secondsOfDay)}
            choices={[
              ...lifetimes.map((days) => ({ value: String(days * secondsOfDay), name: words.days(days) })),
              { value: noEnd, name: words.forever },
            ]}
          />
        </div>
        <fieldset className="plain stack" style={{ gap: '.5rem' }}>
          <legend style={{ padding: 0 }}>{words.rights}</legend>
          <Check
            label={words.everything}
            checked={!isLimited}
            onChange={(event) => setIsLimited(!event.currentTarget.checked)}
          />
          {isLimited &&
            scopes.map((scope) => (
              <Check key={scope} name={scope} label={scopeNames[scope]} hint={<code>{scope}</code>} />
            ))}
          {hasNoRight && <Notice tone="bad">{words.chooseRight}</Notice>}
        </fieldset>
        <Field label={words.addresses} name="addresses" hint={words.addressesHint} />
        {/* D491: it outlives the session. */}
        <div className="pair">
          <PasswordField name="currentPassword" />
          <CodeField />
        </div>
      </Form>
    </Dialog>
  )
}

function read(
  { name = '', ttl = noEnd, addresses = '', currentPassword = '', code = '' }: Record<string, string>,
  chosen: Scope[] | undefined,
) {
  const listed = addresses
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
  return {
    name,
    ttl: Number(ttl),
    currentPassword,
    ...(code !== '' && { code }),
    ...(chosen && { scopes: chosen }),
    ...(listed.length > 0 && { addresses: listed }),
  }
}
