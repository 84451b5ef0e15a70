/** The dialogs that suspend an account and release it. */
import type { OperatorAccountPage } from '../../../src/contract/operator-account.ts'
import { useFormat } from '../../parts/format.ts'
import { Dialog } from '../../parts/forms/dialog.tsx'
import { Check } from '../../parts/forms/field.tsx'
import { Form } from '../../parts/forms/form.tsx'
import { useWords } from '../../words/language.ts'
import { ReasonField, useChange } from './change.tsx'
import { accountWords } from './words.ts'

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
