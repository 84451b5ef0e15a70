/** Sound and timers as the state wants them: whatever happened, the effects are the difference between two states. Pure. */
import type { Phone, SessionId } from './phone.ts'
import type { FollowUp, TimerName } from './phone-events.ts'

/** `return`: how long the page tries to come back to a call (D412). */
const timerMs: Record<TimerName, number> = { return: 30_000, retry: 1_000, cause: 6_000 }

export function followUps(before: Phone, after: Phone): FollowUp[] {
  const effects: FollowUp[] = []
  // Before ringing, which may follow it with the same sound and notification.
  const knocking = knockingNumber(after)
  if (knocking !== knockingNumber(before))
    effects.push(knocking === undefined ? { type: 'stopKnocking' } : { type: 'knock', number: knocking })
  const number = ringingNumber(after)
  if (number !== ringingNumber(before))
    effects.push(number === undefined ? { type: 'stopRinging' } : { type: 'ring', number })
  const listened = after.front?.session
  if (listened !== before.front?.session) effects.push({ type: 'listen', session: listened })
  const measured = measuredSession(after)
  if (measured !== measuredSession(before)) effects.push({ type: 'measure', session: measured })
  for (const timer of Object.keys(timerMs) as TimerName[]) {
    const isWanted = wantsTimer(after, timer)
    if (isWanted === wantsTimer(before, timer)) continue
    effects.push(isWanted ? { type: 'startTimer', timer, ms: timerMs[timer] } : { type: 'stopTimer', timer })
  }
  return effects
}

function ringingNumber({ front }: Phone): string | undefined {
  return front?.call.state === 'ringing' ? front.call.number : undefined
}

function knockingNumber({ waiting }: Phone): string | undefined {
  return waiting && !waiting.isIgnored ? waiting.call.number : undefined
}

function measuredSession({ front }: Phone): SessionId | undefined {
  return front?.call.state === 'talking' ? front.session : undefined
}

function wantsTimer({ recovery, lastCause }: Phone, timer: TimerName): boolean {
  if (timer === 'return') return recovery !== undefined
  return timer === 'retry' ? recovery?.stage === 'pausing' : lastCause !== undefined
}
