/**
 * Whether a carrier's address is there: OPTIONS, again and again. Any answer is life, but for 503, by which a carrier
 * says that it takes no calls.
 *
 *   up ──two misses in a row──▶ down ──one answer──▶ up
 */
import type { Timer, Timers } from '../../../kit/timers.ts'
import type { RequestOptions, UserAgent } from '../../sip/dialog/leg.ts'

const missesToGoDown = 2
/** After a miss it is asked again sooner than usual, to know how things stand. */
const secondsAfterMiss = 10

type Settings = {
  userAgent: Pick<UserAgent, 'request'>
  timers: Timers
  asking: Omit<RequestOptions, 'method'>
  everySeconds: number
  changed(up: boolean): void
}

export function createQualify({ userAgent, timers, asking, everySeconds, changed }: Settings) {
  let misses = 0
  let up = true
  let stopped = false
  let timer: Timer | undefined

  async function ask() {
    const answer = await userAgent.request({ ...asking, method: 'OPTIONS' })
    if (stopped) return
    judge(answer !== undefined && answer.status !== 503)
    timer = timers.after(1000 * (misses > 0 ? Math.min(everySeconds, secondsAfterMiss) : everySeconds), begin)
  }

  function judge(alive: boolean) {
    misses = alive ? 0 : misses + 1
    if (alive === up || (up && misses < missesToGoDown)) return
    up = alive
    changed(up)
  }

  const begin = () => void ask()

  if (everySeconds > 0) begin()
  return {
    up: () => up,
    stop() {
      stopped = true
      timer?.cancel()
    },
  }
}
export type Qualify = ReturnType<typeof createQualify>
