import { systemTimers, type Timer, type Timers } from '../../../src/kit/timers.ts'

type Waiting = { due: number; run: () => void; timer: Timer }

/** Timers in real time that a test can advance: what becomes due runs at once. */
export function createFastForwardTimers() {
  const waiting = new Set<Waiting>()
  let ahead = 0
  const now = () => systemTimers.now() + ahead

  function after(ms: number, run: () => void): Timer {
    const one: Waiting = {
      due: now() + ms,
      run() {
        waiting.delete(one)
        run()
      },
      timer: systemTimers.after(ms, () => one.run()),
    }
    waiting.add(one)
    return {
      cancel() {
        waiting.delete(one)
        one.timer.cancel()
      },
    }
  }

  return {
    now,
    after,
    async pass(seconds: number) {
      ahead += seconds * 1000
      for (const one of [...waiting].sort((a, b) => a.due - b.due)) {
        if (one.due > now() || !waiting.has(one)) continue
        one.timer.cancel()
        one.run()
      }
    },
  } satisfies Timers & { pass(seconds: number): Promise<void> }
}
