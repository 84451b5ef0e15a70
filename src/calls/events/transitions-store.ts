/**
 * SQL that moves calls through their states, many in one statement. The calls are locked first: what an event makes of a
 * call is known before it is written, so that a call is written once for all its events, its end with its price.
 */
import { CompiledQuery } from 'kysely'
import type { CallEvent } from '../../engine/port.ts'
import type { Statements } from '../../store/connection/pipeline.ts'
import { defineUnnest } from '../../store/unnest.ts'
import { snapshotColumns } from '../announcer.ts'
import type { Transition } from '../call.ts'
import { storedKeys } from '../key-history.ts'
import type { EndedEvent, StoredCall, TransferLink } from './call-moves.ts'
import type { CallPrice } from './pricing-store.ts'

/** D14: whole seconds from the destination's answer to the end. */
export const durationSql = (endedAt: string) =>
  `coalesce(greatest(0, floor(extract(epoch from ${endedAt} - calls.answered_at))), 0)`

/** In id order, so no deadlock. */
const lockText = `
  select ${snapshotColumns} from calls where calls.id = any($1::uuid[])
  order by calls.id for no key update`

export async function lockCalls(tx: Statements, ids: string[]): Promise<StoredCall[]> {
  return (await tx.executeQuery<StoredCall>(CompiledQuery.raw(lockText, [ids]))).rows
}

/** A call after its events, and what of it has changed. */
export type CallMove = {
  call: StoredCall
  at: Partial<Record<Transition, Date>>
  end: EndedEvent | undefined
  price: CallPrice | undefined
}

const time = (at: Date | null | undefined) => at?.toISOString() ?? null

/** The ids are always $1, so that `calls.id = any($1)` lets the planner look the calls up by their key. */
const movedCalls = defineUnnest<CallMove>('moved', {
  id: ['uuid', ({ call }) => call.id],
  status: ['text', ({ call }) => call.status],
  ringing_at: ['timestamptz', ({ at }) => time(at.ringing)],
  connecting_at: ['timestamptz', ({ at }) => time(at.extensionAnswered)],
  answered_at: ['timestamptz', ({ at }) => time(at.answered)],
  alive_at: ['timestamptz', ({ at }) => time(at.answered ?? at.extensionAnswered ?? at.ringing)],
  ended_at: ['timestamptz', ({ call }) => time(call.ended_at)],
  duration: ['int', ({ call }) => call.duration],
  cause: ['text', ({ call }) => call.hangup_cause],
  side: ['text', ({ call }) => call.ended_by],
  recording: ['text', ({ call }) => call.recording],
  seconds: ['int', ({ end }) => end?.recording && Math.round(end.recording.seconds)],
  bytes: ['bigint', ({ end }) => end?.recording?.bytes],
  keys: ['jsonb', ({ end }) => storedKeys(end?.keys)],
  quality: ['jsonb', ({ call }) => call.quality && JSON.stringify(call.quality)],
  minute_price: ['bigint', ({ price }) => price?.minutePrice],
  price: ['bigint', ({ price }) => price?.price],
  pricing: ['jsonb', ({ price }) => price?.pricing && JSON.stringify(price.pricing)],
})

/**
 * Only live calls move: they have nothing yet of what an end sets. That they are live is known since they are locked; as a
 * condition it would let the planner read the index of live calls, which is full of dead entries when calls are many.
 */
const moveText = `
  update calls set
    status = moved.status,
    ringing_at = coalesce(moved.ringing_at, calls.ringing_at),
    connecting_at = coalesce(moved.connecting_at, calls.connecting_at),
    answered_at = coalesce(moved.answered_at, calls.answered_at),
    alive_at = greatest(calls.alive_at, moved.alive_at),
    stamped_at = case when moved.alive_at is null then calls.stamped_at else now() end,
    ended_at = moved.ended_at, duration = moved.duration, hangup_cause = moved.cause, ended_by = moved.side,
    recording = moved.recording, recording_seconds = moved.seconds, recording_bytes = moved.bytes,
    keys = moved.keys, quality = moved.quality,
    minute_price = moved.minute_price, call_price = moved.price, pricing = moved.pricing
  from ${movedCalls.text()}
  where calls.id = moved.id and calls.id = any($1::uuid[])`

/** The calls must be locked. */
export async function updateMoved(tx: Statements, moves: CallMove[]) {
  if (moves.length > 0) await tx.executeQuery(CompiledQuery.raw(moveText, movedCalls.values(moves)))
}

type TransferredEvent = Extract<CallEvent, { type: 'transferred' }>

const transferredCalls = defineUnnest<TransferredEvent>('moved', {
  id: ['uuid', ({ callId }) => callId],
  at: ['timestamptz', ({ at }) => time(at)],
  second: ['uuid', ({ to }) => to],
})

/** D282: the second call names the first. A repeated event changes nothing. */
const transferText = `
  update calls set transfer_of = moved.id, transferred_at = moved.at
  from ${transferredCalls.text()}
  where calls.id = moved.second and calls.transferred_at is null
  returning calls.id as transfer_id, calls.to_number as transfer_to`

/** Returns the links made, by the id of the second call. */
export async function linkTransfers(tx: Statements, events: CallEvent[]): Promise<Map<string, TransferLink>> {
  const transfers = events.filter((event): event is TransferredEvent => event.type === 'transferred')
  if (transfers.length === 0) return new Map()
  const query = CompiledQuery.raw(transferText, transferredCalls.values(transfers))
  const { rows } = await tx.executeQuery<TransferLink>(query)
  return new Map(rows.map((link) => [link.transfer_id, link]))
}
