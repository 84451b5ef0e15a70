/** The session timer (RFC 4028, 10): when we refresh the session, and when it expires without a refresh. */
import type { Timer, Timers } from '../../../kit/timers.ts'
import type { SessionTerms } from '../session-terms.ts'

type Deps = { timers: Timers; onRefreshDue(): void; onExpired(): void }

/** The longest timer Node.js has; a longer session never expires. */
const maxMs = 2 ** 31 - 1

export function createSessionTimer({ timers, onRefreshDue, onExpired }: Deps) {
  let running: Timer[] = []
  let current: SessionTerms | undefined
  let stopped = false

  function clear() {
    for (const timer of running) timer.cancel()
    running = []
  }

  return {
    /** To be called for every request that refreshes the session. */
    start(terms: SessionTerms | undefined) {
      clear()
      if (stopped) return
      current = terms
      const ms = (terms?.seconds ?? 0) * 1000
      if (!terms || ms > maxMs) return
      running = [timers.after(ms - Math.min(32_000, ms / 3), onExpired)]
      if (terms.weRefresh) running.push(timers.after(ms / 2, onRefreshDue))
    },
    terms: () => current,
    /** For good: later calls of `start` do nothing. */
    stop() {
      stopped = true
      current = undefined
      clear()
    },
  }
}
export type SessionTimer = ReturnType<typeof createSessionTimer>
