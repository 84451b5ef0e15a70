/** SQL over the calls of accounts, for the search for what is unusual. */
import { sql } from 'kysely'
import type { Database } from '../../store/database.ts'

export const slotSeconds = 600
/** Local hours before this are night. */
const morning = 6

export type Activity = {
  accountId: number
  timeZone: string
  /** Calls to the outside. */
  calls: number
  nightCalls: number
  /** The last midnight in the account's time zone. */
  nightBegan: Date
  /** Numbers outside Brazil. */
  numbers: string[]
}

/** Accounts with calls to the outside since an id; ids are in order of time. */
export async function recentActivity(db: Database, sinceId: string, now: Date): Promise<Activity[]> {
  const { rows } = await sql<Activity>`
    select a.id as "accountId", a.time_zone as "timeZone", count(*)::int as calls,
      count(*) filter (where extract(hour from c.started_at at time zone a.time_zone) < ${morning})::int as "nightCalls",
      date_trunc('day', ${now}::timestamptz at time zone a.time_zone) at time zone a.time_zone as "nightBegan",
      coalesce(array_agg(distinct c.to_number) filter (where c.to_number not like '55%'), '{}') as numbers
    from calls c join accounts a on a.id = c.account_id
    where c.id >= ${sinceId}::uuid and c.call_type = 'outbound'
    group by a.id`.execute(db)
  return rows
}

/** How many calls to the outside ten minutes have on average, of those that have any; 0 if none have. */
export async function callsPerActiveSlot(
  db: Database,
  accountId: number,
  after: Date,
  before: Date,
): Promise<number> {
  const { rows } = await sql<{ usual: number }>`
    select coalesce(round(count(*)::numeric
      / nullif(count(distinct floor(extract(epoch from started_at) / ${slotSeconds})), 0)), 0)::int as usual
    from calls
    where account_id = ${accountId} and call_type = 'outbound'
      and started_at >= ${after}::timestamptz and started_at < ${before}::timestamptz`.execute(db)
  return rows[0]?.usual ?? 0
}

type Nights = { accountId: number; timeZone: string; after: Date; before: Date }

/** Whether the account called outside between midnight and morning. */
export async function callsAtNight(
  db: Database,
  { accountId, timeZone, after, before }: Nights,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from calls
    where account_id = ${accountId} and call_type = 'outbound'
      and started_at >= ${after}::timestamptz and started_at < ${before}::timestamptz
      and extract(hour from started_at at time zone ${timeZone}) < ${morning}
    limit 1`.execute(db)
  return rows.length > 0
}

/** Returns those that the account had not called before. */
export async function addCountries(
  tx: Database,
  accountId: number,
  countries: string[],
  at: Date,
): Promise<string[]> {
  const rows = await tx
    .insertInto('called_countries')
    .values(countries.map((country) => ({ account_id: accountId, country, called_at: at })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('country')
    .execute()
  return rows.map(({ country }) => country)
}
