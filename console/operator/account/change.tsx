/** A form that changes something of an account, with the reason that every such change needs. */
import { Field } from '../../parts/forms/field.tsx'
import { useForm } from '../../parts/forms/use-form.ts'
import { toast } from '../../parts/toasts.tsx'
import { queryClient } from '../../session.ts'
import { commonWords } from '../../words/common.ts'
import { useWords } from '../../words/language.ts'
import { operate } from '../operator-api.ts'
import { accountWords } from './words.ts'

type Sent = { path: string; body: (values: Record<string, string>) => unknown; onDone: () => void }

export function useChange(domain: string, { path, body, onDone }: Sent) {
  const common = useWords(commonWords)
  return useForm(async (values) => {
    await operate('POST', `/accounts/${encodeURIComponent(domain)}/${path}`, body(values))
    await queryClient.invalidateQueries({ queryKey: ['operator'] })
    toast(common.saved)
    onDone()
  })
}

export function ReasonField() {
  const words = useWords(accountWords)
  return (
    <Field
      label={words.reason}
      hint={words.reasonHint}
      name="reason"
      required
      minLength={3}
      maxLength={500}
    />
  )
}
