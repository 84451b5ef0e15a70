/** Time that passes, handed in so that tests can let it pass at once. */
export type Timer = { cancel(): void }

export type Timers = {
  /** Milliseconds that never go back, whatever happens to the clock on the wall. */
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
