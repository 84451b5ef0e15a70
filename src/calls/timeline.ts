/** What happened in a call, moment by moment (D317), from what its record keeps. */
import type { CallMoment } from '../contract/calls/call-timeline.ts'
import { sideOf } from './call.ts'
import type { CallDetailRow } from './list/listing.ts'

/** In the order in which they happened. */
export function timelineOf(call: CallDetailRow): CallMoment[] {
  const moments: (CallMoment | undefined)[] = [
    { at: call.started_at.toISOString(), type: 'created' },
    momentAt(call.ringing_at, { type: 'ringing' }),
    momentAt(call.connecting_at, { type: 'extension-answered' }),
    call.transfer_of === null
      ? undefined
      : momentAt(call.transferred_at, { type: 'transfer-received', callId: call.transfer_of }),
    momentAt(call.answered_at, { type: 'answered' }),
    ...(call.keys ?? []).map(({ at, from, to, key }) => ({
      at,
      type: 'key-pressed' as const,
      by: from,
      to,
      key,
    })),
    ...call.transfers.map(({ id, to_number, transferred_at }) =>
      momentAt(transferred_at, { type: 'transferred', to: to_number, callId: id }),
    ),
    momentAt(call.ended_at, {
      type: 'ended',
      ...(call.hangup_cause !== null && { cause: call.hangup_cause }),
      by: sideOf(call) ?? 'service',
    }),
  ]
  return moments.filter((moment) => moment !== undefined).sort((one, other) => compare(one.at, other.at))
}

function momentAt(at: Date | null, what: Omit<CallMoment, 'at'>): CallMoment | undefined {
  return at ? { at: at.toISOString(), ...what } : undefined
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)
