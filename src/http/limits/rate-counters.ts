/** Counts the requests of each key in fixed windows (D103): a window begins with the first request of its key. */
import type { Clock } from '../../kit/clock.ts'

export type Count = { count: number; resetMs: number }

export type RateCounters = {
  /** Counts a request of this key, as so many as its weight. The same key of two counters counts apart. */
  hit(counter: string, key: string | number, weight?: number): Count | Promise<Count>
  close(): Promise<void>
}

type Window = { count: number; endsAt: number }

/**
 * For one process. Windows that ended are deleted once in a window's length. A map for each counter: its name and the key
 * as one text would be written and hashed anew for each request.
 */
export function createMemoryRateCounters(clock: Clock, windowMs: number): RateCounters {
  const counters = new Map<string, Map<string | number, Window>>()
  let sweptAt = clock.now().getTime()

  function sweep(now: number) {
    sweptAt = now
    for (const windows of counters.values()) {
      for (const [key, window] of windows) if (window.endsAt <= now) windows.delete(key)
    }
  }

  function windowsOf(counter: string) {
    const known = counters.get(counter)
    if (known) return known
    const windows = new Map<string | number, Window>()
    counters.set(counter, windows)
    return windows
  }

  return {
    hit(counter, key, weight = 1) {
      const windows = windowsOf(counter)
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
