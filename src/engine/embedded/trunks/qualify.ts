/**
 * Checks periodically, by OPTIONS, whether a carrier responds. Any response counts, except 503, by which a carrier says
 * that it takes no calls.
 *
 *   up ──two misses in a row──▶ down ──one answer──▶ up
 */
import type { Timer, Timers } from '../../../kit/timers.ts'
import type { RequestOptions } from '../../../sip/user-agent/out-of-dialog-request.ts'
import type { UserAgent } from '../../../sip/user-agent/user-agent.ts'

const missesToGoDown = 2
/** After a miss the next check comes sooner than usual. */
const secondsAfterMiss = 10

type Settings = {
  userAgent: Pick<UserAgent, 'request'>
  timers: Timers
  asking: Omit<RequestOptions, 'method'>
  everySeconds: number
  onChanged(up: boolean): void
}

export function createQualify({ userAgent, timers, asking, everySeconds, onChanged }: Settings) {
  let misses = 0
  let up = true
  let stopped = false
  let timer: Timer | undefined

  async function check() {
    const response = await userAgent.request({ ...asking, method: 'OPTIONS' })
    if (stopped) return
    record(response !== undefined && response.status !== 503)
    timer = timers.after(1000 * (misses > 0 ? Math.min(everySeconds, secondsAfterMiss) : everySeconds), begin)
  }

  function record(alive: boolean) {
    misses = alive ? 0 : misses + 1
    if (alive === up || (up && misses < missesToGoDown)) return
    up = alive
    onChanged(up)
  }

  const begin = () => void check()

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
