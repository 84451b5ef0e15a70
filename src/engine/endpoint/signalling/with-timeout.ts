import type { Timers } from '../../../kit/timers.ts'

/** Waits for it, but not for ever: done when it is, however it went, or after `ms`. */
export function patiently(timers: Timers, ms: number, wanted: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const patience = timers.after(ms, resolve)
    const done = () => {
      patience.cancel()
      resolve()
    }
    wanted.then(done, done)
  })
}
