import type { Timer, Timers } from '../../kit/timers.ts'

/** Timers A, E and G: runs after `firstMs`, then after twice as long each time, up to `maxMs`, until stopped. */
export function retransmit(timers: Timers, firstMs: number, maxMs: number, run: () => void) {
  let wait = firstMs
  let timer: Timer | undefined = timers.after(wait, again)

  function again() {
    wait = Math.min(2 * wait, maxMs)
    timer = timers.after(wait, again)
    run()
  }

  return {
    /** From the next time on, waits for `maxMs`. */
    slowDown() {
      wait = maxMs
    },
    stop() {
      timer?.cancel()
      timer = undefined
    },
  }
}
export type Retransmission = ReturnType<typeof retransmit>
