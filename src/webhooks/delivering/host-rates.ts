/**
 * D198: how many attempts a second one account may make at one host, over all its webhooks there, so that hundreds of
 * webhooks with one URL do not flood somebody's server. A token bucket for each account and host, in the memory of each
 * process; attempts beyond it wait, and while one waits no more are claimed for that host.
 */
import type { Timers } from '../../kit/timers.ts'

/** What may be sent at once after a rest, in milliseconds of the rate. */
const burstMs = 2_000
/** Beyond this, buckets that are full are removed. */
const maxBuckets = 10_000

/** When the bucket has paid for all that was taken from it; full if that is long ago. */
export type HostBucket = { paidAt: number }

type Deps = { timers: Timers; perSecond: number }

export function createHostRates({ timers, perSecond }: Deps) {
  const buckets = new Map<string, HostBucket>()

  /** Whatever the port, and with or without the final dot of a fully qualified name: it is the same machine. */
  function of(accountId: number, url: string): HostBucket {
    const host = URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, '') : ''
    const key = `${accountId} ${host}`
    const known = buckets.get(key)
    if (known) return known
    if (buckets.size >= maxBuckets) removeFull()
    const bucket = { paidAt: Number.NEGATIVE_INFINITY }
    buckets.set(key, bucket)
    return bucket
  }

  function removeFull() {
    const full = timers.now() - burstMs
    for (const [key, { paidAt }] of buckets) if (paidAt <= full) buckets.delete(key)
  }

  /** Takes the place of one attempt. Returns the milliseconds until it may begin. */
  function take(bucket: HostBucket): number {
    const now = timers.now()
    const begins = Math.max(bucket.paidAt, now - burstMs)
    bucket.paidAt = begins + 1_000 / perSecond
    return Math.max(0, begins - now)
  }

  return { of, take }
}

/** Whether the next attempt would have to wait. */
export const isUsedUp = ({ paidAt }: HostBucket, now: number) => paidAt > now
