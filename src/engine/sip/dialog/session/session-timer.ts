/** Keeps a session's time (RFC 4028, 10): when we refresh it, and when it is over without a sign of life. */
import type { Timer, Timers } from '../../../../kit/timers.ts'
import type { SessionTerms } from './session-terms.ts'

type Deps = { timers: Timers; refresh(): void; expired(): void }

/** What a timer can count, in milliseconds: a longer session is one without end. */
const mostMs = 2 ** 31 - 1

export function createSessionTimer({ timers, refresh, expired }: Deps) {
  let running: Timer[] = []
  let current: SessionTerms | undefined
  let over = false

  function clear() {
    for (const timer of running) timer.cancel()
    running = []
  }

  return {
    /** Begins anew, with every request that refreshed the session. */
    start(terms: SessionTerms | undefined) {
      clear()
      if (over) return
      current = terms
      const ms = (terms?.seconds ?? 0) * 1000
      if (!terms || ms > mostMs) return
      running = [timers.after(ms - Math.min(32_000, ms / 3), expired)]
      if (terms.weRefresh) running.push(timers.after(ms / 2, refresh))
    },
    terms: () => current,
    /** For good: what is answered later begins nothing. */
    stop() {
      over = true
      current = undefined
      clear()
    },
  }
}
export type SessionTimer = ReturnType<typeof createSessionTimer>
