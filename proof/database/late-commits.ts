/**
 * Commits that take a while, as with a slow disk or a replica that must confirm them. A single statement that writes becomes a
 * transaction for that time: it holds its locks, others come in between, and the driver gets its answer after the commit.
 */
import type { SeededRandom } from '../../bench/parts/crash/seeded-random.ts'
import { type Answer, type Batch, bindMessages, parseMessage, queryMessage } from './messages.ts'
import type { Session } from './session.ts'
import type { Preamble } from './session-clock.ts'

const writes = /\b(insert into|update|delete from)\b/i
const isCommit = ({ text }: Batch) => /^\s*commit\b/i.test(text)
const statement = 'sim_begin'

type Share = { share: number; maxMs: number }
const usually: Share = { share: 0.08, maxMs: 400 }
/** Longer than most requests take. */
const whileSlow: Share = { share: 0.3, maxMs: 4_000 }

export function createLateCommits(random: SeededRandom, isSlow: () => boolean) {
  const prepared = new WeakSet<Session>()
  /** Their statement has run, or is running, and is not committed. */
  const open = new Set<Session>()

  const roll = () => random.next() < (isSlow() ? whileSlow : usually).share
  const lateness = () => random.next() * (isSlow() ? whileSlow : usually).maxMs

  return {
    isOpen: (session: Session) => open.has(session),
    forget: (session: Session) => open.delete(session),
    /** For a COMMIT that the driver sends: how much later it reaches the server. */
    delayOf: (batch: Batch | undefined) => (batch && isCommit(batch) && roll() ? lateness() : 0),
    /** The preamble that also begins the transaction, if the statement is to be committed late. */
    begin(session: Session, batch: Batch, preamble: Preamble | undefined): Preamble | undefined {
      if (!preamble || batch.isSimple || session.status !== 'I' || !writes.test(batch.text) || !roll())
        return preamble
      open.add(session)
      const isNew = !prepared.has(session)
      prepared.add(session)
      // BindComplete, CommandComplete, and ParseComplete the first time.
      const bytes = [...(isNew ? [parseMessage(statement, 'begin')] : []), bindMessages(statement, [])]
      return {
        ...preamble,
        bytes: Buffer.concat([...bytes, preamble.bytes]),
        messages: preamble.messages + (isNew ? 3 : 2),
      }
    },
    /** A statement that failed is rolled back at once. */
    waitMs: ({ status }: Answer) => (status === 'T' ? lateness() : 0),
    /** Ends the transaction. Resolves with the answer to the statement, or with the error of its commit. */
    async end(session: Session, answered: Answer): Promise<Answer | undefined> {
      open.delete(session)
      const end = answered.status === 'T' ? 'commit' : 'rollback'
      const ended = await session.run(queryMessage(end))
      if (ended?.tags[0]?.toLowerCase() !== end) return ended
      const bytes = Buffer.from(answered.bytes)
      bytes.write(ended.status, bytes.length - 1)
      return { ...answered, bytes, status: ended.status }
    },
  }
}
