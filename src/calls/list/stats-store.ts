/** SQL of figures about calls. */
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../store/database.ts'

export type StatsBy = 'hour' | 'day'
export type StatsGroup = 'extension' | 'user' | 'cause' | 'direction'

export type StatsRow = {
  /** The beginning of the hour or day, local to the account. */
  at: string
  group: string | null
  calls: number
  answered: number
  seconds: number
  cost: number
}

const groups: Record<StatsGroup, RawBuilder<string | null>> = {
  // Of an inbound call `to` is the extension.
  extension: sql`case when call_type = 'inbound' then to_number else from_number end`,
  user: sql`user_uuid::text`,
  cause: sql`hangup_cause`,
  direction: sql`call_type`,
}

export type StatsQuery = {
  accountId: number
  timeZone: string
  from: Date
  to: Date
  by: StatsBy
  group: StatsGroup | undefined
}

/** Calls that began in the span and are over. */
export async function readStats(db: Database, query: StatsQuery): Promise<StatsRow[]> {
  const { accountId, timeZone, from, to, by, group } = query
  const key = group ? groups[group] : sql<null>`null::text`
  const { rows } = await sql<StatsRow>`
    select to_char(date_trunc(${by}, started_at at time zone ${timeZone}), 'YYYY-MM-DD"T"HH24:MI:SS') as at,
      ${key} as "group",
      count(*)::int as calls,
      count(answered_at)::int as answered,
      coalesce(sum(duration), 0)::float8 as seconds,
      coalesce(sum(call_price), 0)::float8 as cost
    from calls
    where account_id = ${accountId} and started_at >= ${from} and started_at < ${to} and ended_at is not null
    group by 1, 2 order by 1, 2`.execute(db)
  return rows
}
