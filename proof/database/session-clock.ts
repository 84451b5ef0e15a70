/**
 * The simulated clock of a session: two settings that `now()` and `clock_timestamp()` read (server.ts). They are set by a prepared
 * statement in front of a batch, under the same Sync: one answer, one wake-up of each side.
 */
import { type Batch, bindMessages, parseMessage, queryMessage } from './messages.ts'
import type { Session } from './session.ts'

const statement = 'sim_clock'
const text = `select set_config('sim.now', $1, false), set_config('sim.clock', $2, false)`

/** Messages sent before a batch, and the part of the answer that is not the driver's. */
export type Preamble = {
  bytes: Buffer
  /** Whole answers, and messages of the one after them. */
  answers: number
  messages: number
}

/** Begins and ends of transactions, which need no time. */
const begins = /^\s*(begin|start transaction)[^;]*;?\s*$/i
const ends = /^\s*(commit|rollback)\s*;?\s*$/i

export function createSessionClock(time: () => Date) {
  const prepared = new WeakSet<Session>()
  /** When the transaction of a session began. */
  const begunAt = new WeakMap<Session, string>()

  return function preambleOf(session: Session, batch: Batch): Preamble | undefined {
    if (session.pid === undefined || session.status === 'E' || ends.test(batch.text)) return undefined
    const clock = time().toISOString()
    if (session.status === 'I') begunAt.set(session, clock)
    if (begins.test(batch.text)) return undefined
    const now = begunAt.get(session) ?? clock
    // Some commands allow no other one under their Sync; none of them is sent in this way.
    if (batch.isSimple) {
      const bytes = queryMessage(`set sim.now = '${now}'; set sim.clock = '${clock}'`)
      return { bytes, answers: 1, messages: 0 }
    }
    const bind = bindMessages(statement, [now, clock])
    // BindComplete, DataRow, CommandComplete.
    if (prepared.has(session)) return { bytes: bind, answers: 0, messages: 3 }
    prepared.add(session)
    return { bytes: Buffer.concat([parseMessage(statement, text), bind]), answers: 0, messages: 4 }
  }
}
