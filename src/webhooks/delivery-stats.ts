/** D621: how the deliveries of a webhook went, by the hour of a day or by the day of some weeks. */
import type { Integrations } from '../integrations/integrations.ts'
import { type Clock, plusSeconds } from '../kit/clock.ts'
import type { Searches } from '../store/searches.ts'
import type { Caller } from '../users/caller.ts'
import { type CountedPeriod, countDeliveries } from './delivery-stats-store.ts'

const hourSeconds = 3_600
const daySeconds = 86_400

type Deps = {
  clock: Clock
  searches: Searches
  integrations: Pick<Integrations, 'find'>
}

export function createDeliveryStats({ clock, searches, integrations }: Deps) {
  /** One day by the hour, more of them by the day; every period, also those without a delivery. */
  async function read(caller: Caller, integrationId: number, days: number) {
    await integrations.find(caller, integrationId)
    const seconds = days === 1 ? hourSeconds : daySeconds
    const to = clock.now()
    const from = plusSeconds(to, -days * daySeconds)
    const counted = await searches.run(caller.accountId, (db) =>
      countDeliveries(db, { integrationId, from, to, seconds }),
    )
    return { from, to, seconds, periods: fillPeriods(counted, { from, to, seconds }) }
  }

  return { read }
}
export type DeliveryStats = ReturnType<typeof createDeliveryStats>

const nothing = { delivered: 0, dead: 0, pending: 0, skipped: 0, medianMs: null, p95Ms: null }

function fillPeriods(
  counted: CountedPeriod[],
  { from, to, seconds }: { from: Date; to: Date; seconds: number },
): CountedPeriod[] {
  const bySince = new Map(counted.map((period) => [period.since.getTime(), period]))
  const periods: CountedPeriod[] = []
  for (let since = from; since < to; since = plusSeconds(since, seconds)) {
    periods.push(bySince.get(since.getTime()) ?? { since, ...nothing })
  }
  return periods
}
