/** SQL of figures about the calls that a USER may see (D599). No figures are counted ahead for them: the calls are read. */
import { type RawBuilder, sql } from 'kysely'
import { whereSql } from '../../filter/sql/where-sql.ts'
import { unprepared } from '../../store/connection/prepared-statements.ts'
import type { Database } from '../../store/database.ts'
import { type OwnCalls, ownCondition } from '../visibility/own-calls.ts'
import type { StatsQuery, StatsRow } from './answers-store.ts'
import { groupColumns, nameOfPart, unitOf } from './statistics-sql.ts'

const outcomeOf = sql<string>`(select outcome from call_results where call_results.call_id = calls.id)`

export async function readOwnStats(db: Database, query: StatsQuery, own: OwnCalls): Promise<StatsRow[]> {
  const { accountId, timeZone, from, to, by, group } = query
  const name = group === 'outcome' ? outcomeOf : groupColumns[group ?? 'total']
  // Each from the index on that side.
  const withNumber = (column: 'from_number' | 'to_number'): RawBuilder<unknown> => sql`
    select id from calls
    where account_id = ${accountId} and ${sql.ref(column)} = any(${own.numbers}::text[])
      and started_at >= ${from} and started_at < ${to}`
  const { rows } = await sql<StatsRow>`
    select ${nameOfPart(by, 'own_calls.at')} as at, "group", count(*)::float8 as calls,
      count(answered_at)::float8 as answered, sum(duration)::float8 as seconds,
      coalesce(sum(call_price), 0)::float8 as cost
    from (
      select date_trunc(${unitOf(by)}, started_at at time zone ${timeZone}) as at,
        nullif(${name}, '') as "group", answered_at, duration, call_price
      from calls
      where id in (${withNumber('from_number')} union ${withNumber('to_number')})
        and ended_at is not null and ${whereSql(ownCondition(own))}) as own_calls
    group by 1, "group" order by 1, "group"
    ${sql.raw(unprepared)}`.execute(db)
  return rows
}
