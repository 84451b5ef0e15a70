/** SQL of the links from which softphones fetch their settings. */
import type { Database } from '../../store/database.ts'

type NewLink = { extensionId: number; hash: Buffer; expiresAt: Date }

/** In place of an older one. False if the extension was deleted meanwhile. */
export async function writeLink(tx: Database, { extensionId, hash, expiresAt }: NewLink): Promise<boolean> {
  const extension = await tx
    .selectFrom('extensions')
    .select('id')
    .where('id', '=', extensionId)
    .forKeyShare()
    .executeTakeFirst()
  if (!extension) return false
  const link = { hash, expires_at: expiresAt }
  await tx
    .insertInto('phone_setup_links')
    .values({ extension_id: extensionId, ...link })
    .onConflict((conflict) => conflict.column('extension_id').doUpdateSet(link))
    .execute()
  return true
}

export async function hasLink(db: Database, hash: Buffer, now: Date): Promise<boolean> {
  const link = await db
    .selectFrom('phone_setup_links')
    .select('extension_id')
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return link !== undefined
}

/** The extension of the link, which works no more; undefined if it is unknown, used or too old. */
export async function takeLink(tx: Database, hash: Buffer, now: Date) {
  const link = await tx
    .deleteFrom('phone_setup_links')
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .returning('extension_id')
    .executeTakeFirst()
  if (!link) return undefined
  return await tx
    .selectFrom('extensions')
    .innerJoin('accounts', 'accounts.id', 'extensions.account_id')
    .select(['extensions.account_id', 'extensions.number', 'extensions.password', 'accounts.domain'])
    .select(['extensions.first_name', 'extensions.last_name'])
    .where('extensions.id', '=', link.extension_id)
    .executeTakeFirst()
}

export async function deleteOldLinks(db: Database, now: Date) {
  await db.deleteFrom('phone_setup_links').where('expires_at', '<=', now).execute()
}
