/** Sends links by mail, and finds and takes the links that people come back with. */
import type { LinkPurpose } from '../../contract/accounts/users.ts'
import { type Clock, plusSeconds } from '../../kit/clock.ts'
import { randomBase62 } from '../../kit/ids.ts'
import type { Outbox } from '../../mail/outbox.ts'
import type { Database } from '../../store/database.ts'
import type { Callers } from '../tokens/callers.ts'
import { clearPendingEmails, findAddressee } from '../users-store.ts'
import { hashLinkToken, linkSeconds, linkTokenLength, setsPassword } from './link.ts'
import { linkMail } from './link-mails.ts'
import { deleteExpiredLinks, findLink, replaceLink, takeLink } from './links-store.ts'

type Deps = {
  db: Database
  clock: Clock
  outbox: Outbox
  callers: Callers
  /** Where links lead, without their token. */
  pages: { confirm: () => string; setPassword: () => string }
}

type Options = {
  /** The address it is mailed to, if it is not the user's. */
  email?: string
  /** The access token that goes on working after a new e-mail is confirmed. */
  tokenRef?: string
}

export function createLinks({ db, clock, outbox, callers, pages }: Deps) {
  /** Joins the caller's transaction; wake the outbox after the commit. */
  async function send(tx: Database, purpose: LinkPurpose, userId: number, options: Options = {}) {
    const addressee = await findAddressee(tx, userId)
    const email = options.email ?? addressee.email
    const token = randomBase62(linkTokenLength)
    const now = clock.now()
    await replaceLink(tx, {
      hash: hashLinkToken(token) as Buffer,
      purpose,
      user_id: userId,
      email,
      token_ref: options.tokenRef ?? null,
      created_at: now,
      expires_at: plusSeconds(now, linkSeconds[purpose]),
    })
    const page = setsPassword(purpose) ? pages.setPassword() : pages.confirm()
    await outbox.post(tx, linkMail(purpose, { ...addressee, email }, `${page}?token=${token}`))
  }

  /** What the link is for, without using it up; undefined if it no longer works. */
  async function find<P extends LinkPurpose>(handle: Database, token: string, purposes: readonly P[]) {
    const hash = hashLinkToken(token)
    return hash && asValid(await findLink(handle, hash), purposes)
  }

  /** Uses the link up. Lock its user first, in the same order as the removal of a user, so that there is no deadlock. */
  async function take<P extends LinkPurpose>(tx: Database, token: string, purposes: readonly P[]) {
    const hash = hashLinkToken(token)
    return hash && asValid(await takeLink(tx, hash, purposes), purposes)
  }

  function asValid<P extends LinkPurpose>(row: Awaited<ReturnType<typeof findLink>>, purposes: readonly P[]) {
    const purpose = purposes.find((one) => one === row?.purpose)
    if (!row || !purpose || row.expires_at <= clock.now()) return undefined
    return {
      purpose,
      userId: row.user_id,
      email: row.email,
      tokenRef: row.token_ref,
      createdAt: row.created_at,
    }
  }

  async function sweep() {
    const users = await db.transaction().execute(async (tx) => {
      const expired = await deleteExpiredLinks(tx, clock.now())
      if (expired.length > 0) await clearPendingEmails(tx, expired)
      for (const userId of expired) await callers.announceChange(tx, userId)
      return expired
    })
    for (const userId of users) callers.forget(userId)
  }

  return { send, find, take, sweep }
}
export type Links = ReturnType<typeof createLinks>
