/** What a session reports, and what the person does, with the calls of the phone. Pure. */
import { dialable } from '../../parts/telephone.ts'
import type { EndReason } from './end-reason.ts'
import { type FailedCall, type Leg, newCall, type Phone, type PhoneCall, type SessionId } from './phone.ts'
import type { Effect, SessionEvent, Step } from './phone-events.ts'
import { beginReturn, confirmReturn, endInReturn, isReturning, keptLeg, leaveReturn } from './return-moves.ts'
import { mayWait, ringWaiting, wait } from './waiting-moves.ts'

type Of<Type extends SessionEvent['type']> = Extract<SessionEvent, { type: Type }>

export const still = (phone: Phone, effects: Effect[] = []): Step => ({ phone, effects })

/** Changes the call in front, if that is the one of the session. */
export function changeCall(phone: Phone, session: SessionId, change: Partial<PhoneCall>): Phone {
  const { front } = phone
  return front?.session === session
    ? { ...phone, front: { ...front, call: { ...front.call, ...change } } }
    : phone
}

/** D641: also of the call on hold. */
export function connectTo(phone: Phone, { session, number }: Of<'connectedTo'>): Phone {
  const isParked = phone.parked?.session === session
  const leg = isParked ? phone.parked : phone.front
  if (leg?.session !== session) return phone
  const { call } = leg
  // A dialled number may lack the country, which one with a plus does not.
  const shown = call.direction === 'out' ? dialable(number) : number
  const renamed = { ...leg, call: { ...call, number: shown, transferredBy: undefined } }
  return isParked ? { ...phone, parked: renamed } : { ...phone, front: renamed }
}

function follow(phone: Phone, session: SessionId, call: PhoneCall): Phone {
  return {
    ...phone,
    front: { session, dialog: undefined, call },
    lastCause: undefined,
    failed: undefined,
    lostNumber: undefined,
    microphone: undefined,
  }
}

/** A second call waits (D601), a third one is busy, and so is every one while the person is not to be disturbed (D602). */
export function ring(phone: Phone, event: Of<'incoming'>): Step {
  const { session, number, id, isAnsweredByItself, isPlaced = false, transferredBy } = event
  const isRefused = phone.isUndisturbed && !isPlaced
  if (!isRefused && mayWait(phone)) return still(wait(phone, event))
  if (isRefused || phone.front || phone.registration === 'off')
    return still(phone, [{ type: 'terminate', session, status: 486 }])
  const ringing = follow(phone, session, { ...newCall('in', number), id, transferredBy })
  return isAnsweredByItself ? answer(ringing) : still(ringing)
}

export function answer(phone: Phone): Step {
  const { front } = phone
  if (front?.session === undefined || front.call.state !== 'ringing') return still(phone)
  const { session } = front
  const connecting = changeCall(phone, session, { state: 'connecting' })
  return still({ ...connecting, microphone: undefined }, [{ type: 'answer', session }])
}

/** D400: without a microphone the call goes on ringing, so that it can be answered once there is one. */
export function ringOn(phone: Phone, { session, problem }: Of<'answerFailed'>): Phone {
  const { front } = phone
  if (front?.session !== session || front.call.direction !== 'in' || front.call.state !== 'connecting')
    return phone
  return { ...changeCall(phone, session, { state: 'ringing' }), microphone: problem }
}

export function dial(phone: Phone, number: string, fresh: SessionId): Step {
  const digits = digitsOf(number)
  if (phone.front) return still(phone)
  if (digits === '') return still({ ...phone, failed: { number, reason: 'INVALID_NUMBER_FORMAT' } })
  return still(follow(phone, fresh, newCall('out', digits)), [
    { type: 'dial', session: fresh, number: digits },
  ])
}

/** Attended transfer: holds this call and dials a third party. */
export function consult(phone: Phone, number: string, fresh: SessionId): Step {
  const { front, parked } = phone
  if (front?.session === undefined || front.call.state !== 'talking') return still(phone)
  if (parked || phone.waiting || digitsOf(number) === '') return still(phone)
  const dialled = dial({ ...phone, front: undefined, parked: front }, number, fresh)
  return still(dialled.phone, [{ type: 'hold', session: front.session }, ...dialled.effects])
}

const digitsOf = (number: string) => number.replace(/[^\d+*#]/g, '')

export function connect({ front, parked }: Phone): Effect[] {
  if (front?.session === undefined || parked?.session === undefined) return []
  if (front.call.state !== 'talking') return []
  return [{ type: 'connect', parked: parked.session, talking: front.session }]
}

export function hangUp(phone: Phone): Step {
  if (isReturning(phone)) return leaveReturn(phone)
  const { front } = phone
  if (front?.session === undefined) return still(phone)
  const status = front.call.state === 'ringing' ? 486 : undefined
  return still(phone, [{ type: 'terminate', session: front.session, status }])
}

export function confirm(phone: Phone, { session, dialog, at }: Of<'confirmed'>): Step {
  if (isReturning(phone)) return confirmReturn(phone, session, dialog)
  const { front } = phone
  if (front?.session !== session) return still(phone)
  const answeredAt = front.call.answeredAt ?? at
  return still({
    ...phone,
    front: { ...front, dialog, call: { ...front.call, state: 'talking', answeredAt } },
  })
}

export function end(phone: Phone, event: Of<'over'>): Step {
  if (phone.waiting?.session === event.session) return still({ ...phone, waiting: undefined })
  if (isReturning(phone)) return endInReturn(phone, event.session, event)
  const { front, parked } = phone
  const isParked = parked?.session === event.session
  if (!isParked && front?.session !== event.session) return still(phone)
  const left = isParked
    ? { ...phone, parked: withoutSession(parked) }
    : { ...phone, front: withoutSession(front) }
  const kept = event.by === 'connection' ? keptLeg(left) : undefined
  if (kept) return beginReturn(left, kept, 'pausing')
  if (isParked) return still({ ...phone, parked: undefined })
  const failed = failedCall(front, event.reason)
  if (parked) return unpark({ ...phone, failed }, parked)
  return still(ringWaiting({ ...phone, front: undefined, lastCause: event.cause, failed }))
}

/** A call that came in and was not answered is no failure of this phone. */
function failedCall(front: Leg | undefined, reason: EndReason | undefined): FailedCall | undefined {
  if (!front || reason === undefined) return undefined
  const { direction, state, number } = front.call
  return direction === 'out' || state === 'talking' ? { number, reason } : undefined
}

const withoutSession = (leg: Leg | undefined): Leg | undefined => leg && { ...leg, session: undefined }

function unpark(phone: Phone, parked: Leg): Step {
  const { session } = parked
  const held: Leg = { ...parked, call: { ...parked.call, isHeld: true } }
  const unhold: Effect[] = session === undefined ? [] : [{ type: 'unhold', session }]
  return still({ ...phone, front: held, parked: undefined }, unhold)
}
