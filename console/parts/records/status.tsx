/** The state of a call as a badge. */
import type { CallRecord } from '../../api-types.ts'
import { callWords } from '../../words/calls.ts'
import { useWords } from '../../words/language.ts'
import { Icon, type IconName } from '../icon.tsx'

const tones: Record<CallRecord['status'], string> = {
  queued: '',
  ringing: 'accent',
  answered: 'accent',
  completed: 'good',
  busy: 'warn',
  no_answer: 'warn',
  failed: 'bad',
  cancelled: '',
}

export function CallStatus({ status }: { status: CallRecord['status'] }) {
  const words = useWords(callWords)
  return <span className={`badge ${tones[status]}`}>{words.status[status]}</span>
}

const icons: Record<CallRecord['call_type'], IconName> = {
  outbound: 'out',
  inbound: 'in',
  internal: 'inside',
}

export function CallType({ type }: { type: CallRecord['call_type'] }) {
  const words = useWords(callWords)
  return (
    <span role="img" title={words.type[type]} aria-label={words.type[type]} className="faint">
      <Icon name={icons[type]} />
    </span>
  )
}
