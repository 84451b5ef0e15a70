/**
 * SQL that moves calls through their states, many in one statement. Every update is guarded by the current state, so
 * that a late or repeated event changes nothing.
 */
import { CompiledQuery } from 'kysely'
import type { Credit } from '../../billing/credit/credit.ts'
import type { CallEvent } from '../../engine/port.ts'
import { wantsType } from '../../integrations/listening-sql.ts'
import type { Database } from '../../store/database.ts'
import { defineUnnest } from '../../store/unnest.ts'
import type { CallAnnouncement } from '../../webhooks/payload.ts'
import { type CallAnnouncer, type CallSnapshot, snapshotColumns } from '../announcer.ts'
import { type Transition, transitions, unansweredStatus } from '../call.ts'
import { storedQuality } from '../call-quality.ts'
import { storedKeys } from '../key-history.ts'
import { priceEnded } from './pricing.ts'

type Transferred = Extract<CallEvent, { type: 'transferred' }>
type Ended = Extract<CallEvent, { type: 'ended' }>

/** D14: whole seconds from the destination's answer to the end. */
export const durationSql = (endedAt: string) =>
  `coalesce(greatest(0, floor(extract(epoch from ${endedAt} - calls.answered_at))), 0)`

/** The ids are always $1, so that `calls.id = any($1)` lets the planner look the calls up by their key. */
const movedCalls = defineUnnest<CallEvent>('moved', {
  id: ['uuid', ({ callId }) => callId],
  at: ['timestamptz', ({ at }) => at.toISOString()],
})
const endedCalls = defineUnnest<Ended>('moved', {
  id: ['uuid', ({ callId }) => callId],
  at: ['timestamptz', ({ at }) => at.toISOString()],
  status: ['text', ({ cause }) => unansweredStatus(cause)],
  cause: ['text', ({ cause }) => cause],
  side: ['text', ({ by }) => (by === 'other' ? 'destination' : by)],
  seconds: ['int', ({ recording }) => (recording ? Math.round(recording.seconds) : null)],
  bytes: ['bigint', ({ recording }) => recording?.bytes ?? null],
  keys: ['jsonb', ({ keys }) => storedKeys(keys)],
  quality: ['jsonb', ({ quality }) => storedQuality(quality)],
})

const transitionTexts = Object.fromEntries(
  Object.entries(transitions).map(([name, { to, from, time }]) => [
    name,
    `update calls
     set status = '${to}', ${time} = moved.at, alive_at = greatest(calls.alive_at, moved.at),
       stamped_at = now()
     from ${movedCalls.text()}
     where calls.id = moved.id and calls.id = any($1::uuid[])
       and calls.status in (${from.map((status) => `'${status}'`).join(', ')})
     returning ${snapshotColumns}`,
  ]),
) as Record<Transition, string>

/**
 * D89: ringing is announced only to webhooks that list it. Calls without one are moved by this single statement; it
 * returns the others, which need a transaction.
 */
const ringText = `
  with asked as (
    select calls.id, moved.at, ${wantsType('calls.account_id', 'channel-ringing')} as listened
    from ${movedCalls.text()} join calls on calls.id = moved.id
    where calls.id = any($1::uuid[])
  ), rung as (
    update calls set status = 'ringing', ringing_at = asked.at, alive_at = greatest(calls.alive_at, asked.at),
      stamped_at = now()
    from asked
    where calls.id = asked.id and calls.id = any($1::uuid[]) and not asked.listened and calls.status = 'queued')
  select id from asked where listened`

const endText = `update calls
  set status = case when calls.answered_at is null then moved.status else 'completed' end,
    ended_at = moved.at, hangup_cause = moved.cause, ended_by = moved.side, duration = ${durationSql('moved.at')},
    recording = case when moved.seconds is not null then 'spooled' end,
    recording_seconds = moved.seconds, recording_bytes = moved.bytes, keys = moved.keys,
    quality = moved.quality
  from ${endedCalls.text()}
  where calls.id = moved.id and calls.id = any($1::uuid[]) and calls.ended_at is null
  returning ${snapshotColumns}`

const transferredCalls = defineUnnest<Transferred>('moved', {
  id: ['uuid', ({ callId }) => callId],
  at: ['timestamptz', ({ at }) => at.toISOString()],
  second: ['uuid', ({ to }) => to],
})

/** D282: the second call names the first, which is returned. A repeated event changes nothing. */
const transferText = `
  with linked as (
    update calls set transfer_of = moved.id, transferred_at = moved.at
    from ${transferredCalls.text()}
    where calls.id = moved.second and calls.transferred_at is null
    returning moved.id as first, calls.id as transfer_id, calls.to_number as transfer_to)
  select ${snapshotColumns}, linked.transfer_id, linked.transfer_to
  from calls join linked on calls.id = linked.first`

/** The event announced to webhooks; that the extension's user picked up is not announced. */
const webhookTypeOf = {
  ringing: 'channel-ringing',
  extensionAnswered: undefined,
  answered: 'channel-answer',
  transferred: 'channel-transfer',
  ended: 'channel-hangup',
} as const

type Deps = { announcer: CallAnnouncer; credit: Pick<Credit, 'settle'> }

/** Events of any number of calls, at most one of each type for a call: one transaction, with prices and announcements. */
export async function storeEvents(db: Database, events: CallEvent[], deps: Deps) {
  if (events.some(({ type }) => type !== 'ringing')) return await storeAndAnnounce(db, events, deps)
  const query = CompiledQuery.raw(ringText, movedCalls.values(events))
  const { rows } = await db.executeQuery<{ id: string }>(query)
  const listened = new Set(rows.map(({ id }) => id))
  if (listened.size > 0) {
    await storeAndAnnounce(
      db,
      events.filter(({ callId }) => listened.has(callId)),
      deps,
    )
  }
}

async function storeAndAnnounce(db: Database, events: CallEvent[], { announcer, credit }: Deps) {
  const kinds = (['ringing', 'extensionAnswered', 'answered', 'transferred', 'ended'] as const)
    .map((kind) => ({ kind, some: events.filter(({ type }) => type === kind) }))
    .filter(({ some }) => some.length > 0)
  const receivers = await db.transaction().execute(async (tx) => {
    const announcements: CallAnnouncement[] = []
    for (const { kind, some } of kinds) {
      const moved = await store(tx, some)
      if (kind === 'ended') await priceEnded(tx, credit, moved)
      const as = webhookTypeOf[kind]
      if (as) announcements.push(...moved.map((call) => announcer.announcementOf(as, call)))
    }
    return await announcer.announce(tx, announcements)
  })
  announcer.publish(receivers)
}

/** Returns the calls whose state changed. */
async function store(db: Database, events: CallEvent[]): Promise<CallSnapshot[]> {
  const ends = events.filter((event): event is Ended => event.type === 'ended')
  const transfers = events.filter((event): event is Transferred => event.type === 'transferred')
  const [first] = events
  const query =
    first && first.type in transitionTexts
      ? CompiledQuery.raw(transitionTexts[first.type as Transition], movedCalls.values(events))
      : transfers.length > 0
        ? CompiledQuery.raw(transferText, transferredCalls.values(transfers))
        : CompiledQuery.raw(endText, endedCalls.values(ends))
  return (await db.executeQuery<CallSnapshot>(query)).rows
}
