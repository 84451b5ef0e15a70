/** Timers and monotonic time, passed in so that tests can advance them. */
export type Timer = { cancel(): void }

export type Timers = {
  /** Monotonic milliseconds: changes of the system clock do not affect them. */
  now(): number
  after(ms: number, run: () => void): Timer
}

/** Resolves when the promise resolves or rejects, or after `ms`. */
export function withTimeout(timers: Timers, ms: number, promise: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timeout = timers.after(ms, resolve)
    const done = () => {
      timeout.cancel()
      resolve()
    }
    promise.then(done, done)
  })
}

export const systemTimers: Timers = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return { cancel: () => clearTimeout(timer) }
  },
}
