/** When a delivery is retried, and when it is given up (D86: ten attempts in 75 hours). */
import { plusSeconds } from '../../kit/clock.ts'

const minute = 60
const hour = 3600

/** Seconds from each failure to the next attempt; the first is made at once, the tenth is the last. */
const retryAfter = [
  5,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
]
/** A share of each wait, added or subtracted at random, so that retries spread. */
const jitter = 0.1
/** The longest wait that a receiver may ask for. */
const maxWait = 24 * hour

/**
 * A paused webhook delays attempts beyond their times. A delivery that fails after having been due for as long as all
 * attempts take is given up.
 */
const maxDue = retryAfter.reduce((sum, seconds) => sum + seconds) * (1 + jitter)

type Failure = {
  attempts: number
  dueSince: Date
  now: Date
  retryAfter: string | null
  random: () => number
}

/** Returns null if there is no next attempt. */
export function nextAttempt({ attempts, dueSince, now, retryAfter: asked, random }: Failure): Date | null {
  const seconds = retryAfter[attempts - 1]
  if (seconds === undefined || isOverdue(dueSince, now)) return null
  const wait = seconds * (1 + jitter * (2 * random() - 1))
  return plusSeconds(now, Math.max(wait, readRetryAfter(asked, now) ?? 0))
}

function isOverdue(dueSince: Date, now: Date): boolean {
  return plusSeconds(dueSince, maxDue) <= now
}

/** A delivery due since before this moment is overdue. */
export function overdueBefore(now: Date): Date {
  return plusSeconds(now, -maxDue)
}

/** `Retry-After` in seconds: a number of them, or a date. */
export function readRetryAfter(value: string | null, now: Date): number | undefined {
  if (value === null) return undefined
  const text = value.trim()
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - now.getTime()) / 1000
  // Date.parse takes more than HTTP dates: text must at least begin like one.
  if (Number.isNaN(seconds) || !/^(\d{1,9}|[A-Z][a-z]{2}.*)$/.test(text)) return undefined
  return Math.min(Math.max(0, seconds), maxWait)
}
