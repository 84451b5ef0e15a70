/** The dialog with which the operator looks at the account as one of its users sees it (D647). */
import type { OperatorAccountPage } from '../../../src/contract/operator-account.ts'
import { Dialog } from '../../parts/forms/dialog.tsx'
import { Form } from '../../parts/forms/form.tsx'
import { useWords } from '../../words/language.ts'
import { ReasonField, useChange } from './change.tsx'
import { accountWords } from './words.ts'

type Props = { domain: string; user: OperatorAccountPage['users'][number]; onClose: () => void }

export function LookIn({ domain, user, onClose }: Props) {
  const words = useWords(accountWords)
  const form = useChange(domain, {
    path: 'look-in',
    body: ({ reason }) => ({ user: user.uuid, reason }),
    onDone: () => window.location.assign('/console/'),
  })
  return (
    <Dialog title={words.lookInAs(user.email)} onClose={onClose}>
      <Form form={form} action={words.lookIn} onCancel={onClose}>
        <p>{words.lookInAbout}</p>
        <ReasonField />
      </Form>
    </Dialog>
  )
}
