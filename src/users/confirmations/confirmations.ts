/** Confirms a user's e-mail address by a link that is mailed to it; it works once, for 48 hours (D57). */
import { hash } from 'node:crypto'
import { refuse } from '../../contract/errors.ts'
import { type Clock, plusSeconds } from '../../kit/clock.ts'
import { randomBase62 } from '../../kit/ids.ts'
import type { Outbox } from '../../mail/outbox.ts'
import type { Database } from '../../store/database.ts'
import { recordAudit } from '../audit.ts'
import type { Callers } from '../tokens/callers.ts'
import type { User } from '../user.ts'
import { findAccountOf, lockUser, updateUser } from '../users-store.ts'
import { confirmationMail } from './confirmation-mail.ts'
import {
  deleteExpiredConfirmations,
  hasValidConfirmation,
  replaceConfirmation,
  takeConfirmation,
} from './confirmations-store.ts'

const validSeconds = 48 * 3600
/** Short enough that the log, where the development mailbox writes its links, does not mask it as a secret. */
const tokenLength = 32

type Deps = {
  db: Database
  clock: Clock
  outbox: Outbox
  callers: Callers
  /** Where the link leads, without its token. */
  confirmUrl: () => string
}

const hashOf = (token: string) => hash('sha256', token, 'buffer')

export function createConfirmations({ db, clock, outbox, callers, confirmUrl }: Deps) {
  /** Joins the caller's transaction; wake the outbox after the commit. Older links of the user stop working. */
  async function request(tx: Database, user: Pick<User, 'id' | 'email' | 'name'>) {
    const token = randomBase62(tokenLength)
    await replaceConfirmation(tx, {
      hash: hashOf(token),
      user_id: user.id,
      email: user.email,
      expires_at: plusSeconds(clock.now(), validSeconds),
    })
    await outbox.post(tx, confirmationMail(user, `${confirmUrl()}?token=${token}`))
  }

  /** D62: sends a new link to a user whose link expired, unless one that works was sent. */
  async function renew(user: User) {
    await db.transaction().execute(async (tx) => {
      // Without the lock, two logins at once would send two mails, the first with a link that no longer works.
      await lockUser(tx, user.id)
      if (!(await hasValidConfirmation(tx, user.id, clock.now()))) await request(tx, user)
    })
    outbox.wake()
  }

  /** Confirms the address of a link that was opened. `activate` joins the transaction, to activate the account. */
  async function confirm(
    token: string,
    activate: (tx: Database, accountId: number, user: User) => Promise<void>,
  ) {
    const user = await db.transaction().execute(async (tx) => {
      const link = await takeConfirmation(tx, hashOf(token))
      if (!link || link.expires_at <= clock.now()) throw refuse('CONFIRMATION_INVALID')
      const now = clock.now()
      const verified = await updateUser(tx, link.user_id, { email_verified: true, updated_at: now })
      if (verified.email !== link.email) throw refuse('CONFIRMATION_INVALID')
      const accountId = await findAccountOf(tx, verified.id)
      await callers.announceChange(tx, verified.id)
      await recordAudit(tx, {
        accountId,
        at: now,
        action: 'user.email-confirmed',
        actor: verified.email,
        subject: verified.email,
      })
      await activate(tx, accountId, verified)
      return verified
    })
    callers.forget(user.id)
    return user
  }

  async function sweep() {
    await deleteExpiredConfirmations(db, clock.now())
  }

  return { request, renew, confirm, sweep }
}
export type Confirmations = ReturnType<typeof createConfirmations>
