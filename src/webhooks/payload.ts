/** The bodies that webhooks are sent, in the wire's spelling (spec §6, D84, D85), composed once when the event happens. */
import type { Charge } from '../billing/charges/charge.ts'
import type { AlertRule } from '../contract/accounts/account-limits.ts'
import type { StoredQuality } from '../contract/calls/call-record.ts'
import type { CallSide, CallStatus, CallType } from '../contract/calls/calls.ts'
import { type Cause, causes } from '../contract/calls/causes.ts'
import type { CallEventType, ChargeEventType, EventType } from '../contract/webhooks/events.ts'
import { appendMember } from '../kit/text/json-text.ts'
import { type Centavos, type MinutePrice, minutePriceToReais, toReais } from '../kit/text/money.ts'

export type CallUpdate = {
  outcome: string | null
  tags: readonly string[]
  notes: string
  revision: number
  /** The uuid of the user. */
  by: string
}

/** An event of a call, with the call as it was then. */
export type CallAnnouncement = {
  type: CallEventType | 'call-updated'
  callId: string
  accountId: number
  domain: string
  /** The user who placed the call; null if no user of the account did. */
  userId: number | null
  userUuid: string | null
  /** The user whose extension it is; null if it belongs to nobody. */
  extensionUserUuid: string | null
  callType: CallType
  /** The extension or, inbound, the number of the remote party. */
  from: string
  to: string
  startedAt: Date
  answeredAt: Date | null
  endedAt: Date | null
  /** Whole seconds (D14). */
  duration: number
  cause: Cause | null
  status: CallStatus
  endedBy: CallSide | null
  /** Null until the call is priced. It may be set until the event is written. */
  price: { minutePrice: MinutePrice; price: Centavos } | null
  recordingUrl: string | null
  /** D284: of each leg, once the call is over. */
  quality?: StoredQuality
  /** D595: what came of the call, after a change. */
  update?: CallUpdate
  /** D283: the call that this one was transferred to, and its destination. */
  transfer?: { id: string; to: string }
  /** JSON as it was sent with the call: no number is read on the way. */
  metadata: string
}

type Account = { uuid: string; domain: string; timeZone: string }

/** A test event looks like one of a call. */
type CallBody = Omit<CallAnnouncement, 'type'> & { type: EventType }

/** Types of a call that is over. */
const final: readonly EventType[] = [
  'channel-hangup',
  'recording-ready',
  'recording-lost',
  'call-updated',
  'test',
]

/** Without the version, which is the integration's. */
export function composeCall(call: CallBody, { uuid, timeZone }: Account, sequence: number): string {
  const local = (moment: Date | null) => (moment ? localTime(moment, timeZone) : '')
  const body = JSON.stringify({
    eventType: call.type,
    id: call.callId,
    domain: call.domain,
    // D1: a call between two extensions of the account counts as outbound.
    direction: call.callType === 'inbound' ? 'inbound' : 'outbound',
    caller: call.from,
    called: call.to,
    startedAt: local(call.startedAt),
    answeredAt: local(call.answeredAt),
    ...(call.transfer && { transferId: call.transfer.id, transferTo: call.transfer.to }),
    ...(final.includes(call.type) && {
      endedAt: local(call.endedAt),
      duration: call.duration,
      hangupCause: call.cause ?? '',
      hangupCauseCode: call.cause ? String(causes[call.cause]) : '',
      recordUrl: call.recordingUrl ?? '',
      // D14: shown as ringing while the destination is dialled.
      status: call.status === 'connecting' ? 'ringing' : call.status,
      endedBy: call.endedBy,
      minutePrice: call.price && minutePriceToReais(call.price.minutePrice),
      callPrice: call.price && toReais(call.price.price),
      ...(call.quality && !call.update && { quality: call.quality }),
    }),
    ...(call.update && presentUpdate(call.update)),
  })
  const rest = JSON.stringify({
    accountUuid: uuid,
    userUuid: call.userUuid,
    extensionUserUuid: call.extensionUserUuid,
    sequence,
    timezone: timeZone,
  })
  return `${appendMember(body, 'metadata', call.metadata).slice(0, -1)},${rest.slice(1)}`
}

function presentUpdate({ by, ...update }: CallUpdate) {
  return { ...update, updatedBy: by }
}

type LowBalance = { id: string; balance: Centavos; at: Date }

/** D125: low balance. */
export function composeLowBalance(
  { id, balance, at }: LowBalance,
  account: Account,
  sequence: number,
): string {
  return JSON.stringify({
    eventType: 'account-low-balance',
    id,
    domain: account.domain,
    balance: toReais(balance),
    currency: 'BRL',
    at: at.toISOString(),
    metadata: {},
    accountUuid: account.uuid,
    sequence,
    timezone: account.timeZone,
  })
}

type AlertBody = {
  id: string
  rule: AlertRule
  message: string
  details: Record<string, unknown>
  at: Date
}

/** D197: alerts. */
export function composeAlert({ at, ...alert }: AlertBody, account: Account, sequence: number): string {
  return JSON.stringify({
    eventType: 'account-alert',
    id: alert.id,
    domain: account.domain,
    rule: alert.rule,
    message: alert.message,
    details: alert.details,
    at: at.toISOString(),
    metadata: {},
    accountUuid: account.uuid,
    sequence,
    timezone: account.timeZone,
  })
}

/** A charge that was paid or refunded. */
export type MovedCharge = {
  charge: Charge
  /** A uuid of the charge. */
  reference: string
  /** After the payment or refund. */
  balance: Centavos
  at: Date
}

type ChargeBody = MovedCharge & { id: string; type: ChargeEventType }

/** D127: payments and refunds. */
export function composeCharge(
  { id, type, charge, balance, at }: ChargeBody,
  account: Account,
  sequence: number,
) {
  return JSON.stringify({
    eventType: type,
    id,
    domain: account.domain,
    chargeId: charge.id,
    amount: toReais(charge.money.amount),
    totalAmount: toReais(charge.money.total),
    paymentMethod: charge.payment.method,
    paidAt: charge.times.paidAt?.toISOString() ?? null,
    refundedAt: charge.times.refundedAt?.toISOString() ?? null,
    refundedAmount: toReais(charge.money.refunded),
    balance: toReais(balance),
    currency: 'BRL',
    at: at.toISOString(),
    metadata: charge.metadata,
    accountUuid: account.uuid,
    sequence,
    timezone: account.timeZone,
  })
}

/** Writes the body as it is sent, from a stored payload. */
export type WriteBody = (payload: string, version: string) => string

/** D209: stored payloads have links without a signature. */
export function createBodyWriter(signPayload: (payload: string) => string): WriteBody {
  return (payload, version) => `{"version":${JSON.stringify(version)},${signPayload(payload).slice(1)}`
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** `YYYY-MM-DD HH:MM:SS` in the time zone. */
export function localTime(moment: Date, timeZone: string): string {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
    formats.set(timeZone, format)
  }
  return format.format(moment)
}
