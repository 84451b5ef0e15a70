/**
 * An e-mail address is held by the first user who has it, yet belongs to the person who reads its mail (D143). When somebody
 * else is refused an address whose holder never confirmed it, the address gets a link that releases it.
 */
import { type Clock, plusSeconds } from '../kit/clock.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { Database } from '../store/database.ts'
import type { Links } from './links/links.ts'
import { hasValidLink } from './links/links-store.ts'
import { findUserByEmail, findUserLocked, isOnlyAdminLocked } from './users-store.ts'

/** Who signs up twice within this time is the same person, and has the confirmation mail. */
const sameSignupSeconds = 3600

type Deps = { db: Database; clock: Clock; outbox: Outbox; links: Links }

export function createEmailRelease({ db, clock, outbox, links }: Deps) {
  /** After an address was refused as taken. `accountId` is the account that wanted it, if there is one. */
  async function offer(email: string, accountId: number | undefined) {
    const found = await findUserByEmail(db, email)
    // Within one account its ADMIN removes the user.
    if (!found || found.user.emailVerified || found.accountId === accountId) return
    const isRecent = found.user.createdAt > plusSeconds(clock.now(), -sameSignupSeconds)
    if (!found.active && isRecent) return
    const { id } = found.user
    await db.transaction().execute(async (tx) => {
      const isLastAdmin = await isOnlyAdminLocked(tx, id)
      const holder = await findUserLocked(tx, id)
      if (isLastAdmin || holder?.user.email !== email || holder.user.emailVerified) return
      if (await hasValidLink(tx, id, 'release-email', clock.now())) return
      await links.send(tx, 'release-email', id)
    })
    outbox.wake()
  }

  return { offer }
}
export type EmailRelease = ReturnType<typeof createEmailRelease>
