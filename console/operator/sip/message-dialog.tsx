/** The text of one SIP message, and between whom it was exchanged. */
import { Code } from '../../parts/copy.tsx'
import { useFormat } from '../../parts/format.ts'
import { Dialog } from '../../parts/forms/dialog.tsx'
import { useWords } from '../../words/language.ts'
import { accountWords } from '../account/words.ts'
import type { Step } from './ladder.ts'
import { afterText, labelOf } from './names.ts'
import { sipWords } from './words.ts'

export function MessageDialog({
  step,
  names,
  onClose,
}: {
  step: Step
  names: string[]
  onClose: () => void
}) {
  const words = useWords(sipWords)
  const { when } = useWords(accountWords)
  const format = useFormat()
  const { message, from, to, isRetransmission } = step
  const { at, afterMs, direction, local, remote, transport, node, text } = message
  const [sender, receiver] = direction === 'sent' ? [local, remote] : [remote, local]
  return (
    <Dialog title={labelOf(step)} onClose={onClose} wide>
      <div className="stack">
        <dl className="facts">
          <dt>{when}</dt>
          <dd className="number">
            {format.exact(at)} · {afterText(afterMs)}{' '}
            {isRetransmission && <span className="badge warn">{words.retransmission}</span>}
          </dd>
          <dt>{words.sender}</dt>
          <dd className="number">
            {names[from]} <span className="faint">{sender}</span>
          </dd>
          <dt>{words.receiver}</dt>
          <dd className="number">
            {names[to]} <span className="faint">{receiver}</span>
          </dd>
          <dt>{words.transport}</dt>
          <dd>{transport.toUpperCase()}</dd>
          <dt>{words.node}</dt>
          <dd>{node}</dd>
        </dl>
        <Code text={text.replaceAll('\r\n', '\n').trimEnd()} />
      </div>
    </Dialog>
  )
}
