/** SQL of jobs that add keys to calls from before an upgrade, in steps from the oldest call on. */
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../store/database.ts'

/** The account, how far its calls have the keys (`done`), and which calls need none (those since `until`). */
export type MissingTable = 'caller_values_missing' | 'destination_ends_missing'

/** About `step` calls of the account. Calls that began after `upTo` are left for another time. */
export type Step = { accountId: number; step: number; upTo: Date }

export async function selectMissing(db: Database, table: MissingTable): Promise<number[]> {
  const rows = await db.selectFrom(table).select('account_id').orderBy('account_id').execute()
  return rows.map(({ account_id }) => account_id)
}

/** Parts of a statement: `missing` (done, until, settled), and `edge` (until, has_more), where the step ends. */
export function missingStep(table: MissingTable, { accountId, step, upTo }: Step): RawBuilder<unknown> {
  return sql`missing as materialized (
      select done, least(until, ${upTo}::timestamptz) as until, until <= ${upTo}::timestamptz as settled
      from ${sql.table(table)} where account_id = ${accountId}
    ),
    ahead as materialized (
      select started_at from calls
      where account_id = ${accountId} and started_at >= (select done from missing)
        and started_at < (select until from missing)
      order by started_at, id limit ${step + 1}
    ),
    -- Calls of one microsecond stay together.
    edge as materialized (
      select case when count(*) <= ${step} then (select until from missing)
        else greatest(max(started_at), min(started_at) + interval '1 microsecond') end as until,
        count(*) > ${step} as has_more
      from ahead
    )`
}
