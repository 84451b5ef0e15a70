/** Counts the requests of each key in fixed windows (D103): a window begins with the first request of its key. */
import type { Clock } from '../../kit/clock.ts'

export type Count = { count: number; resetMs: number }

export type RateCounters = {
  /** Counts a request of this key, as so many as its weight. */
  hit(key: string, weight?: number): Count | Promise<Count>
  close(): Promise<void>
}

type Window = { count: number; endsAt: number }

/** For one process. Windows that ended are deleted once in a window's length. */
export function createMemoryRateCounters(clock: Clock, windowMs: number): RateCounters {
  const windows = new Map<string, Window>()
  let sweptAt = clock.now().getTime()

  function sweep(now: number) {
    sweptAt = now
    for (const [key, window] of windows) if (window.endsAt <= now) windows.delete(key)
  }

  return {
    hit(key, weight = 1) {
      const now = clock.now().getTime()
      if (now - sweptAt >= windowMs) sweep(now)
      const window = windows.get(key)
      if (window && window.endsAt > now) {
        window.count += weight
        return { count: window.count, resetMs: window.endsAt - now }
      }
      windows.set(key, { count: weight, endsAt: now + windowMs })
      return { count: weight, resetMs: windowMs }
    },
    close: async () => {},
  }
}
