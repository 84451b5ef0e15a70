/** The form that adds a trunk; the fields it leaves out are set over `/operator/api`. */
import type { OperatorNewTrunk } from '../../../src/contract/operator-trunks.ts'
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
import { trunksKey } from './trunk-list.ts'
import { trunkWords } from './words.ts'

export function NewTrunk({ onClose }: { onClose: () => void }) {
  const words = useWords(operatorWords)
  const own = useWords(trunkWords)
  const common = useWords(commonWords)
  const form = useForm(async (values) => {
    await operate('POST', '/trunks', readTrunk(values))
    await queryClient.invalidateQueries({ queryKey: trunksKey })
    toast(common.saved)
    onClose()
  })
  const plain = { autoCapitalize: 'none', spellCheck: false, autoComplete: 'off' } as const
  return (
    <Dialog title={own.add} onClose={onClose} wide>
      <Form form={form} action={own.add} onCancel={onClose}>
        <div className="pair">
          <Field label={own.name} name="name" required maxLength={32} hint={own.nameHint} {...plain} />
          <Field label={own.address} name="address" required hint={own.addressHint} {...plain} />
        </div>
        <div className="pair">
          <Field label={own.username} name="username" {...plain} />
          <Field
            label={own.password}
            name="password"
            type="password"
            autoComplete="new-password"
            hint={own.passwordHint}
          />
        </div>
        <Check label={own.register} name="register" />
        <div className="pair">
          <SelectField
            label={own.format}
            name="format"
            defaultValue="e164"
            choices={Object.entries(own.formats).map(([value, name]) => ({ value, name }))}
          />
          <Field label={own.callerId} name="callerId" type="tel" hint={own.callerIdHint} />
        </div>
        <div className="pair">
          <Field label={own.prefixes} name="prefixes" hint={own.prefixesHint} {...plain} />
          <Field label={own.trust} name="trust" hint={own.trustHint} {...plain} />
        </div>
        <div className="pair">
          <Field label={own.priority} name="priority" inputMode="numeric" hint={own.priorityHint} />
          <Field label={own.channels} name="channels" inputMode="numeric" />
        </div>
        <Check label={own.addOff} name="off" />
        <Field label={words.reason} name="reason" required minLength={3} maxLength={500} />
      </Form>
    </Dialog>
  )
}

/** Empty fields are left out: then the default holds. */
function readTrunk(values: Record<string, string>): OperatorNewTrunk {
  const { name = '', address = '', reason = '', format } = values
  const given = (field: string) => {
    const text = (values[field] ?? '').trim()
    return text === '' ? {} : { [field]: text }
  }
  const listed = (field: string) => {
    const items = (values[field] ?? '').split(/[\s,;]+/).filter(Boolean)
    return items.length === 0 ? {} : { [field]: items }
  }
  /** The service says what is wrong with a text that is no number. */
  const counted = (field: string) => {
    const text = (values[field] ?? '').trim()
    return text === '' ? {} : { [field]: Number.isNaN(Number(text)) ? text : Number(text) }
  }
  return {
    name: name.trim(),
    address: address.trim(),
    ...given('username'),
    ...(values.password && { password: values.password }),
    ...(values.register === 'on' && { register: true }),
    format: format as OperatorNewTrunk['format'],
    ...given('callerId'),
    ...listed('prefixes'),
    ...listed('trust'),
    ...counted('priority'),
    ...counted('channels'),
    on: values.off !== 'on',
    reason,
  } as OperatorNewTrunk
}
