import type { Clock } from '../../src/kit/clock.ts'

/** A clock that stands still until `advance`. */
export function createTestClock(start = '2026-11-15T12:00:00.000Z') {
  let now = new Date(start)
  return {
    now: () => new Date(now),
    advance(seconds: number) {
      now = new Date(now.getTime() + seconds * 1000)
    },
  } satisfies Clock & { advance(seconds: number): void }
}
export const minutes = 60
export const hours = 3600
export const days = 86_400
