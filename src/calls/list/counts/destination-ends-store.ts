/** SQL of the keys by which calls are found by the end of their destination (D442). */
import { type RawBuilder, sql } from 'kysely'
import { unprepared } from '../../../store/connection/prepared-statements.ts'
import type { Database } from '../../../store/database.ts'
import { missingStep, type Step } from './missing-step-sql.ts'

/** Digits that the key of a call stands for, as in destination_search_key of the database. */
export const keyedDigits = 4

/** Undefined while earlier calls of the account have no keys. */
export async function selectEndKey(
  db: Database,
  accountId: number,
  digits: string,
): Promise<RawBuilder<unknown> | undefined> {
  const { rows } = await sql<{ key: string }>`
    select destination_search_key(${accountId}, ${digits})::text as key
    where not exists (select from destination_ends_missing where account_id = ${accountId})`.execute(db)
  return rows[0] && sql`${rows[0].key}::bigint`
}

/** Call `lockCounts` first. Adds the keys of one step and returns whether there is more. */
export async function addDestinationKeys(tx: Database, work: Step): Promise<boolean> {
  const { accountId } = work
  const table = 'destination_ends_missing'
  const { rows } = await sql<{ hasMore: boolean; isComplete: boolean }>`
    with ${missingStep(table, work)},
    keyed as (
      insert into call_values (key, started_at, call_id)
      select destination_search_key(account_id, to_number), started_at, id from calls
      where account_id = ${accountId} and started_at >= (select done from missing)
        and started_at < (select until from edge)
      on conflict do nothing
    )
    update destination_ends_missing set done = greatest(destination_ends_missing.done, edge.until)
    from edge, missing where account_id = ${accountId}
    returning edge.has_more as "hasMore", missing.settled and not edge.has_more as "isComplete"
    ${sql.raw(unprepared)}`.execute(tx)
  if (rows[0]?.isComplete) await tx.deleteFrom(table).where('account_id', '=', accountId).execute()
  return rows[0]?.hasMore ?? false
}
