/**
 * Phones that were displaced by a newer one of the same extension (D76; D157: per extension, not per person). Without this list a displaced phone would take the extension back
 * at its next refresh, the other one likewise, and so on. Its refreshes, which have the same Call-ID, are refused for
 * as long as it keeps sending them. A new Call-ID means that its user acted, for example restarted the phone.
 *
 * Some phones use a new Call-ID whenever they reconnect, and being displaced makes them reconnect. When known phones
 * displace each other more than `freeDisplacements` times, each must wait before its next registration, longer every
 * time; a phone not seen before never waits.
 */
import { isSamePhone, type Phone } from './binding.ts'

const hour = 3_600_000
const minute = 60_000
const freeDisplacements = 3
/** Without a displacement for this long, the count starts again. */
const resetAfter = 30 * minute
const maxWait = 10 * minute
const maxPhonesPerExtension = 4

/** Refreshes are refused until `refusedUntil`, other registrations of the phone until `waitsUntil`. */
type Displaced = { phone: Phone; refusedUntil: number; waitsUntil: number }
type History = { phones: Displaced[]; count: number; lastAt: number }

export function createDisplacedPhones({
  now,
  maxExtensions = 10_000,
}: {
  now(): number
  maxExtensions?: number
}) {
  const histories = new Map<string, History>()

  const historyOf = (key: string): History => histories.get(key) ?? { phones: [], count: 0, lastAt: now() }

  /** `until` is when the displaced registration would have expired. */
  function add(key: string, phone: Phone, until: number) {
    const history = historyOf(key)
    if (now() - history.lastAt > resetAfter) history.count = 0
    history.count += 1
    history.lastAt = now()
    const excess = history.count - freeDisplacements
    const wait = excess > 0 ? Math.min(minute * 2 ** (excess - 1), maxWait) : 0
    addTo(key, history, { phone, refusedUntil: until + hour, waitsUntil: now() + wait })
  }

  /** Displaced before a restart, so only its Call-ID is known. */
  function restore(key: string, callId: string, newer: Phone, until: number) {
    const phone = { ...newer, callId, instance: undefined, contact: '' }
    addTo(key, historyOf(key), { phone, refusedUntil: until + hour, waitsUntil: 0 })
  }

  function addTo(key: string, history: History, displaced: Displaced) {
    const others = history.phones.filter(({ phone }) => phone.callId !== displaced.phone.callId)
    history.phones = [...others, displaced].slice(-maxPhonesPerExtension)
    // The map is kept in order of use; the oldest and the expired are evicted.
    histories.delete(key)
    for (const [oldest, { phones }] of histories) {
      if (histories.size < maxExtensions && phones.some(({ refusedUntil }) => refusedUntil > now())) break
      histories.delete(oldest)
    }
    histories.set(key, history)
  }

  function refuses(key: string, phone: Phone): boolean {
    const history = histories.get(key)
    if (!history) return false
    history.phones = history.phones.filter(({ refusedUntil }) => refusedUntil > now())
    if (history.phones.length === 0) histories.delete(key)
    const refreshing = history.phones.find((one) => one.phone.callId === phone.callId)
    if (refreshing) {
      refreshing.refusedUntil = Math.max(refreshing.refusedUntil, now() + hour)
      return true
    }
    return history.phones.some((one) => one.waitsUntil > now() && isSamePhone(one.phone, phone))
  }

  /** The phone is registered again. */
  function readmit(key: string, callId: string) {
    const history = histories.get(key)
    if (history) history.phones = history.phones.filter(({ phone }) => phone.callId !== callId)
  }

  return {
    add,
    restore,
    refuses,
    readmit,
    forget: (key: string) => void histories.delete(key),
    callIds: (key: string) => histories.get(key)?.phones.map(({ phone }) => phone.callId) ?? [],
    size: () => histories.size,
  }
}
