/** States: a reader who looks at a call again sees it where it was or further on, and an end is final. */
import { entriesOf, type History } from '../history.ts'
import { createFindings, type Violation } from '../violation.ts'

const order = ['queued', 'ringing', 'connecting', 'answered']

/** Ends come last. */
const rankOf = (status: string) => (order.includes(status) ? order.indexOf(status) : order.length)

export function checkStates(history: History): Violation[] {
  const { found, expect } = createFindings('states')
  const readers = Map.groupBy(entriesOf(history, 'live'), ({ account, reader }) => `${account} ${reader}`)
  const finals = new Map(entriesOf(history, 'final').map(({ account, calls }) => [account, calls]))
  for (const reads of readers.values()) {
    const seen = new Map<string, string>()
    const last = finals.get(reads[0]?.account ?? '') ?? []
    // One read begins when the one before it was answered.
    for (const { id, status } of [...reads.flatMap(({ calls }) => calls), ...last]) {
      const before = seen.get(id) ?? status
      const isForward = rankOf(before) < order.length ? rankOf(before) <= rankOf(status) : before === status
      expect(isForward, () => `call ${id} was ${before}, and then ${status}`)
      seen.set(id, status)
    }
  }
  return found
}
