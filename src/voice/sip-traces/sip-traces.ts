/** The stored SIP messages of calls, for the operator (D660). */
import type { TracedMessage } from '../../engine/port.ts'
import type { Clock } from '../../kit/clock.ts'
import { isUuid } from '../../kit/ids.ts'
import type { Database } from '../../store/database.ts'
import { deleteInBatches } from '../../store/delete-in-batches.ts'
import { unpackTrace } from './packed-trace.ts'
import { selectTraces } from './sip-traces-store.ts'

const dayMs = 86_400_000

/** `node`: the process that sent or received it. */
type StoredMessage = TracedMessage & { node: string }
type StoredMessages = { messages: StoredMessage[]; leftOut: number }

type Deps = {
  db: Database
  clock: Clock
  /** 0: none are kept. */
  days: number
}

export function createSipTraces({ db, clock, days }: Deps) {
  /** In the order of time, from every node that had a part in the call. Undefined if there are none. */
  async function read(callId: string): Promise<StoredMessages | undefined> {
    const rows = isUuid(callId) ? await selectTraces(db, callId) : []
    if (rows.length === 0) return undefined
    const traces = await Promise.all(
      rows.map(async ({ node, messages }) => ({ node, ...(await unpackTrace(messages)) })),
    )
    const messages = traces.flatMap((trace) =>
      trace.messages.map((message) => ({ ...message, node: trace.node })),
    )
    messages.sort((one, other) => one.at.getTime() - other.at.getTime())
    return { messages, leftOut: traces.reduce((sum, { leftOut }) => sum + leftOut, 0) }
  }

  async function sweep() {
    const before = new Date(clock.now().getTime() - days * dayMs)
    await deleteInBatches(db, { table: 'sip_traces', column: 'stored_at', before })
  }

  /** Whether messages of a call that ended then have been removed. */
  const wasSwept = (endedAt: Date) => clock.now().getTime() - endedAt.getTime() > days * dayMs

  return { days, read, wasSwept, sweep }
}
export type SipTraces = ReturnType<typeof createSipTraces>
