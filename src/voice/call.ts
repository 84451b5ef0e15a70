/**
 * A call, from the wish to its one end.
 *
 *   queued ──▶ ringing ──▶ connecting ──▶ answered ──▶ completed
 *      └──────────┴─────────────┴──▶ busy │ no_answer │ failed │ cancelled
 *
 * ringing: the extension's phone rings. connecting: its user is there, the destination is being dialled.
 * A call moves to the right only and may leave out steps; what has ended stays as it ended.
 */
import type { CallStatus } from '../contract/calls.ts'
import type { Cause } from '../contract/causes.ts'
import type { CallEvent } from '../engine/port.ts'

/** Each step an event makes: where it leads, from where, and what time it sets. */
export const steps = {
  ringing: { to: 'ringing', from: ['queued'], time: 'ringing_at' },
  extensionAnswered: { to: 'connecting', from: ['queued', 'ringing'], time: 'connecting_at' },
  answered: { to: 'answered', from: ['queued', 'ringing', 'connecting'], time: 'answered_at' },
} as const satisfies Partial<Record<CallEvent['type'], { to: CallStatus; from: CallStatus[]; time: string }>>

export type Step = keyof typeof steps

/** The order in which the events of one call come; progress moves nothing. */
const order: CallEvent['type'][] = ['progress', 'ringing', 'extensionAnswered', 'answered', 'ended']

/** Whether an event tells more than those of the same call that were heard before it: neither late nor repeated. */
export function tellsMore(event: CallEvent, heard: CallEvent[]): boolean {
  const rank = ({ type }: CallEvent) => order.indexOf(type)
  return event.type !== 'progress' && heard.every((earlier) => rank(earlier) < rank(event))
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
