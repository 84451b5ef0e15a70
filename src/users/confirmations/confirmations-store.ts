/** SQL of confirmation links. */
import type { Insertable } from 'kysely'
import type { Database } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'

/** Older links of the user stop working. */
export async function replaceConfirmation(db: Database, confirmation: Insertable<Tables['confirmations']>) {
  await db.deleteFrom('confirmations').where('user_id', '=', confirmation.user_id).execute()
  await db.insertInto('confirmations').values(confirmation).execute()
}

export async function hasValidConfirmation(db: Database, userId: number, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('confirmations')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes the link, since it works only once, and returns what it confirms. */
export async function takeConfirmation(db: Database, hash: Buffer) {
  return await db
    .deleteFrom('confirmations')
    .where('hash', '=', hash)
    .returning(['user_id', 'email', 'expires_at'])
    .executeTakeFirst()
}

export async function deleteExpiredConfirmations(db: Database, now: Date) {
  await db.deleteFrom('confirmations').where('expires_at', '<', now).execute()
}
