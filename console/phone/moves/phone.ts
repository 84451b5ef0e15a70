/**
 * The phone of a tab as data: the call in front, the one on hold, a second one that rings, and the return to a call that was lost.
 * `phone-moves.ts` says what events make of it.
 *
 *   call in front:  ringing ──▶ connecting ──▶ talking ──▶ (none)
 *                      └────────────┴──▶ (none)  ▲ │          ▲
 *                                                │ ▼ lost     │
 *                                             returning ──────┘
 *
 *   while it is returning:  waiting ──▶ inviting ──▶ answered ──▶ (talking)
 *                             ▲ ▲ pausing ◀─┘            │
 *                             └─┴────────────────────────┘ lost again
 */

import type { EndReason } from './end-reason.ts'

/** The sessions of a tab are counted; the phone knows them by their numbers. */
export type SessionId = number

/** The ids of a leg, as SIP has them. */
export type Dialog = { call_id: string; local_tag: string; remote_tag: string }

/** Why there is no microphone: the person or the browser refused it, there is none, or it cannot be opened. */
export type MicrophoneProblem = 'refused' | 'missing' | 'unusable'

export type PhoneCall = {
  direction: 'in' | 'out'
  /** As the other side is named: a telephone number or an extension. After a transfer, the new party (D641). */
  number: string
  /** The extension that transferred the call to this phone. */
  transferredBy: string | undefined
  /** Id of the call in the API; undefined until it is known. */
  id: string | undefined
  state: 'ringing' | 'connecting' | 'talking' | 'returning'
  /** Milliseconds since the epoch; undefined until somebody answered. */
  answeredAt: number | undefined
  isMuted: boolean
  isHeld: boolean
  /** Undefined until it was measured. */
  quality: 'good' | 'fair' | 'poor' | undefined
}

export type Leg = {
  /** Undefined for a call that is returning and has no session at the moment. */
  session: SessionId | undefined
  /** Undefined until the session is confirmed. */
  dialog: Dialog | undefined
  call: PhoneCall
}

/** A call that can come back: its leg was confirmed. */
export type KeptCall = { dialog: Dialog; call: PhoneCall }

/** D412: the call in front comes back by an INVITE with Replaces. */
export type Recovery = {
  /**
   * `waiting`: no connection. `pausing`: the last INVITE failed. `inviting`: the session in front is the new leg.
   * `answered`: it is confirmed and its sound is awaited.
   */
  stage: 'waiting' | 'pausing' | 'inviting' | 'answered'
  /** Of the leg that the next INVITE replaces. */
  dialog: Dialog
  /** Older legs. They end once a newer one is confirmed: before, the service would take their end for that of the call. */
  broken: SessionId[]
}

/** D601: a second call, which came in while the one in front is talked in. `isIgnored`: neither shown nor heard. */
type WaitingCall = { session: SessionId; call: PhoneCall; isIgnored: boolean }

/** A call that did not come about, or broke off. */
export type FailedCall = { number: string; reason: EndReason }

export type Phone = {
  registration: 'off' | 'connecting' | 'ready' | 'displaced' | 'failed'
  /** What the phone that took the place of this one calls itself. */
  displacedBy: string | undefined
  /** The service can be reached, though the extension may be displaced. */
  isConnected: boolean
  front: Leg | undefined
  /** The call on hold: while a third party is asked whether they take it, or a second call was answered. */
  parked: Leg | undefined
  waiting: WaitingCall | undefined
  /** D602: calls that come in are refused. */
  isUndisturbed: boolean
  /** Set while the call in front is `returning`. */
  recovery: Recovery | undefined
  /** Why the last call ended, in the words of SIP, for a moment. */
  lastCause: string | undefined
  /** D611: why the last call failed, until the person has read it or dials again. */
  failed: FailedCall | undefined
  /** The other side of a call that could not be continued. */
  lostNumber: string | undefined
  /** Why the last try to dial or to answer had no microphone, until the next try. */
  microphone: MicrophoneProblem | undefined
}

export const offPhone: Phone = {
  registration: 'off',
  displacedBy: undefined,
  isConnected: false,
  front: undefined,
  parked: undefined,
  waiting: undefined,
  isUndisturbed: false,
  recovery: undefined,
  lastCause: undefined,
  failed: undefined,
  lostNumber: undefined,
  microphone: undefined,
}

export function newCall(direction: PhoneCall['direction'], number: string): PhoneCall {
  return {
    direction,
    number,
    transferredBy: undefined,
    id: undefined,
    state: direction === 'in' ? 'ringing' : 'connecting',
    answeredAt: undefined,
    isMuted: false,
    isHeld: false,
    quality: undefined,
  }
}
