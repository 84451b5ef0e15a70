import type { SteadyClock } from '../../../src/kit/clock.ts'

/** A clock that stands still until `advance`. */
export function createTestClock(start = '2026-11-15T12:00:00.000Z') {
  let now = new Date(start)
  let elapsed = 0
  /** Sets the clock forward or back: no time elapses. */
  function shift(seconds: number) {
    now = new Date(now.getTime() + seconds * 1000)
  }
  return {
    now: () => new Date(now),
    elapsed: () => elapsed,
    shift,
    advance(seconds: number) {
      shift(seconds)
      elapsed += seconds * 1000
    },
  } satisfies SteadyClock & Record<'advance' | 'shift', (seconds: number) => void>
}
export const minutes = 60
export const hours = 3600
export const days = 86_400
