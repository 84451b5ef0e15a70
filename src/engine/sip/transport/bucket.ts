import type { Timers } from '../../../kit/timers.ts'

/** Lets through so many a second, and `burst` at once after a quiet time. */
export function createBucket(timers: Pick<Timers, 'now'>, { perSecond, burst }: Rate) {
  let tokens = burst
  let filledAt = timers.now()

  return function take(): boolean {
    const now = timers.now()
    tokens = Math.min(burst, tokens + ((now - filledAt) * perSecond) / 1000)
    filledAt = now
    if (tokens < 1) return false
    tokens -= 1
    return true
  }
}
export type Rate = { perSecond: number; burst: number }
