/** Announces what happened to a call to the webhooks that listen, in the transaction in which it happened. */
import type { StoredQuality } from '../contract/calls/call-record.ts'
import type { CallSide, CallStatus, CallType } from '../contract/calls/calls.ts'
import type { Cause } from '../contract/calls/causes.ts'
import type { CallEventType } from '../contract/webhooks/events.ts'
import type { Statements } from '../store/connection/pipeline.ts'
import type { EventReceiver } from '../webhooks/events-store.ts'
import type { CallAnnouncement, CallUpdate } from '../webhooks/payload.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'
import { sideOf } from './call.ts'
import type { NewCall } from './calls-store.ts'

/** Columns of `calls` that an announcement needs, for the `returning` of statements that move calls. */
export const snapshotColumns = `calls.id, calls.account_id, calls.domain, calls.user_id, calls.user_uuid,
  calls.extension_user_uuid, calls.call_type, calls.from_number, calls.to_number, calls.started_at, calls.answered_at,
  calls.ended_at, calls.duration, calls.hangup_cause, calls.recording, calls.link_version, calls.quality, calls.status,
  calls.ended_by, calls.minute_price, calls.call_price,
  coalesce(calls.metadata_sent, calls.metadata::text) as metadata`

export type CallSnapshot = {
  id: string
  account_id: number
  domain: string
  user_id: number | null
  user_uuid: string | null
  extension_user_uuid: string | null
  call_type: CallType
  from_number: string
  to_number: string
  started_at: Date
  answered_at: Date | null
  ended_at: Date | null
  duration: number
  hangup_cause: Cause | null
  status: CallStatus
  ended_by: CallSide | null
  minute_price: number | null
  call_price: number | null
  recording: string | null
  link_version: number
  quality: StoredQuality | null
  /** D282: of a call that was transferred just now, the call it was transferred to, and whom that called. */
  transfer_id?: string
  transfer_to?: string
  /** JSON as it was sent. */
  metadata: string
}

type Deps = {
  webhooks: Pick<Webhooks, 'announceCalls' | 'prepareCalls' | 'publish'>
  /** Where the recording of a call can be fetched, without the signature, which is not stored; empty without one. */
  unsignedLinkOf: (call: Pick<CallSnapshot, 'id' | 'recording' | 'ended_at' | 'link_version'>) => string
  /** Called after the commit, for those who watch calls live (D298). */
  onChanged?: ((callIds: string[]) => void) | undefined
}

export function createCallAnnouncer({ webhooks, unsignedLinkOf, onChanged }: Deps) {
  function announcementOf(type: CallEventType, call: CallSnapshot): CallAnnouncement {
    return {
      type,
      callId: call.id,
      accountId: call.account_id,
      domain: call.domain,
      userId: call.user_id,
      userUuid: call.user_uuid,
      extensionUserUuid: call.extension_user_uuid,
      callType: call.call_type,
      from: call.from_number,
      to: call.to_number,
      startedAt: call.started_at,
      answeredAt: call.answered_at,
      endedAt: call.ended_at,
      duration: call.duration,
      cause: call.hangup_cause,
      status: call.status,
      endedBy: sideOf(call),
      price: priceOf(call),
      recordingUrl: unsignedLinkOf(call) || null,
      metadata: call.metadata,
      ...(call.quality && { quality: call.quality }),
      ...(call.transfer_id && { transfer: { id: call.transfer_id, to: call.transfer_to ?? '' } }),
    }
  }

  return {
    announcementOf,
    /** D595: a change of what came of the call. */
    updateOf: (call: CallSnapshot, update: CallUpdate): CallAnnouncement => ({
      ...announcementOf('channel-hangup', call),
      type: 'call-updated',
      update,
    }),
    /** Events of one call are announced in the order given. */
    announce: (tx: Statements, announcements: CallAnnouncement[]): Promise<EventReceiver[]> =>
      webhooks.announceCalls(tx, announcements),
    /** `announce` in two steps: reads now, and returns a function that writes. */
    prepare: (tx: Statements, announcements: CallAnnouncement[]): Promise<() => Promise<EventReceiver[]>> =>
      webhooks.prepareCalls(tx, announcements),
    announceNew: (tx: Statements, calls: NewCall[]): Promise<EventReceiver[]> =>
      webhooks.announceCalls(tx, calls.flatMap(beginningOf)),
    /** Call it after the commit. */
    publish: webhooks.publish,
    /** Calls that were stored or moved, whether anybody listens or not. Call it after the commit. */
    changed: (callIds: string[]) => onChanged?.(callIds),
  }
}
export type CallAnnouncer = ReturnType<typeof createCallAnnouncer>

function priceOf({ minute_price, call_price }: CallSnapshot): CallAnnouncement['price'] {
  return minute_price === null || call_price === null
    ? null
    : { minutePrice: minute_price, price: call_price }
}

/** A call that is over as soon as it is stored has two events. */
function beginningOf(call: NewCall): CallAnnouncement[] {
  const begun = {
    callId: call.id,
    accountId: call.profile.accountId,
    domain: call.profile.domain,
    userId: call.user?.id ?? null,
    userUuid: call.user?.uuid ?? null,
    extensionUserUuid: call.profile.ownerUuid,
    callType: call.type,
    from: call.from,
    to: call.to,
    startedAt: call.startedAt,
    answeredAt: null,
    duration: 0,
    status: call.status,
    price: null,
    recordingUrl: null,
    metadata: call.metadata,
  }
  const created: CallAnnouncement = {
    ...begun,
    type: 'channel-create',
    endedAt: null,
    cause: null,
    endedBy: null,
  }
  if (!call.end) return [created]
  const price = { minutePrice: 0, price: 0 }
  const end = { endedAt: call.startedAt, cause: call.end.cause, endedBy: 'service' as const, price }
  return [created, { ...begun, ...end, type: 'channel-hangup' }]
}
