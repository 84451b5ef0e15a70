/** SQL of figures about calls (D302). */
import { type RawBuilder, sql } from 'kysely'
import { unprepared } from '../../store/connection/prepared-statements.ts'
import type { Database } from '../../store/database.ts'
import {
  bucketMinutes,
  groupColumns,
  nameOfPart,
  type StatsBy,
  type StatsGroup,
  unitOf,
} from './statistics-sql.ts'

export type StatsRow = {
  /** The beginning of the hour or day, local to the account; or the day and hour of the week. */
  at: string
  group: string | null
  calls: number
  answered: number
  seconds: number
  cost: number
}

export type StatsQuery = {
  accountId: number
  timeZone: string
  from: Date
  to: Date
  by: StatsBy
  group: StatsGroup | undefined
}

const hourMs = 3_600_000

/**
 * Calls that began in the span and are over. D324: whole hours come from figures that were counted ahead, as far as
 * these reach, the rest from the calls. One statement, so that both come from the same snapshot.
 *
 *   from          firstHour                        figuresEnd            to
 *    ├── calls ───────┼─────────── figures ─────────────┼──── calls ─────┤
 */
export async function readStats(db: Database, query: StatsQuery): Promise<StatsRow[]> {
  const { accountId, timeZone, from, to, by, group } = query
  const counted = group === undefined || group === 'outcome' ? 'total' : group
  const firstHour = new Date(Math.min(Math.ceil(from.getTime() / hourMs) * hourMs, to.getTime()))
  const lastHour = new Date(Math.floor(to.getTime() / hourMs) * hourMs)
  const localStart = (column: string) =>
    sql`date_trunc(${unitOf(by)}, ${sql.ref(column)} at time zone ${timeZone})`
  const figuresEnd = sql`(select until from figures_end)`
  const scan = (since: unknown, until: unknown): RawBuilder<unknown> => sql`
    select ${localStart('started_at')} as at, ${groupColumns[counted]} as name, count(*) as calls,
      count(answered_at) as answered, sum(duration) as seconds, coalesce(sum(call_price), 0) as cost
    from calls
    where account_id = ${accountId} and started_at >= ${since} and started_at < ${until} and ended_at is not null
    group by 1, 2`
  const { rows } = await sql<StatsRow>`
    with figures_end as materialized (
      select greatest(${firstHour}::timestamptz, until) as until, minutes
      from (select) as one left join (
        select least(until, ${lastHour}) as until, minutes from call_figure_ends
        where account_id = ${accountId} and minutes <= ${bucketMinutes(sql`${timeZone}`)}) as ends on true
    ),
    -- Local time is computed once for each hour, not for each of its figures. A run: buckets of one period in a row, which
    -- a change of the clocks may interrupt.
    runs as materialized (
      select at, min(began_at) as first, max(began_at) as last
      from (
        select began_at, at, row_number() over (order by began_at) - row_number() over (partition by at order by began_at) as run
        from (
          select began_at, ${localStart('began_at')} as at
          from figures_end, generate_series(${firstHour}::timestamptz, until - interval '1 second',
            make_interval(mins => minutes)) as began_at) as buckets) as numbered
      group by at, run
    )
    select ${nameOfPart(by, 'parts.at')} as at, nullif(name, '') as "group", sum(calls)::float8 as calls,
      sum(answered)::float8 as answered, sum(seconds)::float8 as seconds, sum(cost)::float8 as cost
    from (
      select at, figures.* from runs, lateral (
        select name, sum(calls) as calls, sum(answered) as answered, sum(seconds) as seconds, sum(cost) as cost
        from call_figures
        where account_id = ${accountId} and grouped_by = ${counted} and began_at between first and last
        group by name) as figures
      union all ${scan(from, firstHour)}
      union all ${scan(figuresEnd, to)}
      ${group === 'outcome' ? outcomeParts(query, localStart('calls.started_at')) : sql``}) as parts
    group by 1, name having sum(calls) <> 0 order by 1, nullif(name, '')
    ${sql.raw(unprepared)}`.execute(db)
  return rows
}

/** D594: calls with an outcome move from the group without a name to that of the outcome. */
function outcomeParts({ accountId, from, to }: StatsQuery, at: RawBuilder<unknown>): RawBuilder<unknown> {
  const parts = (name: RawBuilder<unknown>, sign: 1 | -1) => sql`
    union all select ${at} as at, ${name} as name, ${sql.lit(sign)} * count(*) as calls,
      ${sql.lit(sign)} * count(answered_at) as answered, ${sql.lit(sign)} * sum(duration) as seconds,
      ${sql.lit(sign)} * coalesce(sum(call_price), 0) as cost
    from call_results join calls on calls.id = call_results.call_id
    where call_results.account_id = ${accountId} and call_results.outcome is not null
      and call_results.started_at >= ${from} and call_results.started_at < ${to} and ended_at is not null
    group by 1, 2`
  return sql`${parts(sql`call_results.outcome`, 1)} ${parts(sql`''`, -1)}`
}
