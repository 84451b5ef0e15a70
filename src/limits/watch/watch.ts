/**
 * Searches the calls of the last ten minutes for what is unusual in an account (D197): many more calls than usual, calls
 * at night of an account that never calls at night, a country that was never called. It runs beside the calls and only
 * informs. Unanswered calls count like any other, so that ringing for nothing is noticed too (D199).
 */
import { type Clock, plusSeconds } from '../../kit/clock.ts'
import { uuidFloor } from '../../kit/ids.ts'
import { countryOf } from '../../kit/text/phone.ts'
import type { Database } from '../../store/database.ts'
import type { Alert } from '../alerts/alert.ts'
import type { Alerts } from '../alerts/alerts.ts'
import {
  type Activity,
  addCountries,
  callsAtNight,
  callsPerActiveSlot,
  recentActivity,
  slotSeconds,
} from './watch-store.ts'

/** Fewer calls than this in ten minutes are never too many. */
const minCalls = 30
const timesUsual = 5
const minNightCalls = 5
const day = 86_400
const usualDays = 7
const nightDays = 14
const usualForMs = 3_600_000
const maxRemembered = 10_000

type Deps = { db: Database; clock: Clock; alerts: Pick<Alerts, 'write' | 'wake'> }

export function createWatch({ db, clock, alerts }: Deps) {
  const usualCalls = new Map<number, { calls: number; until: number }>()

  async function tick() {
    const now = clock.now()
    const since = plusSeconds(now, -slotSeconds)
    for (const activity of await recentActivity(db, uuidFloor(since), now)) {
      await checkCountries(activity, now)
      if (activity.calls >= minCalls) await checkVelocity(activity, since)
      if (activity.nightCalls >= minNightCalls) await checkNight(activity, now)
    }
  }

  async function checkVelocity({ accountId, calls }: Activity, since: Date) {
    const usual = await usualOf(accountId, since)
    if (calls >= timesUsual * usual) await raise(accountId, { rule: 'velocity', calls, usual })
  }

  /** Calls in ten minutes, on average of those with calls in the week before. Counted once an hour. */
  async function usualOf(accountId: number, before: Date): Promise<number> {
    const known = usualCalls.get(accountId)
    if (known && known.until > before.getTime()) return known.calls
    if (usualCalls.size >= maxRemembered) usualCalls.clear()
    const calls = await callsPerActiveSlot(db, accountId, plusSeconds(before, -usualDays * day), before)
    usualCalls.set(accountId, { calls, until: before.getTime() + usualForMs })
    return calls
  }

  async function checkNight({ accountId, nightCalls, nightBegan, timeZone }: Activity, now: Date) {
    const usesNights = await callsAtNight(db, {
      accountId,
      timeZone,
      after: plusSeconds(now, -nightDays * day),
      before: nightBegan,
    })
    if (!usesNights) await raise(accountId, { rule: 'night', calls: nightCalls })
  }

  /** The countries and the alert are stored together: an alert is not lost because the process ended in between. */
  async function checkCountries({ accountId, numbers }: Activity, now: Date) {
    const called = [...new Set(numbers.map(countryOf))].sort()
    if (called.length === 0) return
    await db.transaction().execute(async (tx) => {
      const countries = await addCountries(tx, accountId, called, now)
      if (countries.length > 0) await alerts.write(tx, accountId, { rule: 'new-country', countries })
    })
    alerts.wake()
  }

  async function raise(accountId: number, alert: Alert) {
    const isRaised = await db.transaction().execute((tx) => alerts.write(tx, accountId, alert))
    if (isRaised) alerts.wake()
  }

  return { tick }
}
