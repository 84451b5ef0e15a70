/**
 * Limits how often something may be tried for one e-mail or user (D146), beside the limits by the client's address.
 * Counted in the database, so all processes count together; known and unknown e-mails are counted alike.
 */
import { hash } from 'node:crypto'
import { refuse } from '../../contract/errors.ts'
import { type Clock, plusSeconds } from '../../kit/clock.ts'
import type { Database } from '../../store/database.ts'
import { countAttempt, deleteAttempts, deleteEndedAttempts, readAttempts } from './attempts-store.ts'

const minute = 60

const attemptLimits = {
  /** Failed logins of one e-mail in one browser, or from one address block. */
  login: { max: 10, seconds: 15 * minute },
  /** Failed logins of one e-mail from all addresses together. */
  everyLogin: { max: 100, seconds: 15 * minute },
  /** Codes of the authenticator app of one user, with the right password (D201). */
  code: { max: 20, seconds: 24 * 60 * minute },
  /** Wrong current passwords of one user who has a token. */
  password: { max: 10, seconds: 15 * minute },
  /** Mails of one kind asked for one address. */
  mail: { max: 5, seconds: 60 * minute },
  /** D492: invitations of one account that nothing has proven. */
  invitation: { max: 20, seconds: 24 * 60 * minute },
}
type Kind = keyof typeof attemptLimits

type Deps = { db: Database; clock: Clock }

export function createAttempts({ db, clock }: Deps) {
  const keyOf = (kind: Kind, subject: string) => hash('sha256', `${kind}\0${subject}`, 'buffer')

  /** Refuses while too many were counted. */
  async function check(kind: Kind, subject: string) {
    const found = await readAttempts(db, keyOf(kind, subject))
    if (found && found.count >= attemptLimits[kind].max) refuseUntil(found.ends_at)
  }

  /** Counts one, and refuses it if it is one too many. */
  async function count(kind: Kind, subject: string) {
    const { max, seconds } = attemptLimits[kind]
    const now = clock.now()
    const counted = await countAttempt(db, keyOf(kind, subject), now, plusSeconds(now, seconds))
    if (counted.count > max) refuseUntil(counted.ends_at)
  }

  function refuseUntil(end: Date) {
    const seconds = Math.ceil((end.getTime() - clock.now().getTime()) / 1000)
    if (seconds > 0) throw refuse('RATE_LIMITED', { retryAfter: seconds })
  }

  /** Joins the caller's transaction. */
  async function clear(tx: Database, kind: Kind, subject: string) {
    await deleteAttempts(tx, keyOf(kind, subject))
  }

  async function sweep() {
    await deleteEndedAttempts(db, clock.now())
  }

  return { check, count, clear, sweep }
}
export type Attempts = ReturnType<typeof createAttempts>
