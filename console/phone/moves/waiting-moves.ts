/** D601: a second call that comes in while another one is talked in, and changing between two calls. Pure. */
import { newCall, type Phone } from './phone.ts'
import type { Effect, SessionEvent, Step } from './phone-events.ts'

/** One at a time, and not while another call is on hold or comes back. */
export function mayWait({ front, parked, waiting, recovery }: Phone): boolean {
  return front?.call.state === 'talking' && !parked && !waiting && !recovery
}

export function wait(
  phone: Phone,
  { session, number, id, transferredBy }: Extract<SessionEvent, { type: 'incoming' }>,
): Phone {
  const call = { ...newCall('in', number), id, transferredBy }
  return { ...phone, waiting: { session, call, isIgnored: false } }
}

/** The call in front waits on hold, as in a consultation. */
export function holdAndAnswer(phone: Phone): Step {
  const { front, waiting } = phone
  if (!waiting || front?.session === undefined) return { phone, effects: [] }
  const { session, call } = waiting
  const next: Phone = {
    ...phone,
    front: { session, dialog: undefined, call: { ...call, state: 'connecting' } },
    parked: front,
    waiting: undefined,
    microphone: undefined,
  }
  return {
    phone: next,
    effects: [
      { type: 'hold', session: front.session },
      { type: 'answer', session },
    ],
  }
}

export function refuseWaiting(phone: Phone): Step {
  return { phone, effects: refusal(phone) }
}

export function refusal({ waiting }: Phone): Effect[] {
  return waiting ? [{ type: 'terminate', session: waiting.session, status: 486 }] : []
}

/** It goes on ringing for who calls, unseen and unheard here. */
export function ignoreWaiting(phone: Phone): Phone {
  return phone.waiting ? { ...phone, waiting: { ...phone.waiting, isIgnored: true } } : phone
}

/** The first call is over: the second one rings as any other, also if it was ignored. */
export function ringWaiting(phone: Phone): Phone {
  const { waiting } = phone
  if (!waiting) return phone
  const { session, call } = waiting
  return { ...phone, front: { session, dialog: undefined, call }, waiting: undefined, lastCause: undefined }
}

export function swap(phone: Phone): Step {
  const { front, parked } = phone
  if (front?.session === undefined || front.call.state !== 'talking') return { phone, effects: [] }
  if (parked?.session === undefined) return { phone, effects: [] }
  const next: Phone = {
    ...phone,
    front: { ...parked, call: { ...parked.call, isHeld: true } },
    parked: front,
  }
  return {
    phone: next,
    effects: [
      { type: 'hold', session: front.session },
      { type: 'unhold', session: parked.session },
    ],
  }
}
