/** D2: converts SIP statuses and Q.850 reasons into our causes, and back. */
import { type Cause, causes } from '../../../contract/calls/causes.ts'
import type { LegEnd, LegFailure } from '../../../sip/dialog/leg.ts'
import { formatReason } from '../../../sip/headers/reason.ts'
import type { HeaderPairs } from '../../../sip/message/request.ts'

/** The same status means different things from a carrier and from a phone. */
export type Callee = 'phone' | 'carrier'

const byStatus: Record<number, Cause> = {
  401: 'CALL_REJECTED',
  403: 'CALL_REJECTED',
  404: 'UNALLOCATED_NUMBER',
  407: 'CALL_REJECTED',
  408: 'NO_USER_RESPONSE',
  410: 'NUMBER_CHANGED',
  480: 'NO_ANSWER',
  484: 'INVALID_NUMBER_FORMAT',
  486: 'USER_BUSY',
  487: 'ORIGINATOR_CANCEL',
  488: 'INCOMPATIBLE_DESTINATION',
  500: 'NETWORK_OUT_OF_ORDER',
  502: 'DESTINATION_OUT_OF_ORDER',
  503: 'NORMAL_TEMPORARY_FAILURE',
  504: 'RECOVERY_ON_TIMER_EXPIRE',
  600: 'USER_BUSY',
  603: 'CALL_REJECTED',
  604: 'UNALLOCATED_NUMBER',
  606: 'INCOMPATIBLE_DESTINATION',
}

const byCode = new Map<number, Cause>(
  Object.entries(causes).map(([name, code]) => [code, name as Cause] as const),
)

/** Statuses with which a caller is refused; a cause without one is refused with 480. */
const statuses: Partial<Record<Cause, number>> = {
  UNALLOCATED_NUMBER: 404,
  NO_ROUTE_DESTINATION: 404,
  USER_BUSY: 486,
  NO_USER_RESPONSE: 408,
  CALL_REJECTED: 603,
  NUMBER_CHANGED: 410,
  DESTINATION_OUT_OF_ORDER: 502,
  INVALID_NUMBER_FORMAT: 484,
  NORMAL_CIRCUIT_CONGESTION: 503,
  NETWORK_OUT_OF_ORDER: 500,
  NORMAL_TEMPORARY_FAILURE: 503,
  OUTGOING_CALL_BARRED: 403,
  INCOMPATIBLE_DESTINATION: 488,
  RECOVERY_ON_TIMER_EXPIRE: 504,
  ORIGINATOR_CANCEL: 487,
}

/** D2: a Q.850 cause in a Reason header wins over the status, if it is in our table. */
export function causeOfFailure({ status, why, q850 }: LegFailure, callee: Callee): Cause {
  const reason = q850 === undefined ? undefined : byCode.get(q850)
  if (reason) return reason
  if (why === 'cancelled') return 'ORIGINATOR_CANCEL'
  // No response: a phone is gone, or the network to the carrier is broken.
  if (status === undefined) return callee === 'phone' ? 'SUBSCRIBER_ABSENT' : 'NETWORK_OUT_OF_ORDER'
  if (status === 503 && callee === 'carrier') return 'NORMAL_CIRCUIT_CONGESTION'
  return byStatus[status] ?? 'NORMAL_UNSPECIFIED'
}

/** The cause of the end of an answered leg. */
export function causeOfEnd({ why, q850 }: LegEnd): Cause {
  if (why !== 'bye') return 'RECOVERY_ON_TIMER_EXPIRE'
  return (q850 === undefined ? undefined : byCode.get(q850)) ?? 'NORMAL_CLEARING'
}

/** For a callee that answered, and left before its sound could flow. */
export function causeOfEarlyEnd(end: LegEnd): Cause {
  return end.why === 'bye' ? causeOfEnd(end) : 'SUBSCRIBER_ABSENT'
}

export function statusOf(cause: Cause): number {
  return statuses[cause] ?? 480
}

/** Our own causes (above 127) mapped to Q.850; the others are sent as NORMAL_CLEARING. */
const nearest: Partial<Record<Cause, Cause>> = { USER_NOT_REGISTERED: 'SUBSCRIBER_ABSENT' }

export function reasonHeaders(cause: Cause): HeaderPairs {
  const sent = causes[cause] <= 127 ? cause : (nearest[cause] ?? 'NORMAL_CLEARING')
  const code = causes[sent]
  return [['Reason', formatReason({ protocol: 'Q.850', cause: code, text: cause })]]
}
