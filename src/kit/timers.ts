/** Time that passes, handed in so that tests can let it pass at once. */
export type Timer = { cancel(): void }

export type Timers = {
  /** Milliseconds that never go back, whatever happens to the clock on the wall. */
  now(): number
  after(ms: number, run: () => void): Timer
}

export const systemTimers: Timers = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return { cancel: () => clearTimeout(timer) }
  },
}
