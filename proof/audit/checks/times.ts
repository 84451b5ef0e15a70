/** Times: a call begins when it is placed, by the clock that all processes share, and is silent when somebody is shown that it is over. */
import { entriesOf, type History } from '../history.ts'
import { createFindings, type Violation } from '../violation.ts'
import { callsById } from './calls.ts'

/** How far a process may be off while the database answers slowly (D515). */
const toleranceMs = 3_000

/** D515: however wrong the clock of a machine is. */
export function checkTimes(history: History): Violation[] {
  const { found, expect } = createFindings('times')
  const calls = callsById(history)
  const attempts = Map.groupBy(entriesOf(history, 'place'), ({ account, key }) => `${account} ${key}`)
  for (const own of attempts.values()) {
    const sentAt = Math.min(...own.map((attempt) => attempt.sentAt))
    for (const { id, at } of own) {
      const startedAt = calls.get(id ?? '')?.startedAt
      expect(
        startedAt === undefined || (startedAt >= sentAt - toleranceMs && startedAt <= at + toleranceMs),
        () => `call ${id} was placed from ${sentAt} to ${at}, and began at ${startedAt}`,
      )
    }
  }
  return found
}

/** Sound that was sent before may still be heard. */
const heardMs = 1_000
const liveStates = new Set(['queued', 'ringing', 'connecting', 'answered'])

/** D225: a node that is cut off hangs up before others end its calls. */
export function checkSilence(history: History): Violation[] {
  const { found, expect } = createFindings('one end')
  const shownAt = new Map<string, number>()
  const show = (call: string, at: number) => shownAt.set(call, Math.min(at, shownAt.get(call) ?? at))
  for (const { type, subject, at } of entriesOf(history, 'webhook'))
    if (type === 'channel-hangup') show(subject, at)
  for (const { events, at } of entriesOf(history, 'feed'))
    for (const { type, subject } of events) if (type === 'channel-hangup') show(subject, at)
  for (const { calls, at } of entriesOf(history, 'live'))
    for (const { id, status } of calls) if (!liveStates.has(status)) show(id, at)
  for (const { call, answeredAt, silentAt } of entriesOf(history, 'talk')) {
    const at = shownAt.get(call) ?? silentAt
    // A process that goes on after a pause may answer a call and hang it up in the same moment.
    expect(
      silentAt - Math.max(at, answeredAt) <= heardMs,
      () => `call ${call} was shown as over at ${at}, and had sound until ${silentAt}`,
    )
  }
  return found
}
