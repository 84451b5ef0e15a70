/** Proof that a user reads the mail of an address: a link that works once, for 48 hours (D57). */
import { hash } from 'node:crypto'
import { refuse } from '../../contract/errors.ts'
import { type Clock, plusSeconds } from '../../kit/clock.ts'
import { randomBase62 } from '../../kit/ids.ts'
import type { Outbox } from '../../mail/outbox.ts'
import type { Database } from '../../store/database.ts'
import { recordAudit } from '../audit.ts'
import type { Callers } from '../tokens/callers.ts'
import type { User } from '../user.ts'
import { updateUser } from '../users-store.ts'
import { confirmationMail } from './confirmation-mail.ts'

const validSeconds = 48 * 3600
/** Short enough for the log, where the development mailbox writes its links, not to mask it. */
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
  /** Joins the caller's transaction; older links of the user stop working. Wake the outbox after it. */
  async function request(tx: Database, user: Pick<User, 'id' | 'email' | 'name'>) {
    const token = randomBase62(tokenLength)
    await tx.deleteFrom('confirmations').where('user_id', '=', user.id).execute()
    await tx
      .insertInto('confirmations')
      .values({
        hash: hashOf(token),
        user_id: user.id,
        email: user.email,
        expires_at: plusSeconds(clock.now(), validSeconds),
      })
      .execute()
    await outbox.post(tx, confirmationMail(user, `${confirmUrl()}?token=${token}`))
  }

  /** D62: for one who waited too long: a new link, if none that still works is on its way. */
  async function renew(user: User) {
    await db.transaction().execute(async (tx) => {
      // Two renewals at once would send two mails, the first with a dead link.
      await tx.selectFrom('users').select('id').where('id', '=', user.id).forUpdate().execute()
      const alive = await tx
        .selectFrom('confirmations')
        .select('user_id')
        .where('user_id', '=', user.id)
        .where('expires_at', '>', clock.now())
        .executeTakeFirst()
      if (!alive) await request(tx, user)
    })
    outbox.wake()
  }

  /** The link was followed. Its account is the caller's business: `andThen` joins the transaction. */
  async function follow(
    token: string,
    andThen: (tx: Database, accountId: number, user: User) => Promise<void>,
  ) {
    const user = await db.transaction().execute(async (tx) => {
      const link = await tx
        .deleteFrom('confirmations')
        .where('hash', '=', hashOf(token))
        .returning(['user_id', 'email', 'expires_at'])
        .executeTakeFirst()
      if (!link || link.expires_at <= clock.now()) throw refuse('CONFIRMATION_INVALID')
      const now = clock.now()
      const verified = await updateUser(tx, link.user_id, { email_verified: true, updated_at: now })
      if (verified.email !== link.email) throw refuse('CONFIRMATION_INVALID')
      const { account_id: accountId } = await tx
        .selectFrom('users')
        .select('account_id')
        .where('id', '=', verified.id)
        .executeTakeFirstOrThrow()
      await callers.announceChange(tx, verified.id)
      await recordAudit(tx, {
        accountId,
        at: now,
        action: 'user.email-confirmed',
        actor: verified.email,
        subject: verified.email,
      })
      await andThen(tx, accountId, verified)
      return verified
    })
    callers.forget(user.id)
    return user
  }

  async function sweep() {
    await db.deleteFrom('confirmations').where('expires_at', '<', clock.now()).execute()
  }

  return { request, renew, follow, sweep }
}
export type Confirmations = ReturnType<typeof createConfirmations>
