/** SQL that counts the deliveries of a webhook by periods of time (D621). */
import { sql } from 'kysely'
import type { Database } from '../store/database.ts'

export type CountedPeriod = {
  since: Date
  delivered: number
  dead: number
  pending: number
  skipped: number
  medianMs: number | null
  p95Ms: number | null
}

type Counting = { integrationId: number; from: Date; to: Date; seconds: number }

/** Periods without a delivery are left out. */
export async function countDeliveries(
  db: Database,
  { integrationId, from, to, seconds }: Counting,
): Promise<CountedPeriod[]> {
  const counted = (state: string) => sql`count(*) filter (where deliveries.state = ${sql.lit(state)})::int`
  const took = sql`within group (order by (deliveries.tries -> -1 ->> 'ms')::double precision)`
  const { rows } = await sql<CountedPeriod>`
    select date_bin(make_interval(secs => ${seconds}), events.created_at, ${from}::timestamptz) as since,
      ${counted('delivered')} as delivered, ${counted('dead')} as dead, ${counted('pending')} as pending,
      ${counted('skipped')} as skipped,
      percentile_cont(0.5) ${took} as "medianMs", percentile_cont(0.95) ${took} as "p95Ms"
    from deliveries join events on events.id = deliveries.event_id
    where deliveries.integration_id = ${integrationId}
      and events.created_at >= ${from} and events.created_at < ${to}
    group by since order by since`.execute(db)
  return rows
}
