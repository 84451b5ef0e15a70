/** SQL of what an account sets for itself. */
import { sql, type Updateable } from 'kysely'
import type { Database } from '../store/database.ts'
import type { Tables } from '../store/tables.ts'

export async function readSettings(db: Database, accountId: number) {
  return await db
    .selectFrom('accounts')
    .select(['time_zone', 'language', 'recording_days', 'default_caller_number', 'call_visibility'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
}

export async function updateSettings(
  tx: Database,
  accountId: number,
  change: Updateable<Tables['accounts']>,
) {
  await tx.updateTable('accounts').set(change).where('id', '=', accountId).execute()
}

/** Newer zones may be missing in the database, which computes local days. */
export async function knowsTimeZone(db: Database, name: string): Promise<boolean> {
  const { rows } = await sql`select from pg_timezone_names where lower(name) = lower(${name})`.execute(db)
  return rows.length > 0
}
