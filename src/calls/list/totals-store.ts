/** Exact totals: from counts made ahead where the filter allows it, else by scanning. */
import { type RawBuilder, sql } from 'kysely'
import type { Condition } from '../../filter/condition.ts'
import type { Database } from '../../store/database.ts'
import { unprepared } from '../../store/prepared-statements.ts'
import { type CountedRange, readCountedRange } from './counted-range.ts'
import { countMatching } from './list-store.ts'
import type { MetadataSearch } from './metadata-search-store.ts'

export async function countCalls(
  db: Database,
  accountId: number,
  where: Condition,
  search?: MetadataSearch,
): Promise<number> {
  const range = readCountedRange(search?.rest ?? where)
  if (!range || (search && range.from)) return await countMatching(db, accountId, where, search)
  if (!search) return await countRange(db, accountId, range)
  const [sure, rest] = await Promise.all([
    countRange(db, accountId, range, search.keys),
    countMatching(db, accountId, where, { ...search, keys: [] }),
  ])
  return sure + rest
}

/** One statement, so that counts and calls come from the same snapshot. */
async function countRange(
  db: Database,
  accountId: number,
  { from, since, before }: CountedRange,
  keys?: readonly string[],
): Promise<number> {
  const by = keys ? byKey : from ? byNumber(accountId) : byAccount(accountId)
  const upto = callsBefore(accountId, by, 'upto')
  const earlier = since.length > 0 ? callsBefore(accountId, by, 'since') : removedCalls(accountId, by)
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(greatest(0, ${upto} - ${earlier})), 0)::bigint as total
    from unnest(${keys ?? from ?? ['']}::text[]) as asked (name),
      (select ${bound('max', since)} as since, ${bound('min', before)} as upto) as ends
    ${sql.raw(unprepared)}`.execute(db)
  return rows[0]?.total ?? 0
}

/** The calls to count, and the name under which their counts are stored. */
type By = { calls: RawBuilder<unknown>; counted: RawBuilder<unknown> }

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

/** Calls that started before an end of the range, or all without one: the last stored count plus those since. */
function callsBefore(accountId: number, by: By, end: 'since' | 'upto'): RawBuilder<unknown> {
  const moment = sql`coalesce(ends.${sql.raw(end)}, 'infinity')`
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
