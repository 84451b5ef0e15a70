/**
 * D412: a call whose connection or path of sound was lost comes back by an INVITE with Replaces (D318), sent whenever the phone
 * is connected, until its sound flows again. The service refuses if the call is over. Pure.
 */
import type { Dialog, KeptCall, Leg, Phone, Recovery, SessionId } from './phone.ts'
import type { Effect, OverEvent, Step } from './phone-events.ts'
import { refusal } from './waiting-moves.ts'

type ReturningPhone = Phone & { front: Leg; recovery: Recovery }

export const isReturning = (phone: Phone): phone is ReturningPhone =>
  phone.front !== undefined && phone.recovery !== undefined

/** The connection of a call, or the path of its sound, broke. */
export function lose(phone: Phone, fresh: SessionId): Step {
  if (isReturning(phone)) return tryAgain(phone, fresh)
  const kept = keptLeg(phone)
  if (kept) return thenInvite(beginReturn(phone, kept, 'waiting'), fresh)
  return { phone, effects: terminate(phone.front?.session) }
}

/** If there are two calls, the one on hold: its other side did not choose to be left. */
export function keptLeg({ front, parked }: Phone): (Leg & KeptCall) | undefined {
  const leg = parked ?? front
  return leg?.dialog && leg.call.state === 'talking' ? { ...leg, dialog: leg.dialog } : undefined
}

export function beginReturn(phone: Phone, kept: Leg & KeptCall, stage: 'waiting' | 'pausing'): Step {
  const { session, dialog, call } = kept
  const other = phone.parked && phone.front?.session
  const front: Leg = { session, dialog, call: { ...call, state: 'returning', quality: undefined } }
  return {
    phone: {
      ...phone,
      front,
      parked: undefined,
      waiting: undefined,
      recovery: { stage, dialog, broken: [] },
    },
    effects: [...terminate(other), ...refusal(phone)],
  }
}

function thenInvite(step: Step, fresh: SessionId): Step {
  const { phone, effects } = inviteIfPossible(step.phone, fresh)
  return { phone, effects: [...step.effects, ...effects] }
}

export function inviteIfPossible(phone: Phone, fresh: SessionId): Step {
  if (!isReturning(phone) || !phone.isConnected || isUnderWay(phone.recovery)) return { phone, effects: [] }
  const { front, recovery } = phone
  const broken = front.session === undefined ? recovery.broken : [...recovery.broken, front.session]
  const next: Phone = {
    ...phone,
    front: { ...front, session: fresh },
    recovery: { ...recovery, stage: 'inviting', broken },
    lastCause: undefined,
    failed: undefined,
    lostNumber: undefined,
    microphone: undefined,
  }
  return { phone: next, effects: [{ type: 'return', session: fresh, dialog: recovery.dialog }] }
}

const isUnderWay = ({ stage }: Recovery) => stage === 'inviting' || stage === 'answered'

/** The INVITE that is under way leads nowhere: it went over a connection that is lost, or its sound broke off. */
function tryAgain(phone: ReturningPhone, fresh: SessionId): Step {
  const { front, recovery } = phone
  const isUnanswered = recovery.stage === 'inviting'
  const next: Phone = {
    ...phone,
    front: isUnanswered ? { ...front, session: undefined } : front,
    recovery: { ...recovery, stage: 'waiting' },
  }
  return thenInvite({ phone: next, effects: isUnanswered ? terminate(front.session) : [] }, fresh)
}

/** The moment after an INVITE that failed is over. */
export function endPause(phone: Phone, fresh: SessionId): Step {
  if (phone.recovery?.stage !== 'pausing') return { phone, effects: [] }
  return inviteIfPossible({ ...phone, recovery: { ...phone.recovery, stage: 'waiting' } }, fresh)
}

/** The leg is the call's now; the call is back once it has sound. */
export function confirmReturn(phone: ReturningPhone, session: SessionId, dialog: Dialog): Step {
  const { front, recovery } = phone
  if (recovery.stage !== 'inviting' || front.session !== session) return { phone, effects: [] }
  const hold: Effect[] = front.call.isHeld ? [{ type: 'hold', session }] : []
  return {
    phone: { ...phone, front: { ...front, dialog }, recovery: { stage: 'answered', dialog, broken: [] } },
    effects: [...hold, ...recovery.broken.flatMap(terminate)],
  }
}

export function finishReturn(phone: Phone, session: SessionId): Phone {
  if (!isReturning(phone) || phone.recovery.stage !== 'answered' || phone.front.session !== session)
    return phone
  const { front } = phone
  return { ...phone, front: { ...front, call: { ...front.call, state: 'talking' } }, recovery: undefined }
}

/** A session of the call that is returning ended. */
export function endInReturn(phone: ReturningPhone, session: SessionId, { by }: OverEvent): Step {
  const { front, recovery } = phone
  if (recovery.broken.includes(session)) {
    const broken = recovery.broken.filter((one) => one !== session)
    return { phone: { ...phone, recovery: { ...recovery, broken } }, effects: [] }
  }
  if (front.session !== session) return { phone, effects: [] }
  const withoutLeg: ReturningPhone = { ...phone, front: { ...front, session: undefined } }
  if (!isUnderWay(recovery)) return { phone: withoutLeg, effects: [] }
  if (by === 'service') return giveUp(withoutLeg)
  return { phone: { ...withoutLeg, recovery: { ...recovery, stage: 'pausing' } }, effects: [] }
}

/** The call is over: the service refused, or the time is up. */
export function giveUp(phone: ReturningPhone): Step {
  const { phone: left, effects } = leaveReturn(phone)
  return { phone: { ...left, lostNumber: phone.front.call.number }, effects }
}

/** The other side is not left waiting for a phone that does not come back. */
export function leaveReturn(phone: ReturningPhone): Step {
  const { front, recovery } = phone
  const { id } = front.call
  const hangUp: Effect[] = id === undefined ? [] : [{ type: 'hangUpAtService', id }]
  const sessions = [...recovery.broken, front.session]
  return {
    phone: { ...phone, front: undefined, recovery: undefined },
    effects: [...sessions.flatMap(terminate), ...hangUp],
  }
}

function terminate(session: SessionId | undefined): Effect[] {
  return session === undefined ? [] : [{ type: 'terminate', session, status: undefined }]
}
