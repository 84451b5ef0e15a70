/**
 * Credit control during a call (D41): before the paid time runs out, more of it is reserved; when there is no credit for
 * more, the call is hung up at its last paid second. D208: while the database does not answer, a call goes on for as long
 * as the balance that was known last covers it; what is used then is reserved once the database is back.
 */
import type { Credit, Grant } from '../billing/credit/credit.ts'
import { priceOf, type Rate, secondsFor } from '../billing/tariff/rate.ts'
import type { CallEvent, VoiceEngine } from '../engine/port.ts'
import type { Centavos } from '../kit/text/money.ts'
import type { Timer, Timers } from '../kit/timers.ts'

export const extendEverySeconds = 5
/** A call is extended once this little is left: enough for two more attempts. */
const extendBelowSeconds = 15
const extensionSeconds = 60

type PaidCall = {
  accountId: number
  rate: Rate
  /** Talk time that is reserved. */
  reserved: number
  /** Talk time after which the call is cut off: what is reserved, or more while nothing can be reserved. */
  seconds: number
  /** When the talk began, in the time of the timers. */
  answeredAt?: number
  cutOff?: Timer
}

/** An account with live calls. */
type PayingAccount = {
  /** What it had left when the database answered last, less what was allowed since. */
  available: Centavos
  calls: number
}

type Deps = {
  timers: Timers
  credit: Pick<Credit, 'extend'>
  hangUp: VoiceEngine['hangUp']
}

export function createCreditControl({ timers, credit, hangUp }: Deps) {
  const calls = new Map<string, PaidCall>()
  const accounts = new Map<number, PayingAccount>()

  function start(callId: string, accountId: number, { rate, talkSeconds, available }: Grant) {
    const account = accounts.get(accountId)
    const others = (account?.calls ?? 0) - (calls.has(callId) ? 1 : 0)
    calls.set(callId, { accountId, rate, reserved: talkSeconds, seconds: talkSeconds })
    accounts.set(accountId, { available, calls: others + 1 })
  }

  function onEvent(event: CallEvent) {
    const call = calls.get(event.callId)
    if (!call) return
    if (event.type === 'answered') {
      call.answeredAt = timers.now()
      scheduleCutOff(event.callId, call)
    } else if (event.type === 'ended') {
      call.cutOff?.cancel()
      calls.delete(event.callId)
      leave(call.accountId)
    }
  }

  function leave(accountId: number) {
    const account = accounts.get(accountId)
    if (!account) return
    account.calls -= 1
    if (account.calls === 0) accounts.delete(accountId)
  }

  function scheduleCutOff(callId: string, call: PaidCall) {
    call.cutOff?.cancel()
    const left = call.seconds * 1000 - (timers.now() - (call.answeredAt ?? timers.now()))
    call.cutOff = timers.after(Math.max(0, left), () => {
      if (allow(call)) scheduleCutOff(callId, call)
      else hangUp(callId, 'ALLOTTED_TIMEOUT')
    })
  }

  /**
   * The paid time is over. If the database had answered, `available` would be too little for more; otherwise it is what
   * was known before, and the call may use it.
   */
  function allow(call: PaidCall): boolean {
    const account = accounts.get(call.accountId)
    const available = account?.available ?? 0
    const paid = priceOf(call.rate, call.seconds)
    const seconds = secondsFor(call.rate, paid + available, call.seconds + extensionSeconds)
    if (seconds <= call.seconds) return false
    if (account) account.available = available - (priceOf(call.rate, seconds) - paid)
    call.seconds = seconds
    return true
  }

  /** Reserves more for every call that will need it before the next tick but one, or has used more than is reserved. */
  async function tick() {
    const now = timers.now()
    const requests = [...calls].flatMap(([callId, { accountId, reserved, seconds, answeredAt }]) => {
      if (answeredAt === undefined) return []
      const isShort = seconds * 1000 - (now - answeredAt) <= extendBelowSeconds * 1000
      if (!isShort && seconds <= reserved) return []
      return [{ callId, accountId, talkSeconds: isShort ? seconds + extensionSeconds : seconds }]
    })
    for (const [callId, { talkSeconds, available }] of await credit.extend(requests)) {
      const call = calls.get(callId)
      const account = call && accounts.get(call.accountId)
      if (!account) continue
      account.available = available
      call.reserved = talkSeconds
      if (talkSeconds <= call.seconds) continue
      call.seconds = talkSeconds
      scheduleCutOff(callId, call)
    }
  }

  return { start, onEvent, tick }
}
export type CreditControl = ReturnType<typeof createCreditControl>
