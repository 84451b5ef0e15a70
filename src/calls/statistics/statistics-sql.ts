/** What statistics and the figures counted ahead for them have in common. */
import { type RawBuilder, sql } from 'kysely'

/** Groups that are known when a call ends. */
type CountedGroup = 'extension' | 'user' | 'cause' | 'direction'

/** D594: an outcome is said later, and may change: no figures are counted ahead for it. */
export type StatsGroup = CountedGroup | 'outcome'

/** The name of a call's group, by what it is grouped by; empty for the total and for calls without a user. */
export const groupColumns: Record<CountedGroup | 'total', RawBuilder<string>> = {
  total: sql`''`,
  // In an inbound call, `to` is the extension.
  extension: sql`case when call_type = 'inbound' then to_number else from_number end`,
  user: sql`coalesce(user_uuid::text, '')`,
  cause: sql`hangup_cause`,
  direction: sql`call_type`,
}

/** D324: an hour, or a quarter of it in zones that are not ahead of UTC by whole hours all year. */
export const bucketMinutes = (timeZone: RawBuilder<unknown>) => sql<number>`case when exists (
  select from generate_series(timestamptz '2020-01-01Z', timestamptz '2040-01-01Z', interval '3 months') as sample (at)
  where extract(minute from (sample.at at time zone ${timeZone}) - (sample.at at time zone 'UTC')) <> 0)
  then 15 else 60 end`

/** Parts of time that statistics are read by: `date_trunc` unit, and how a part is written. */
const parts = {
  hour: { unit: 'hour', format: 'YYYY-MM-DD"T"HH24:MI:SS' },
  day: { unit: 'day', format: 'YYYY-MM-DD"T"HH24:MI:SS' },
  // Monday is 1.
  'hour-of-week': { unit: 'hour', format: 'ID"T"HH24' },
} as const

/** D607: `hour-of-week` puts the same hour of all Mondays together, and so on. */
export type StatsBy = keyof typeof parts

export const unitOf = (by: StatsBy) => sql.lit(parts[by].unit)

export const nameOfPart = (by: StatsBy, column: string) =>
  sql<string>`to_char(${sql.ref(column)}, ${sql.lit(parts[by].format)})`
