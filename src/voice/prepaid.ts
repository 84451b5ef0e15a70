/**
 * Calls that are paid as they go: before the time that is paid for runs out more of it is paid, and when there is no
 * money for more the call is ended at its last paid second (D41). Without the database nothing can be paid, and the
 * same holds.
 */
import type { Credit } from '../billing/credit/credit.ts'
import type { CallEvent, VoiceEngine } from '../engine/port.ts'
import type { Clock } from '../kit/clock.ts'
import type { Timer, Timers } from '../kit/timers.ts'

export const extendEverySeconds = 5
/** Extended when no more than this is left: time for two more tries. */
const leftSeconds = 15
/** By how much. */
const moreSeconds = 60

type Paid = {
  accountId: number
  /** How long may be talked. */
  seconds: number
  /** Since when they talk, in the time of the timers. */
  since?: number
  cutOff?: Timer
}

type Deps = {
  clock: Clock
  timers: Timers
  credit: Pick<Credit, 'extend'>
  hangUp: VoiceEngine['hangUp']
}

export function createPrepaid({ clock, timers, credit, hangUp }: Deps) {
  const calls = new Map<string, Paid>()

  function begin(callId: string, accountId: number, seconds: number) {
    calls.set(callId, { accountId, seconds })
  }

  function hear(event: CallEvent) {
    const call = calls.get(event.callId)
    if (!call) return
    if (event.type === 'answered') {
      call.since = timers.now() - Math.max(0, clock.now().getTime() - event.at.getTime())
      planCutOff(event.callId, call)
    } else if (event.type === 'ended') {
      call.cutOff?.cancel()
      calls.delete(event.callId)
    }
  }

  function planCutOff(callId: string, call: Paid) {
    call.cutOff?.cancel()
    const left = call.seconds * 1000 - (timers.now() - (call.since ?? timers.now()))
    call.cutOff = timers.after(Math.max(0, left), () => hangUp(callId, 'ALLOTTED_TIMEOUT'))
  }

  /** Pays for more of every call that will soon need it. */
  async function tick() {
    const now = timers.now()
    const wishes = [...calls].flatMap(([callId, { accountId, seconds, since }]) =>
      since !== undefined && seconds * 1000 - (now - since) <= leftSeconds * 1000
        ? [{ callId, accountId, talkSeconds: seconds + moreSeconds }]
        : [],
    )
    for (const [callId, seconds] of await credit.extend(wishes)) {
      const call = calls.get(callId)
      if (!call || seconds <= call.seconds) continue
      call.seconds = seconds
      planCutOff(callId, call)
    }
  }

  return { begin, hear, tick }
}
export type Prepaid = ReturnType<typeof createPrepaid>
