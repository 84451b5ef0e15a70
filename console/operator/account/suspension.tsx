/** The dialogs that suspend an account and release it. */
import type { OperatorAccountPage } from '../../../src/contract/operator-account.ts'
import { useFormat } from '../../parts/format.ts'
import { Dialog } from '../../parts/forms/dialog.tsx'
import { Check, Field } from '../../parts/forms/field.tsx'
import { Form } from '../../parts/forms/form.tsx'
import { useForm } from '../../parts/forms/use-form.ts'
import { toast } from '../../parts/toasts.tsx'
import { queryClient } from '../../session.ts'
import { commonWords } from '../../words/common.ts'
import { useWords } from '../../words/language.ts'
import { operate } from '../operator-api.ts'
import { accountWords } from './words.ts'

type Sent = { path: string; body: (values: Record<string, string>) => unknown; onDone: () => void }

function useChange(domain: string, { path, body, onDone }: Sent) {
  const common = useWords(commonWords)
  return useForm(async (values) => {
    await operate('POST', `/accounts/${encodeURIComponent(domain)}/${path}`, body(values))
    await queryClient.invalidateQueries({ queryKey: ['operator'] })
    toast(common.saved)
    onDone()
  })
}

function ReasonField() {
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

type SuspendProps = { account: OperatorAccountPage; onClose: () => void }

export function Suspend({ account: { domain, liveCalls }, onClose }: SuspendProps) {
  const words = useWords(accountWords)
  const format = useFormat()
  const form = useChange(domain, {
    path: 'suspend',
    body: ({ reason, revokeTokens }) => ({ reason, revokeTokens: revokeTokens === 'on' }),
    onDone: onClose,
  })
  return (
    <Dialog title={words.suspendTitle(domain)} onClose={onClose}>
      <Form form={form} action={words.suspend} onCancel={onClose}>
        <p>{words.suspendAbout(format.count(liveCalls.length))}</p>
        <ReasonField />
        <Check label={words.revokeTokens} hint={words.revokeTokensAbout} name="revokeTokens" />
      </Form>
    </Dialog>
  )
}

export function Release({ domain, onClose }: { domain: string; onClose: () => void }) {
  const words = useWords(accountWords)
  const form = useChange(domain, {
    path: 'release',
    body: ({ reason }) => ({ reason }),
    onDone: onClose,
  })
  return (
    <Dialog title={words.releaseTitle(domain)} onClose={onClose}>
      <Form form={form} action={words.release} onCancel={onClose}>
        <p>{words.releaseAbout}</p>
        <ReasonField />
      </Form>
    </Dialog>
  )
}
