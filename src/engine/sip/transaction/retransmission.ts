import type { Timer, Timers } from '../../../kit/timers.ts'

/** Timers A, E and G: runs after `first`, then each time after twice as long, `longest` at most, until stopped. */
export function retransmit(timers: Timers, firstMs: number, maxMs: number, run: () => void) {
  let wait = firstMs
  let timer: Timer | undefined = timers.after(wait, again)

  function again() {
    wait = Math.min(2 * wait, maxMs)
    timer = timers.after(wait, again)
    run()
  }

  return {
    /** As seldom as it may get, from the next time on. */
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
