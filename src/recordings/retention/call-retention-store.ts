/** SQL that removes old calls. Triggers remove their values and correct the counts made of them. */
import { sql } from 'kysely'
import { unprepared } from '../../store/connection/prepared-statements.ts'
import type { Database } from '../../store/database.ts'
import { type RecordedCall, recordedColumns } from '../recordings-store.ts'

/** Accounts with calls that are over and began before. One index look-up each. */
export async function selectAccountsBefore(db: Database, before: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`${sql.raw(unprepared)}
    select accounts.id
    from accounts, lateral (
      select from calls where account_id = accounts.id and started_at < ${before} and ended_at is not null
      order by started_at limit 1) as old
    order by accounts.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Never a live call. */
export async function selectOldest(
  db: Database,
  accountId: number,
  before: Date,
  max: number,
): Promise<RecordedCall[]> {
  return await db
    .selectFrom('calls')
    .select(recordedColumns)
    .where('account_id', '=', accountId)
    .where('started_at', '<', before)
    .where('ended_at', 'is not', null)
    .orderBy('started_at')
    .orderBy('id')
    .limit(max)
    .execute()
}

export async function deleteCalls(db: Database, ids: string[]): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from calls where id = any(${ids}::uuid[]) and ended_at is not null`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
