/** SQL of stored counts of calls. */
import { type RawBuilder, sql } from 'kysely'
import { unprepared } from '../../../store/connection/prepared-statements.ts'
import type { Database } from '../../../store/database.ts'

/** Accounts with at least `minCalls` calls before `upTo` that are not counted yet. */
export async function selectUncounted(db: Database, upTo: Date, minCalls: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select accounts.id
    from accounts, lateral (
      select from calls
      where account_id = accounts.id and started_at < ${upTo} and started_at >= coalesce((
        select max(until) from call_counts where account_id = accounts.id and counted = '*'), '-infinity')
      offset ${minCalls - 1} limit 1) as enough
    order by accounts.id`.execute(db)
  return rows.map(({ id }) => id)
}

export type CountKeys = { numbers: string[]; keys: string[] }

/** Keys of callers with fewer calls in a step get no count: there are many, and those of one call are counted soon. */
export const callerShare = 0.01

/**
 * Numbers and keys for which a count may pay off: those of metadata that occur more than once in the next step, and those
 * of callers (D440) that occur often. The latter are counted by another job while those of earlier calls are missing.
 */
export async function selectCountKeys(
  db: Database,
  accountId: number,
  upTo: Date,
  step: number,
): Promise<CountKeys> {
  const { rows } = await sql<CountKeys>`
    with ahead as materialized (
      select from_number, call_search_keys(account_id, metadata) as keys,
        caller_search_keys(account_id, first_name, last_name, email, caller_number) as caller_keys
      from calls
      where account_id = ${accountId} and started_at < ${upTo} and started_at >= coalesce((
        select max(until) from call_counts where account_id = ${accountId} and counted = '*'), '-infinity')
      order by started_at, id limit ${step}
    )
    select array(select from_number from ahead group by 1 having count(*) > 1) as numbers,
      array(select key::text from ahead, unnest(keys) as key group by key having count(*) > 1)
        || array(select key::text from ahead, unnest(caller_keys) as key
          where key is not null and not exists (
            select from caller_values_missing where account_id = ${accountId})
          group by key having count(*) > ${step * callerShare}::float8) as keys
    ${sql.raw(unprepared)}`.execute(db)
  return rows[0] ?? { numbers: [], keys: [] }
}

/**
 * Until the transaction ends no call of the account is inserted: the triggers on calls take the same lock. Fails with a
 * lock timeout after `maxMs`.
 */
export async function lockCounts(tx: Database, accountId: number, maxMs: number) {
  await sql`set local lock_timeout = ${sql.lit(maxMs)}`.execute(tx)
  await sql`select pg_advisory_xact_lock(72642510, hashint8(${accountId}))`.execute(tx)
}

/**
 * Call `lockCounts` first. Counts about `step` more calls, up to `upTo`, and returns whether there are more. A last count
 * with less than a step is moved on, a full one gets a successor; numbers and keys with few calls get none.
 */
export async function advance(
  tx: Database,
  accountId: number,
  { upTo, step, countKeys }: { upTo: Date; step: number; countKeys: CountKeys },
): Promise<boolean> {
  const { rows } = await sql<{ more: boolean }>`
    with last as materialized (
      select coalesce(max(until), '-infinity') as until
      from call_counts where account_id = ${accountId} and counted = '*'
    ),
    ahead as materialized (
      select started_at from calls
      where account_id = ${accountId} and started_at >= (select until from last) and started_at < ${upTo}
      order by started_at, id limit ${step + 1}
    ),
    -- Calls of one microsecond stay together.
    edge as materialized (
      select case when count(*) <= ${step} then ${upTo}::timestamptz
        else greatest(max(started_at), min(started_at) + interval '1 microsecond') end as until
      from ahead
    ),
    names as (
      select '*' as counted, null as number, null::bigint as key
      union all select '=' || number, number, null from unnest(${countKeys.numbers}::text[]) as number
      union all select '#' || key, null, key from unnest(${countKeys.keys}::bigint[]) as key
    ),
    ${countNames(accountId, step)}
    select until < ${upTo} as more from edge
    ${sql.raw(unprepared)}`.execute(tx)
  return rows[0]?.more ?? false
}

/** Parts of a statement that has `edge` (until) and `names` (counted, number, key): counts each name up to the edge. */
export function countNames(accountId: number, step: number): RawBuilder<unknown> {
  return sql`
    fresh as materialized (
      select names.counted, kept.until, kept.calls, kept.step, case
        when number is not null then (
          select count(*) from calls where account_id = ${accountId} and from_number = names.number
            and started_at >= coalesce(kept.until, '-infinity') and started_at < (select until from edge))
        when key is not null then (
          select count(*) from call_values where key = names.key
            and started_at >= coalesce(kept.until, '-infinity') and started_at < (select until from edge))
        else (
          select count(*) from calls where account_id = ${accountId}
            and started_at >= coalesce(kept.until, '-infinity') and started_at < (select until from edge))
        end as added
      from names left join lateral (
        select until, calls, step from call_counts
        where account_id = ${accountId} and counted = names.counted order by until desc limit 1) as kept on true
    ),
    moved as (
      update call_counts set until = edge.until, calls = call_counts.calls + added, step = call_counts.step + added
      from fresh, edge
      where account_id = ${accountId} and call_counts.counted = fresh.counted and call_counts.until = fresh.until
        and fresh.step < ${step} and added > 0
    ),
    begun as (
      insert into call_counts (account_id, counted, until, calls, step)
      select ${accountId}, counted, edge.until, coalesce(calls, 0) + added, added
      from fresh, edge
      where added > 0 and (step >= ${step} or step is null and (added >= ${step} or counted = '*'))
    )`
}
