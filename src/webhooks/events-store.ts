/**
 * SQL of events and of their deliveries: written together, removed by month. Plain text where it runs for every event: the
 * query builder would cost more.
 */
import { CompiledQuery, sql } from 'kysely'
import type { EventSubject, EventType } from '../contract/webhooks/events.ts'
import { joinIntegrationsOf, joinReceivers, listedTypes } from '../integrations/listening-sql.ts'
import type { Statements } from '../store/connection/pipeline.ts'
import { unprepared } from '../store/connection/prepared-statements.ts'
import type { Database } from '../store/database.ts'
import type { Part } from '../store/partitioned-tables.ts'
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

/**
 * One statement for accounts and streams: it runs for every event of a call. The subselects hide the lengths of the lists
 * from the planner, so that it keeps one plan: planning, with a table for each month, takes longer than running.
 */
const factsText = `
  select
    (select json_agg(json_build_object('id', a.id, 'uuid', a.uuid, 'domain', a.domain, 'timeZone', a.time_zone,
        'listed', ${listedTypes('a.id')}))
      from accounts a where a.id = any((select $1::bigint[])::bigint[])) as accounts,
    (select json_agg(json_build_object('id', stream.call_id, 'last', stream.last, 'types', stream.types))
      from (select call_id, max(sequence) as last, array_agg(kind) as types from events
        where call_id = any((select $2::uuid[])::uuid[]) group by call_id) stream) as streams`

export async function readFacts(tx: Statements, accountIds: number[], streamIds: string[]) {
  const query = CompiledQuery.raw(factsText, [accountIds, streamIds])
  const { rows } = await tx.executeQuery<{ accounts: AccountFacts[] | null; streams: StreamFacts[] | null }>(
    query,
  )
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
const columns = given.names.join(', ')
const now = `$${given.names.length + 1}::timestamptz`
const only = `$${given.names.length + 2}::bigint`

/** Skipped deliveries are stored for at most this many integrations an event (D82). */
const maxSkipped = 20

/** A webhook with deliveries to send, and the last event to be sent to it. */
export type EventReceiver = { integrationId: number; eventId: number }

/**
 * D82: a webhook whose constraint the call does not match gets a skipped delivery; constraints are about calls only, and
 * are checked once for all events of a call, whose metadata never change.
 */
const insertText = `
  with event as (
    insert into events (${columns}, created_at, position)
    select ${columns}, ${now}, case when ${only} is not null then 0 end
    from (select *, row_number() over () as place from ${given.text()}) as given
    order by place
    returning *
  ), receiver as (
    select event.id, event.call_id, event.sequence, event.created_at, event.payload, i.id as integration_id, i.version,
      case when event.subject_kind in ('call', 'result') then i.conditions else '[]' end as conditions,
      row_number() over (partition by event.call_id, i.id order by event.id) as place
    from event cross join (select ${only} as id) as target
    ${joinReceivers('event', 'target.id')}
  ), checked as (
    select receiver.*, max(case when place = 1 and conditions <> '[]' then (
      select min(metadata_mismatch(c.wanted, payload::jsonb -> 'metadata'))
      from jsonb_array_elements(conditions) as c (wanted)) end) over (partition by call_id, integration_id) as key
    from receiver
  ), numbered as (
    select checked.*, row_number() over (partition by id, key is null order by integration_id) as number from checked
  ), delivery as (
    insert into deliveries (integration_id, event_id, call_id, sequence, version, state, reason, next_at, due_since, settled_at)
    select integration_id, id, call_id, sequence, version,
      case when key is null then 'pending' else 'skipped' end,
      'constraint mismatch on key ' || key,
      case when key is null then created_at end, created_at,
      case when key is not null then created_at end
    from numbered where key is null or number <= ${maxSkipped}
    returning event_id, integration_id, state
  )
  select integration_id as "integrationId", max(event_id) as "eventId" from delivery
  where state = 'pending' group by integration_id`

/**
 * Inserts events, and a delivery for each receiver. `receiver` names the only one of a test event, which is not in the
 * feed (position 0).
 */
export async function insertEvents(
  tx: Statements,
  at: Date,
  rows: EventRow[],
  receiver: number | null,
): Promise<EventReceiver[]> {
  const query = CompiledQuery.raw(insertText, [...given.values(rows), at, receiver])
  return (await tx.executeQuery<EventReceiver>(query)).rows
}

/** Whether deliveries of the month's events were due in these days, or will be. */
export async function hasDueDeliveries(db: Database, { name }: Part, days: number): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from deliveries join ${sql.table(name)} as event on event.id = deliveries.event_id
      where next_at is not null and next_at > now() - make_interval(days => ${days})) as found
    ${sql.raw(unprepared)}`.execute(db)
  return rows[0]?.found ?? false
}

type DeliveryBatch = {
  part: Part
  /** The id of the last event whose deliveries are deleted. */
  after: number
  /** Events whose deliveries are deleted now. */
  limit: number
}

/** Returns the id of the last of these events; undefined if there were none. */
export async function deleteDeliveriesOf(
  db: Database,
  { part, after, limit }: DeliveryBatch,
): Promise<number | undefined> {
  const { rows } = await sql<{ last: number | null }>`
    with event as (
      select id, account_id from ${sql.table(part.name)} where id > ${after} order by id limit ${limit}
    ), deleted as (
      delete from deliveries using event ${sql.raw(joinIntegrationsOf('event.account_id'))}
      where deliveries.integration_id = i.id and deliveries.event_id = event.id)
    select max(id) as last from event ${sql.raw(unprepared)}`.execute(db)
  return rows[0]?.last ?? undefined
}
