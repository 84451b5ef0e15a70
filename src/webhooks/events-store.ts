/** SQL of events and of their deliveries: written together, removed by month. */
import { sql } from 'kysely'
import { type EventSubject, type EventType, isForAdmins } from '../contract/events.ts'
import { fromIntegrations, joinReceivers, listedTypes } from '../integrations/listening-sql.ts'
import type { Database } from '../store/database.ts'
import { unprepared } from '../store/prepared-statements.ts'
import { defineUnnest } from '../store/unnest.ts'

export type AccountFacts = {
  id: number
  uuid: string
  domain: string
  timeZone: string
  /** Event types that its webhooks list. */
  listed: string[]
}

/** The events of a stream so far. */
type StreamFacts = { id: string; last: number; types: string[] }

type Asked = { accountIds: number[]; streamIds: string[]; types: EventType[] }

/** One statement for accounts and streams: it runs for every event of a call. */
export async function readFacts(tx: Database, { accountIds, streamIds, types }: Asked) {
  const forAdmins = types.filter(isForAdmins)
  const { rows } = await sql<{ accounts: AccountFacts[] | null; streams: StreamFacts[] | null }>`
    select
      (select json_agg(json_build_object('id', a.id, 'uuid', a.uuid, 'domain', a.domain, 'timeZone', a.time_zone,
          'listed', ${sql.raw(listedTypes('a.id', 'asked.for_admins'))}))
        from accounts a, (select ${forAdmins}::text[] as for_admins) as asked
        where a.id = any(${accountIds}::bigint[])) as accounts,
      (select json_agg(json_build_object('id', stream.call_id, 'last', stream.last, 'types', stream.types))
        from (select call_id, max(sequence) as last, array_agg(kind) as types from events
          where call_id = any(${streamIds}::uuid[]) group by call_id) stream) as streams
  `.execute(tx)
  return { accounts: rows[0]?.accounts ?? [], streams: rows[0]?.streams ?? [] }
}

export type EventRow = {
  accountId: number
  /** The user who may see it besides the ADMINs. */
  userId: number | null
  /** Kept in `call_id`: events of one stream are delivered in order. */
  stream: string
  sequence: number
  type: EventType
  subject: { kind: EventSubject; id: string }
  payload: string
}

const given = defineUnnest<EventRow>('given', {
  account_id: ['bigint', ({ accountId }) => accountId],
  user_id: ['bigint', ({ userId }) => userId],
  call_id: ['uuid', ({ stream }) => stream],
  sequence: ['int', ({ sequence }) => sequence],
  kind: ['text', ({ type }) => type],
  subject_kind: ['text', ({ subject }) => subject.kind],
  subject_id: ['text', ({ subject }) => subject.id],
  payload: ['text', ({ payload }) => payload],
})
const columns = sql.raw(given.names.join(', '))

/** Skipped deliveries are stored for at most this many integrations an event (D82). */
const maxSkipped = 20

/** A webhook with deliveries to send, and the last event to be sent to it. */
export type EventReceiver = { integrationId: number; eventId: number }

/**
 * Inserts events, and a delivery for each receiver. D82: a webhook whose constraint the call does not match gets a
 * skipped delivery; constraints are about calls only. `only` names the single receiver of a test event, which is not in
 * the feed (position 0).
 */
export async function insertEvents(
  tx: Database,
  now: Date,
  rows: EventRow[],
  only: number | null,
): Promise<EventReceiver[]> {
  const { rows: receivers } = await sql<EventReceiver>`
    with event as (
      insert into events (${columns}, created_at, position)
      select ${columns}, ${now}::timestamptz, case when ${only}::bigint is not null then 0 end
      from (select *, row_number() over () as place from ${given.sql(rows)}) as given
      order by place
      returning *
    ), receiver as (
      select event.id, event.call_id, event.sequence, event.created_at, i.id as integration_id, i.version, mismatch.key,
        row_number() over (partition by event.id, mismatch.key is null order by i.id) as number
      from event cross join (select ${only}::bigint as id) as target
      ${sql.raw(joinReceivers('event', 'target.id'))}
      cross join lateral (
        select min(metadata_mismatch(c.wanted, event.payload::jsonb -> 'metadata')) as key
        from jsonb_array_elements(case when event.subject_kind = 'call' then i.conditions else '[]' end) as c (wanted)
      ) as mismatch
    ), delivery as (
      insert into deliveries (integration_id, event_id, call_id, sequence, version, state, reason, next_at, due_since, settled_at)
      select integration_id, id, call_id, sequence, version,
        case when key is null then 'pending' else 'skipped' end,
        'constraint mismatch on key ' || key,
        case when key is null then created_at end, created_at,
        case when key is not null then created_at end
      from receiver where key is null or number <= ${maxSkipped}
      returning event_id, integration_id, state
    )
    select integration_id as "integrationId", max(event_id) as "eventId" from delivery
    where state = 'pending' group by integration_id
  `.execute(tx)
  return receivers
}

/** The last id of events before the moment, which is the end of a month. Ids and months agree but for some seconds. */
export async function findLastEvent(db: Database, before: Date): Promise<number | undefined> {
  const { rows } = await sql<{ last: number | null }>`
    select max(id) as last from events where created_at < ${before} ${sql.raw(unprepared)}`.execute(db)
  return rows[0]?.last ?? undefined
}

/** Deletes at most `limit` deliveries of events up to this one, of every integration by its key. */
export async function deleteDeliveriesUpTo(db: Database, eventId: number, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from deliveries where ctid = any(array(
      select old.ctid ${sql.raw(fromIntegrations)} cross join lateral (
        select ctid from deliveries where integration_id = i.id and event_id <= ${eventId}
        order by event_id limit ${limit}) as old
      limit ${limit})) ${sql.raw(unprepared)}`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
