/**
 * Credit control during a call (D41): before the paid time runs out, more of it is reserved; when there is no credit for
 * more, the call is hung up at its last paid second. The same happens while the database is away, since nothing can be
 * reserved then.
 */
import type { Credit } from '../billing/credit/credit.ts'
import type { CallEvent, VoiceEngine } from '../engine/port.ts'
import type { Clock } from '../kit/clock.ts'
import type { Timer, Timers } from '../kit/timers.ts'

export const extendEverySeconds = 5
/** A call is extended once this little is left: enough for two more attempts. */
const extendBelowSeconds = 15
const extensionSeconds = 60

type PaidCall = {
  accountId: number
  /** Talk time that is paid. */
  seconds: number
  /** When the talk began, in the time of the timers. */
  answeredAt?: number
  cutOff?: Timer
}

type Deps = {
  clock: Clock
  timers: Timers
  credit: Pick<Credit, 'extend'>
  hangUp: VoiceEngine['hangUp']
}

export function createCreditControl({ clock, timers, credit, hangUp }: Deps) {
  const calls = new Map<string, PaidCall>()

  function start(callId: string, accountId: number, seconds: number) {
    calls.set(callId, { accountId, seconds })
  }

  function onEvent(event: CallEvent) {
    const call = calls.get(event.callId)
    if (!call) return
    if (event.type === 'answered') {
      call.answeredAt = timers.now() - Math.max(0, clock.now().getTime() - event.at.getTime())
      scheduleCutOff(event.callId, call)
    } else if (event.type === 'ended') {
      call.cutOff?.cancel()
      calls.delete(event.callId)
    }
  }

  function scheduleCutOff(callId: string, call: PaidCall) {
    call.cutOff?.cancel()
    const left = call.seconds * 1000 - (timers.now() - (call.answeredAt ?? timers.now()))
    call.cutOff = timers.after(Math.max(0, left), () => hangUp(callId, 'ALLOTTED_TIMEOUT'))
  }

  /** Reserves more for every call that will need it before the next tick but one. */
  async function tick() {
    const now = timers.now()
    const requests = [...calls].flatMap(([callId, { accountId, seconds, answeredAt }]) =>
      answeredAt !== undefined && seconds * 1000 - (now - answeredAt) <= extendBelowSeconds * 1000
        ? [{ callId, accountId, talkSeconds: seconds + extensionSeconds }]
        : [],
    )
    for (const [callId, seconds] of await credit.extend(requests)) {
      const call = calls.get(callId)
      if (!call || seconds <= call.seconds) continue
      call.seconds = seconds
      scheduleCutOff(callId, call)
    }
  }

  return { start, onEvent, tick }
}
export type CreditControl = ReturnType<typeof createCreditControl>
