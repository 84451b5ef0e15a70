/**
 * A call, from the request to its one end.
 *
 *   queued ──▶ ringing ──▶ connecting ──▶ answered ──▶ completed
 *      └──────────┴─────────────┴──▶ busy │ no_answer │ failed │ cancelled
 *
 * ringing: the extension's phone rings. connecting: its user picked up, the destination is being dialled.
 * A call moves to the right only and may skip states; an end is final.
 */
import type { CallSide, CallStatus } from '../contract/calls/calls.ts'
import type { Cause } from '../contract/calls/causes.ts'
import type { CallEvent } from '../engine/port.ts'

/** The transition that each event makes: the new state, the states it may come from, and the time column it sets. */
export const transitions = {
  ringing: { to: 'ringing', from: ['queued'], time: 'ringing_at' },
  extensionAnswered: { to: 'connecting', from: ['queued', 'ringing'], time: 'connecting_at' },
  answered: { to: 'answered', from: ['queued', 'ringing', 'connecting'], time: 'answered_at' },
} as const satisfies Partial<Record<CallEvent['type'], { to: CallStatus; from: CallStatus[]; time: string }>>

export type Transition = keyof typeof transitions

/** The order of the events of one call; `progress` makes no transition. */
const order: CallEvent['type'][] = [
  'progress',
  'ringing',
  'extensionAnswered',
  'answered',
  'transferred',
  'ended',
]

/** Whether an event comes after all earlier ones of its call: neither late nor repeated. */
export function isNewer(event: CallEvent, earlier: CallEvent[]): boolean {
  const rank = ({ type }: CallEvent) => order.indexOf(type)
  // A call may be transferred several times.
  const isAfter = (one: CallEvent) =>
    rank(one) < rank(event) || (event.type === 'transferred' && one.type === 'transferred')
  return event.type !== 'progress' && earlier.every(isAfter)
}

const unansweredEnds: Partial<Record<Cause, CallStatus>> = {
  USER_BUSY: 'busy',
  NO_ANSWER: 'no_answer',
  NO_USER_RESPONSE: 'no_answer',
  ORIGINATOR_CANCEL: 'cancelled',
}

/** D14: how a call that was never answered ended; an answered one is `completed`, whatever ended it. */
export function unansweredStatus(cause: Cause): CallStatus {
  return unansweredEnds[cause] ?? 'failed'
}

/** D584: who ended a call. D557: of a call which no node took it is not stored. */
export function sideOf(call: { ended_at: Date | null; ended_by: CallSide | null }): CallSide | null {
  return call.ended_at && (call.ended_by ?? 'service')
}
