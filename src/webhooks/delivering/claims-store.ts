/** SQL of the delivery worker: finding what is due, claiming it, and recording its attempts. */
import { CompiledQuery, sql } from 'kysely'
import type { DeliveryState, Try } from '../../contract/webhooks/events.ts'
import { joinIntegration, sendingColumns } from '../../integrations/listening-sql.ts'
import type { SealedSecrets } from '../../integrations/webhook-secrets.ts'
import type { Database } from '../../store/database.ts'
import { defineUnnest } from '../../store/unnest.ts'
import type { ClaimRequest } from './claim-queue.ts'

/** Integrations with due deliveries. Each costs one index lookup, however long its backlog is (a loose index scan). */
export async function findDueIntegrations(db: Database, now: Date): Promise<number[]> {
  const { rows } = await sql<{ integration_id: number }>`
    with recursive earliest as (
      (select integration_id, next_at from deliveries where next_at is not null
        order by integration_id, next_at limit 1)
      union all
      select next.integration_id, next.next_at from earliest cross join lateral (
        select integration_id, next_at from deliveries
        where next_at is not null and integration_id > earliest.integration_id
        order by integration_id, next_at limit 1) as next
    )
    select integration_id from earliest where next_at <= ${now} order by next_at`.execute(db)
  return rows.map((row) => row.integration_id)
}

export type ClaimedDelivery = {
  integration_id: number
  event_id: number
  call_id: string
  sequence: number
  version: string
  attempts: number
  /** The end of the lease, which identifies this claim. */
  next_at: Date
  due_since: Date
  payload: string
  account_id: number
  webhook: boolean
  url: string | null
  url_login: Buffer | null
} & SealedSecrets

type ClaimResult = {
  claimed: ClaimedDelivery[]
  /** Due rows met per integration, including those parked behind an earlier event of their call. */
  found: Map<number, number>
}

const wanted = defineUnnest<Pick<ClaimRequest, 'integrationId' | 'limit'>>('wanted', {
  integration_id: ['bigint', ({ integrationId }) => integrationId],
  max_rows: ['int', ({ limit }) => limit],
})

/**
 * Claims due deliveries of some integrations until the lease ends; if the process dies, another claims them then.
 *
 * Events of one call are delivered in order: a delivery behind an unsettled one (`ahead`) is parked instead
 * (`next_at` null). The delivery ahead is share-locked first, so that the transaction that settles it sees what was
 * parked behind it. If it is locked by another transaction, it is being settled: the delivery behind stays due.
 *
 * The planner cannot estimate how many rows are found: it takes the limit for a tenth of the backlog. With a join it would read the
 * whole table for each claim of a long backlog. `offset 0`, and an array of `ctid`, force it to look rows up one by one.
 */
const claimText = `with found as materialized (
    select d.* from ${wanted.text(3)} cross join lateral (
      select ctid as place, integration_id, event_id, call_id, sequence from deliveries
      where integration_id = wanted.integration_id and next_at <= $1
      order by next_at, event_id limit wanted.max_rows
      for no key update skip locked) as d
  ), behind as materialized (
    select f.integration_id, f.event_id, a.event_id as ahead
    from found f cross join lateral (
      select event_id from deliveries
      where call_id = f.call_id and integration_id = f.integration_id and sequence < f.sequence and state = 'pending'
      offset 0) as a
  ), held as materialized (
    select b.integration_id, b.event_id from behind b cross join lateral (
      select from deliveries
      where integration_id = b.integration_id and event_id = b.ahead and state = 'pending'
      for share skip locked) as a
  ), parked as (
    update deliveries d set next_at = null
    where d.ctid = any(array(
      select place from found f
      where exists (select from held h where h.integration_id = f.integration_id and h.event_id = f.event_id)))
  ), claimed as (
    update deliveries d set next_at = $2, attempts = d.attempts + 1
    where d.ctid = any(array(
      select place from found f
      where not exists (select from behind b where b.integration_id = f.integration_id and b.event_id = f.event_id)))
    returning d.integration_id, d.event_id, d.call_id, d.sequence, d.version, d.attempts, d.next_at, d.due_since
  )
  select f.integration_id, f.event_id, c.call_id, c.sequence, c.version, c.attempts, c.next_at, c.due_since, e.payload,
    ${sendingColumns}
  from found f
  left join claimed c on c.integration_id = f.integration_id and c.event_id = f.event_id
  left join lateral (select payload from events where id = c.event_id offset 0) as e on true
  ${joinIntegration('c.integration_id')}
  order by f.event_id`

export async function claimDeliveries(
  db: Database,
  requests: Pick<ClaimRequest, 'integrationId' | 'limit'>[],
  now: Date,
  leaseUntil: Date,
): Promise<ClaimResult> {
  const parameters = [now, leaseUntil, ...wanted.values(requests)]
  const { rows } = await db.executeQuery<ClaimedDelivery>(CompiledQuery.raw(claimText, parameters))
  const found = new Map<number, number>()
  for (const { integration_id: id } of rows) found.set(id, (found.get(id) ?? 0) + 1)
  return { claimed: rows.filter(({ attempts }) => attempts !== null), found }
}

/** What an attempt changes in its delivery. */
export type AttemptRecord = {
  integrationId: number
  eventId: number
  lease: Date
  state: DeliveryState
  reason: string | null
  nextAt: Date | null
  tried: Try | null
}

const maxTries = 20

const recorded = defineUnnest<AttemptRecord>('r', {
  integration_id: ['bigint', ({ integrationId }) => integrationId],
  event_id: ['bigint', ({ eventId }) => eventId],
  lease: ['timestamptz', ({ lease }) => lease],
  state: ['text', ({ state }) => state],
  reason: ['text', ({ reason }) => reason],
  next_at: ['timestamptz', ({ nextAt }) => nextAt],
  tried: ['jsonb', ({ tried }) => (tried ? JSON.stringify(tried) : null)],
})

const recordText = `update deliveries d
  set state = r.state, reason = r.reason, next_at = r.next_at,
    settled_at = case when r.state <> 'pending' then $1::timestamptz end,
    tries = case when r.tried is null then d.tries
      when jsonb_array_length(d.tries) < ${maxTries} then d.tries || r.tried
      else (d.tries - 0) || r.tried end
  from ${recorded.text(2)}
  cross join lateral (
    select ctid as place from deliveries
    where integration_id = r.integration_id and event_id = r.event_id and next_at = r.lease and state = 'pending'
    offset 0) as found
  where d.ctid = found.place and d.next_at = r.lease and d.state = 'pending'
  returning d.integration_id, d.call_id, d.sequence, d.state`

type RecordedDelivery = { integration_id: number; call_id: string; sequence: number; state: DeliveryState }

const settledRows = defineUnnest<RecordedDelivery>('s', {
  integration_id: ['bigint', (row) => row.integration_id],
  call_id: ['uuid', (row) => row.call_id],
  sequence: ['int', (row) => row.sequence],
})

/** A statement of its own, so that it sees everything parked until now. */
const releaseText = `update deliveries d set next_at = $1, due_since = $1
  from ${settledRows.text(2)}
  cross join lateral (
    select ctid as place from deliveries
    where call_id = s.call_id and integration_id = s.integration_id and sequence > s.sequence
      and state = 'pending' and next_at is null
    offset 0) as found
  where d.ctid = found.place and d.state = 'pending' and d.next_at is null
  returning d.integration_id`

/**
 * A record whose lease ended and was claimed by another process changes nothing. Returns the integrations with
 * deliveries that can be sent now.
 */
export async function recordAttempts(tx: Database, records: AttemptRecord[], now: Date): Promise<number[]> {
  const parameters = [now, ...recorded.values(records)]
  const { rows } = await tx.executeQuery<RecordedDelivery>(CompiledQuery.raw(recordText, parameters))
  const settled = rows.filter(({ state }) => state !== 'pending')
  return await releaseParked(tx, settled, now)
}

/** Makes due what was parked behind settled deliveries. Returns their integrations. */
async function releaseParked(tx: Database, settled: RecordedDelivery[], now: Date): Promise<number[]> {
  if (settled.length === 0) return []
  const parameters = [now, ...settledRows.values(settled)]
  const { rows } = await tx.executeQuery<{ integration_id: number }>(
    CompiledQuery.raw(releaseText, parameters),
  )
  return rows.map((row) => row.integration_id)
}

/** Gives up overdue deliveries of a paused webhook, for which no attempt would be made. */
export async function giveUpOverdue(
  tx: Database,
  integrationId: number,
  dueBefore: Date,
  reason: string,
  now: Date,
): Promise<number[]> {
  const { rows } = await sql<RecordedDelivery>`
    update deliveries d
    set state = 'dead', reason = ${reason}, next_at = null, settled_at = ${now}
    from (select integration_id, event_id from deliveries
      where integration_id = ${integrationId} and next_at <= ${now} and due_since < ${dueBefore}
      order by next_at limit 500 for no key update skip locked) as old
    where d.integration_id = old.integration_id and d.event_id = old.event_id
    returning d.integration_id, d.call_id, d.sequence, d.state`.execute(tx)
  return await releaseParked(tx, rows, now)
}
