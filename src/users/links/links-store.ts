/** SQL of mailed links, and of links asked for by an address alone. */
import type { Insertable } from 'kysely'
import type { LinkPurpose, RequestedPurpose } from '../../contract/accounts/users.ts'
import type { Database } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'

/** An older link of the user for the same purpose stops working. */
export async function replaceLink(db: Database, link: Insertable<Tables['user_links']>) {
  const { hash, email, token_ref, created_at, expires_at } = link
  await db
    .insertInto('user_links')
    .values(link)
    .onConflict((conflict) =>
      conflict
        .constraint('user_links_newest')
        .doUpdateSet({ hash, email, token_ref: token_ref ?? null, created_at, expires_at }),
    )
    .execute()
}

const columns = ['purpose', 'user_id', 'email', 'token_ref', 'created_at', 'expires_at'] as const

export async function findLink(db: Database, hash: Buffer) {
  return await db.selectFrom('user_links').select(columns).where('hash', '=', hash).executeTakeFirst()
}

/** Deletes the link, since it works only once, and returns what it is for. */
export async function takeLink(db: Database, hash: Buffer, purposes: readonly LinkPurpose[]) {
  return await db
    .deleteFrom('user_links')
    .where('hash', '=', hash)
    .where('purpose', 'in', purposes)
    .returning(columns)
    .executeTakeFirst()
}

export async function hasValidLink(
  db: Database,
  userId: number,
  purpose: LinkPurpose,
  now: Date,
): Promise<boolean> {
  const row = await db
    .selectFrom('user_links')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

export async function deleteLinks(db: Database, userId: number, purposes: readonly LinkPurpose[]) {
  await db.deleteFrom('user_links').where('user_id', '=', userId).where('purpose', 'in', purposes).execute()
}

/** Returns the users whose new e-mail address was not confirmed in time. */
export async function deleteExpiredLinks(db: Database, now: Date): Promise<number[]> {
  const deleted = await db
    .deleteFrom('user_links')
    .where('expires_at', '<', now)
    .returning(['user_id', 'purpose'])
    .execute()
  return deleted.filter(({ purpose }) => purpose === 'new-email').map(({ user_id }) => user_id)
}

export async function insertLinkRequest(db: Database, purpose: RequestedPurpose, email: string, now: Date) {
  await db.insertInto('link_requests').values({ purpose, email, requested_at: now }).execute()
}

/** Deletes the oldest request that no other process is working on, and returns it. */
export async function takeLinkRequest(db: Database) {
  return await db
    .deleteFrom('link_requests')
    .where('id', '=', (requests) =>
      requests.selectFrom('link_requests').select('id').orderBy('id').limit(1).forUpdate().skipLocked(),
    )
    .returning(['purpose', 'email'])
    .executeTakeFirst()
}
