import type { Timers } from '../timers.ts'

type Waiting = { due: number; order: number; run: () => void }

/** Time that stands until it is let pass; what falls due runs in its order, at its moment. */
export function createTestTimers() {
  let now = 0
  let made = 0
  const waiting = new Set<Waiting>()

  function next(until: number): Waiting | undefined {
    let first: Waiting | undefined
    for (const one of waiting) {
      if (one.due > until) continue
      if (!first || one.due < first.due || (one.due === first.due && one.order < first.order)) first = one
    }
    return first
  }

  return {
    now: () => now,
    after(ms: number, run: () => void) {
      const one = { due: now + Math.max(0, ms), order: made++, run }
      waiting.add(one)
      return { cancel: () => void waiting.delete(one) }
    },
    advance(ms: number) {
      const until = now + ms
      for (let one = next(until); one; one = next(until)) {
        now = one.due
        waiting.delete(one)
        one.run()
      }
      now = until
    },
    /** Nothing left to happen: what ended has cleared up after itself. */
    waiting: () => waiting.size,
  } satisfies Timers & { advance(ms: number): void; waiting(): number }
}
export type TestTimers = ReturnType<typeof createTestTimers>
