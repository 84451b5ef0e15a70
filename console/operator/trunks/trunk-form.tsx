/** The forms that add a trunk and change one (D668); the fields they leave out are set over `/operator/api`. */
import type { OperatorTrunk } from '../../../src/contract/operator-trunks.ts'
import { Dialog } from '../../parts/forms/dialog.tsx'
import { Check, Field, SelectField } from '../../parts/forms/field.tsx'
import { Form } from '../../parts/forms/form.tsx'
import { useForm } from '../../parts/forms/use-form.ts'
import { toast } from '../../parts/toasts.tsx'
import { queryClient } from '../../session.ts'
import { commonWords } from '../../words/common.ts'
import { useWords } from '../../words/language.ts'
import { operate } from '../operator-api.ts'
import { operatorWords } from '../words.ts'
import { trunksKey, usedBy } from './trunk-list.ts'
import { trunkWords } from './words.ts'

export function NewTrunk({ onClose }: { onClose: () => void }) {
  const own = useWords(trunkWords)
  const form = useTrunkForm(async (values) => {
    const { name = '' } = values
    await operate('POST', '/trunks', {
      name: name.trim(),
      ...readFilled(values),
      on: values.off !== 'on',
      reason: values.reason,
    })
  }, onClose)
  return (
    <Dialog title={own.add} onClose={onClose} wide>
      <Form form={form} action={own.add} onCancel={onClose}>
        <Field
          label={own.name}
          name="name"
          required
          maxLength={32}
          hint={own.nameHint}
          {...plain}
          autoComplete="off"
        />
        <TrunkFields />
        <Check label={own.addOff} name="off" />
        <Reason />
      </Form>
    </Dialog>
  )
}

export function EditTrunk({ trunk, onClose }: { trunk: OperatorTrunk; onClose: () => void }) {
  const own = useWords(trunkWords)
  const common = useWords(commonWords)
  const form = useTrunkForm(async (values) => {
    await operate('PATCH', `/trunks/${trunk.name}`, { ...readAll(values), reason: values.reason })
  }, onClose)
  return (
    <Dialog title={own.editTitle(trunk.name)} onClose={onClose} wide>
      <Form form={form} action={common.save} onCancel={onClose}>
        <p>{own.editAbout(usedBy(trunk))}</p>
        <TrunkFields settings={trunk.settings} />
        <Reason />
      </Form>
    </Dialog>
  )
}

function useTrunkForm(send: (values: Record<string, string>) => Promise<void>, onClose: () => void) {
  const common = useWords(commonWords)
  return useForm(async (values) => {
    await send(values)
    await queryClient.invalidateQueries({ queryKey: trunksKey })
    toast(common.saved)
    onClose()
  })
}

function Reason() {
  const words = useWords(operatorWords)
  return <Field label={words.reason} name="reason" required minLength={3} maxLength={500} />
}

const plain = { autoCapitalize: 'none', spellCheck: false, autoComplete: 'off' } as const

/** Filled with `settings` for a trunk that is there; its numbers cannot be empty then. */
function TrunkFields({ settings }: { settings?: OperatorTrunk['settings'] }) {
  const own = useWords(trunkWords)
  const listed = (items: string[] | undefined) => items?.join(', ')
  const count = { inputMode: 'numeric', required: settings !== undefined } as const
  return (
    <>
      <Field
        label={own.address}
        name="address"
        required
        hint={own.addressHint}
        defaultValue={settings?.address}
        {...plain}
      />
      <div className="pair">
        <Field
          label={own.username}
          name="username"
          defaultValue={settings?.username ?? undefined}
          hint={settings?.username && own.usernameKept}
          {...plain}
        />
        <Field
          label={own.password}
          name="password"
          type="password"
          autoComplete="new-password"
          hint={settings?.hasPassword ? own.passwordKept : own.passwordHint}
        />
      </div>
      <Check label={own.register} name="register" defaultChecked={settings?.register} />
      <div className="pair">
        <SelectField
          label={own.format}
          name="format"
          defaultValue={settings?.format ?? 'e164'}
          choices={Object.entries(own.formats).map(([value, name]) => ({ value, name }))}
        />
        <Field
          label={own.callerId}
          name="callerId"
          type="tel"
          hint={own.callerIdHint}
          defaultValue={settings?.callerId ?? undefined}
        />
      </div>
      <div className="pair">
        <Field
          label={own.prefixes}
          name="prefixes"
          hint={own.prefixesHint}
          defaultValue={listed(settings?.prefixes)}
          {...plain}
        />
        <Field
          label={own.services}
          name="services"
          hint={own.servicesHint}
          defaultValue={listed(settings?.services)}
          {...plain}
        />
      </div>
      <Field
        label={own.trust}
        name="trust"
        hint={own.trustHint}
        defaultValue={listed(settings?.trust)}
        {...plain}
      />
      <Field
        label={own.priority}
        name="priority"
        hint={own.priorityHint}
        defaultValue={settings?.priority}
        {...count}
      />
      <div className="pair">
        <Field label={own.channels} name="channels" defaultValue={settings?.channels} {...count} />
        <Field
          label={own.callsPerSecond}
          name="callsPerSecond"
          defaultValue={settings?.callsPerSecond}
          {...count}
        />
      </div>
    </>
  )
}

type Values = Record<string, string>

const texts = ['address', 'username', 'callerId']
const lists = ['prefixes', 'services', 'trust']
const counts = ['priority', 'channels', 'callsPerSecond']

/** Null for a text that was cleared, and an empty list for a list. Without a new password the stored one stays. */
function readAll(values: Values) {
  const fields: Record<string, unknown> = { format: values.format, register: values.register === 'on' }
  for (const name of texts) fields[name] = (values[name] ?? '').trim() || null
  for (const name of lists) fields[name] = (values[name] ?? '').split(/[\s,;]+/).filter(Boolean)
  for (const name of counts) fields[name] = readCount(values[name] ?? '')
  if (values.password) fields.password = values.password
  if (fields.username === null) fields.password = null
  return fields
}

/** Empty fields are left out: then the default holds. */
const readFilled = (values: Values) =>
  Object.fromEntries(
    Object.entries(readAll(values)).filter(
      ([, value]) => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  )

/** The service says what is wrong with a text that is no number. */
function readCount(given: string) {
  const text = given.trim()
  return text === '' || Number.isNaN(Number(text)) ? text : Number(text)
}
