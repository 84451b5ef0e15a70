/** A second call while another one is talked in (D601): hold and answer, refuse, or ignore it. */
import { Icon } from '../../parts/icon.tsx'
import { telephone } from '../../parts/telephone.ts'
import { useWords } from '../../words/language.ts'
import { KnownContact } from '../known-contact.tsx'
import type { PhoneCall } from '../moves/phone.ts'
import { phone } from '../phone.ts'
import { phoneWords } from '../words.ts'
import { Colleague } from './colleague.tsx'

export function WaitingCall({ call }: { call: PhoneCall }) {
  const words = useWords(phoneWords)
  const title = words.secondCall(telephone(call.number))
  return (
    <section className="dock-panel stack" aria-label={title} data-waiting={call.id}>
      <strong>{title}</strong>
      <Colleague call={call} />
      <KnownContact number={call.number} callId={call.id} />
      <div className="row">
        <button type="button" className="button primary" onClick={() => phone()?.holdAndAnswer()}>
          <Icon name="calls" />
          {words.holdAndAnswer}
        </button>
        <button type="button" className="button danger" onClick={() => phone()?.refuseWaiting()}>
          {words.decline}
        </button>
        <button type="button" className="button" onClick={() => phone()?.ignoreWaiting()}>
          {words.ignore}
        </button>
      </div>
    </section>
  )
}
