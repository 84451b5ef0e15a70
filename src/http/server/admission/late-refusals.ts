/**
 * D475: a client that goes on far beyond its rate limit gets its refusals late. Each costs little, but thousands a second
 * cost what others need; a program that waits for its answers sends few when each takes a while.
 */
import type { Timers } from '../../../kit/timers.ts'

/** So many times the limit; a client that heeds Retry-After never gets there. */
const farBeyond = 3
const lateMs = 500
/** Beyond these, refusals come at once: waiting requests use memory. */
const maxWaiting = 2_000

export function createLateRefusals(timers: Timers) {
  let waiting = 0

  /** Rejects late, or throws at once. */
  return function refuseLate(error: Error, count: number, max: number): Promise<never> {
    if (count <= max * farBeyond || waiting >= maxWaiting) throw error
    waiting += 1
    return new Promise((_, reject) => {
      timers.after(lateMs, () => {
        waiting -= 1
        reject(error)
      })
    })
  }
}
