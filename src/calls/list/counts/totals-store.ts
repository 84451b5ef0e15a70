/** Exact totals, and places within a list, from counts made ahead (call-counts.ts). */
import { type RawBuilder, sql } from 'kysely'
import { unprepared } from '../../../store/connection/prepared-statements.ts'
import type { Database } from '../../../store/database.ts'
import type { CountedRange } from './counted-range.ts'

/** One statement, so that counts and calls come from the same snapshot. */
export async function countRange(
  db: Database,
  accountId: number,
  { from, since, before }: CountedRange,
): Promise<number> {
  const by = from ? byNumber(accountId) : byAccount(accountId)
  const upto = callsBefore(accountId, by, sql`coalesce(ends.upto, 'infinity')`)
  const earlier =
    since.length > 0
      ? callsBefore(accountId, by, sql`coalesce(ends.since, 'infinity')`)
      : removedCalls(accountId, by)
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(greatest(0, ${upto} - ${earlier})), 0)::bigint as total
    from unnest(${from ?? ['']}::text[]) as asked (name),
      (select ${bound('max', since)} as since, ${bound('min', before)} as upto) as ends
    ${sql.raw(unprepared)}`.execute(db)
  return rows[0]?.total ?? 0
}

/**
 * Calls with one of the keys. Those of keys without a stored count are counted one by one, and no more than `most` of
 * them: the number is then a lower bound.
 */
export async function countKeys(
  db: Database,
  accountId: number,
  { since, before }: Pick<CountedRange, 'since' | 'before'>,
  { keys, most }: { keys: readonly string[]; most: number },
): Promise<{ calls: number; atLeast: boolean }> {
  const upto = callsBefore(accountId, byKey, sql`ends.upto`)
  const earlier =
    since.length > 0 ? callsBefore(accountId, byKey, sql`ends.since`) : removedCalls(accountId, byKey)
  const { rows } = await sql<{ stored: number; others: number }>`
    with ends as materialized (select coalesce(${bound('max', since)}, '-infinity') as since,
      coalesce(${bound('min', before)}, 'infinity') as upto),
    asked as materialized (select name, (select until from call_counts
      where account_id = ${accountId} and counted = ${byKey.counted} order by until limit 1) is not null as is_stored
      from unnest(${keys}::text[]) as asked (name))
    select (select coalesce(sum(greatest(0, ${upto} - ${earlier})), 0)::bigint
        from asked, ends where is_stored) as stored,
      (select count(*) from (
        select from call_values where key = any(array(select name::bigint from asked where not is_stored))
          and started_at >= (select since from ends) and started_at < (select upto from ends)
        limit ${most}) as looked) as others
    ${sql.raw(unprepared)}`.execute(db)
  const { stored, others } = rows[0] ?? { stored: 0, others: 0 }
  return { calls: stored + others, atLeast: others >= most }
}

/** What is counted: all calls of the account, those of one number or those with one key. */
export type Counted = { from: string } | { key: string } | undefined

export type Edge = {
  /** In the form that a filter has it. */
  at: string
  /** Calls between the place that was asked from and the edge. */
  calls: number
}

type EdgeQuery = {
  counted: Counted
  /** Only calls that started before or, ascending, since then count. */
  from: string
  /** The edge lies before `from`, else after it. */
  descending: boolean
  /** How many calls there should be in between. */
  calls: number
  /** No more than these, else no less. */
  atMost: boolean
}

/** A time, `calls` calls or more away from another: the nearest of those for which a count is stored. */
export async function selectEdge(
  db: Database,
  accountId: number,
  { counted, from, descending, calls, atMost }: EdgeQuery,
): Promise<Edge | undefined> {
  const by = byOf(accountId, counted)
  const name = counted && ('key' in counted ? counted.key : counted.from)
  const away = descending ? sql`here.calls - kept.calls` : sql`kept.calls - here.calls`
  const wanted = descending
    ? sql`(select calls from here) - ${calls}`
    : sql`(select calls from here) + ${calls}`
  // The number of calls before a time grows with it: an index has them in order.
  const isBelow = descending !== atMost
  const { rows } = await sql<Edge>`
    with asked as materialized (select ${name ?? ''}::text as name),
    here as materialized (
      select ${callsBefore(accountId, by, sql`${from}::timestamptz`)} as calls from asked)
    select to_char(kept.until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, ${away} as calls
    from here, asked, lateral (
      select until, calls from call_counts
      where account_id = ${accountId} and counted = ${by.counted} and until > '-infinity'
        and ${descending ? sql`until < ${from}::timestamptz` : sql`until > ${from}::timestamptz`}
        and call_counts.calls ${isBelow ? sql`<=` : sql`>=`} ${wanted}
      order by call_counts.calls ${isBelow ? sql`desc` : sql`asc`} limit 1) as kept
    where ${away} > 0
    ${sql.raw(unprepared)}`.execute(db)
  return rows[0]
}

/** The calls to count, and the name under which their counts are stored. */
type By = { calls: RawBuilder<unknown>; counted: RawBuilder<unknown> }

function byOf(accountId: number, counted: Counted): By {
  if (!counted) return byAccount(accountId)
  return 'key' in counted ? byKey : byNumber(accountId)
}

const byAccount = (accountId: number): By => ({
  calls: sql`calls where account_id = ${accountId}`,
  counted: sql`'*'`,
})
const byNumber = (accountId: number): By => ({
  calls: sql`calls where account_id = ${accountId} and from_number = asked.name`,
  counted: sql`'=' || asked.name`,
})
const byKey: By = {
  calls: sql`call_values where key = asked.name::bigint`,
  counted: sql`'#' || asked.name`,
}

/** Calls that started before a moment: the last stored count plus those since. */
function callsBefore(accountId: number, by: By, moment: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select coalesce(kept.calls, 0) + (
      select count(*) from ${by.calls}
        and started_at >= coalesce(kept.until, '-infinity') and started_at < ${moment})
    from (select) as always left join lateral (
      select until, calls from call_counts
      where account_id = ${accountId} and counted = ${by.counted} and until <= ${moment}
      order by until desc limit 1) as kept on true)`
}

/** D253: removed calls that the stored counts still have. Those before any moment have them too, so they cancel out. */
function removedCalls(accountId: number, { counted }: By): RawBuilder<unknown> {
  return sql`coalesce((select calls from call_counts
    where account_id = ${accountId} and counted = ${counted} and until = '-infinity'), 0)`
}

function bound(pick: 'max' | 'min', bounds: readonly string[]): RawBuilder<unknown> {
  return sql`(select ${sql.raw(pick)}(at) from unnest(${bounds}::timestamptz[]) as bounds (at))`
}
