/**
 * A user's old e-mail address, kept or taken back by its owner (D203): somebody with the user's token asked for a new one,
 * and may have confirmed it and set a password since. The link works for days, also after the change.
 */
import type { Clock } from '../../kit/clock.ts'
import { randomBase62 } from '../../kit/ids.ts'
import type { Database } from '../../store/database.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Passwords } from '../passwords/passwords.ts'
import { deleteSecondFactor, findSecondFactor } from '../second-factor/second-factors-store.ts'
import { deleteTokens } from '../tokens/tokens-store.ts'
import type { User } from '../user.ts'
import { updateUser } from '../users-store.ts'
import type { Links } from './links.ts'
import { deleteLinks } from './links-store.ts'

type Deps = { clock: Clock; passwords: Passwords; links: Links }

type Holder = { user: User; accountId: number }

/** `createdAt` is when the new address was asked for. */
type KeptLink = { email: string; createdAt: Date }

export function createKeptEmail({ clock, passwords, links }: Deps) {
  /** The hash of a password that nobody knows. Before the transaction, since hashing takes long. */
  const lockedPassword = async () => await passwords.hash(randomBase62(40))

  /**
   * Ends every token, the password and a second factor that is newer than the request: any of them may be a thief's. The
   * owner gets a link for a new password. Joins the caller's transaction, in which the user is locked.
   */
  async function keep(tx: Database, { user, accountId }: Holder, link: KeptLink, passwordHash: string) {
    const now = clock.now()
    await updateUser(tx, user.id, {
      email: link.email,
      email_verified: true,
      pending_email: null,
      password_hash: passwordHash,
      updated_at: now,
    })
    await deleteLinks(tx, user.id, ['confirm-email', 'new-email', 'release-email', 'invitation'])
    const tokensEnded = await deleteTokens(tx, user.id, null)
    const enabledAt = (await findSecondFactor(tx, user.id))?.enabled_at
    const secondFactorEnded = Boolean(enabledAt && enabledAt > link.createdAt)
    if (secondFactorEnded) await deleteSecondFactor(tx, user.id)
    await links.send(tx, 'reset-password', user.id)
    await recordAudit(tx, {
      accountId,
      at: now,
      action: 'user.email-kept',
      actor: link.email,
      subject: link.email,
      details: { before: user.email, tokensEnded, secondFactorEnded },
    })
  }

  return { lockedPassword, keep }
}
export type KeptEmail = ReturnType<typeof createKeptEmail>
