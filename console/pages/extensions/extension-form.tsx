/** Creates or changes an extension. */
import { useQueryClient } from '@tanstack/react-query'
import { request } from '../../api.ts'
import type { Extension } from '../../api-types.ts'
import { extensionsKey, useOwnExtension } from '../../own-extension.ts'
import { Dialog } from '../../parts/forms/dialog.tsx'
import { Check, Field } from '../../parts/forms/field.tsx'
import { Form } from '../../parts/forms/form.tsx'
import { useForm } from '../../parts/forms/use-form.ts'
import { makeSecret, suggestPerson } from '../../parts/records/new-extension.ts'
import { toast } from '../../parts/toasts.tsx'
import { useSignedIn } from '../../session.ts'
import { commonWords } from '../../words/common.ts'
import { useWords } from '../../words/language.ts'
import { extensionWords } from './words.ts'

type Props = { extension?: Extension | undefined; onClose: () => void }

export function ExtensionForm({ extension, onClose }: Props) {
  const words = useWords(extensionWords)
  const common = useWords(commonWords)
  const cache = useQueryClient()
  const session = useSignedIn()
  // The first extension of a person is most likely their own; a further one is for somebody else.
  const isFirst = useOwnExtension() === undefined
  const suggested = isFirst ? { ...suggestPerson(session), email: session.user.email } : undefined
  const form = useForm(async (values) => {
    const saved = await save(values, extension)
    await cache.invalidateQueries({ queryKey: extensionsKey })
    toast(extension ? common.saved : words.created(saved.ramal))
    onClose()
  })
  return (
    <Dialog title={extension ? words.change(extension.ramal) : words.create} onClose={onClose}>
      <Form form={form} action={common.save} onCancel={onClose}>
        {!extension && (
          <Field
            label={words.number}
            name="ramal"
            inputMode="numeric"
            pattern="[0-9]{2,6}"
            hint={words.numberHint}
          />
        )}
        <div className="pair">
          <Field
            label={words.firstName}
            name="first_name"
            required
            defaultValue={extension?.first_name ?? suggested?.firstName}
          />
          <Field
            label={words.lastName}
            name="last_name"
            required
            defaultValue={extension?.last_name ?? suggested?.lastName}
          />
        </div>
        <Field
          label={words.email}
          name="email_address"
          type="email"
          required
          defaultValue={extension?.email_address ?? suggested?.email}
          hint={words.emailHint}
        />
        <div className="pair">
          <Field label={words.callerId} name="bina" type="tel" defaultValue={extension?.bina ?? ''} />
          <Field
            label={words.secret}
            name="senha"
            autoComplete="off"
            spellCheck={false}
            hint={extension ? words.keepSecret : words.secretHint}
          />
        </div>
        <Check label={words.record} name="gravar_audio" defaultChecked={extension?.gravar_audio !== 0} />
      </Form>
    </Dialog>
  )
}

async function save(
  values: Record<string, string>,
  extension: Extension | undefined,
): Promise<{ ramal: string }> {
  const { first_name = '', last_name = '', email_address = '', ramal = '' } = values
  const person = {
    first_name,
    last_name,
    email_address,
    bina: values.bina === '' ? null : (values.bina ?? null),
    gravar_audio: values.gravar_audio === 'on' ? (1 as const) : (0 as const),
  }
  if (extension) {
    const senha = values.senha === '' ? {} : { senha: values.senha ?? '' }
    return await request('PATCH', '/extensions', { body: { id: extension.id, ...person, ...senha } })
  }
  const senha = values.senha === '' ? makeSecret() : (values.senha ?? makeSecret())
  if (ramal === '') return await request('POST', '/extensions/next-available', { body: { ...person, senha } })
  return await request('POST', '/extensions', { body: { ...person, senha, ramal } })
}
