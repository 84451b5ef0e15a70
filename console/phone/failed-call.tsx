/** D611: why a call failed, in one sentence, and one button that helps; stays until it is read. */
import { Link } from 'wouter'
import { dialledTelephone } from '../parts/telephone.ts'
import { useIsAdmin } from '../session.ts'
import { commonWords } from '../words/common.ts'
import { useWords } from '../words/language.ts'
import type { EndReason } from './moves/end-reason.ts'
import type { FailedCall as Failed } from './moves/phone.ts'
import { phone } from './phone.ts'
import { reasonWords } from './reason-words.ts'
import { phoneWords } from './words.ts'

/** Another try may go better. */
const repeatable: EndReason[] = [
  'USER_BUSY',
  'NO_USER_RESPONSE',
  'NO_ANSWER',
  'SUBSCRIBER_ABSENT',
  'CALL_REJECTED',
  'DESTINATION_OUT_OF_ORDER',
  'NORMAL_CIRCUIT_CONGESTION',
  'NETWORK_OUT_OF_ORDER',
  'NORMAL_TEMPORARY_FAILURE',
  'RECOVERY_ON_TIMER_EXPIRE',
  'MEDIA_TIMEOUT',
  'USER_NOT_REGISTERED',
  'NO_CONNECTION',
]

type Props = { failed: Failed; mayDial: boolean }

export function FailedCall({ failed: { number, reason }, mayDial }: Props) {
  const words = useWords(phoneWords)
  const common = useWords(commonWords)
  const reasons = useWords(reasonWords)
  const isAdmin = useIsAdmin()
  const close = () => phone()?.closeMessage()
  const needsCredit = reason === 'NO_CREDIT' || reason === 'ALLOTTED_TIMEOUT'
  return (
    <div className="dock-panel stack" data-reason={reason}>
      <p>
        <strong className="number">{dialledTelephone(number)}</strong> {reasons[reason]}
      </p>
      <div className="row">
        {mayDial && repeatable.includes(reason) && (
          <button type="button" className="button primary" onClick={() => phone()?.dial(number)}>
            {words.callAgain}
          </button>
        )}
        {needsCredit && isAdmin && (
          <Link href="/credit" className="button primary" onClick={close}>
            {words.addCredit}
          </Link>
        )}
        <button type="button" className="button" onClick={close}>
          {common.close}
        </button>
      </div>
    </div>
  )
}
