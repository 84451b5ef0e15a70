/** SQL of deliveries on their way: what is due, taking it, and what became of it. */
import { CompiledQuery, sql } from 'kysely'
import type { DeliveryState, Try } from '../../contract/events.ts'
import type { SealedSecrets } from '../../integrations/webhook-secrets.ts'
import type { Database } from '../../store/database.ts'
import type { ClaimRequest } from './claim-queue.ts'

/** Integrations that have something due, each found by one step through the index, however much waits there. */
export async function findDueIntegrations(db: Database, now: Date): Promise<number[]> {
  const { rows } = await sql<{ integration_id: number }>`
    with recursive lanes as (
      (select integration_id, next_at from deliveries where next_at is not null
        order by integration_id, next_at limit 1)
      union all
      select next.integration_id, next.next_at from lanes cross join lateral (
        select integration_id, next_at from deliveries
        where next_at is not null and integration_id > lanes.integration_id
        order by integration_id, next_at limit 1) as next
    )
    select integration_id from lanes where next_at <= ${now} order by next_at`.execute(db)
  return rows.map((row) => row.integration_id)
}

export type Claimed = {
  integration_id: number
  event_id: number
  call_id: string
  sequence: number
  version: string
  attempts: number
  /** The end of the lease: who holds another holds none. */
  next_at: Date
  due_since: Date
  payload: string
  webhook: boolean
  url: string | null
} & SealedSecrets

/** `found` counts what was due, also what turned out to wait for an earlier event of its call. */
type Found = { claimed: Claimed[]; found: Map<number, number> }

/**
 * Takes what is due of some integrations, as much of each as it has room for, until the lease ends: whoever dies with
 * it lets others have it then. What comes after an event of its call that is not settled is parked instead. That
 * earlier delivery is locked meanwhile, so that whoever settles it sees what was parked behind it; if it is locked
 * by others it is being settled, and what is behind it stays as it is.
 *
 * How much is found is a guess to the planner, and a wrong one reads whole tables: `offset 0` and the place of a row
 * leave it no choice but to look up row by row.
 */
const claimText = `with wanted as (
    select * from unnest($1::bigint[], $2::int[]) as given (integration_id, max_rows)
  ), found as materialized (
    select d.* from wanted cross join lateral (
      select ctid as place, integration_id, event_id, call_id, sequence from deliveries
      where integration_id = wanted.integration_id and next_at <= $3
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
    from found f
    where d.ctid = f.place
      and exists (select from held h where h.integration_id = f.integration_id and h.event_id = f.event_id)
  ), claimed as (
    update deliveries d set next_at = $4, attempts = d.attempts + 1
    from found f
    where d.ctid = f.place
      and not exists (select from behind b where b.integration_id = f.integration_id and b.event_id = f.event_id)
    returning d.integration_id, d.event_id, d.call_id, d.sequence, d.version, d.attempts, d.next_at, d.due_since
  )
  select f.integration_id, f.event_id, c.call_id, c.sequence, c.version, c.attempts, c.next_at, c.due_since, e.payload,
    i.webhook, i.url, i.secret, i.old_secret, i.old_secret_until
  from found f
  left join claimed c on c.integration_id = f.integration_id and c.event_id = f.event_id
  left join events e on e.id = c.event_id
  left join integrations i on i.id = c.integration_id
  order by f.event_id`

export async function claim(
  db: Database,
  requests: Pick<ClaimRequest, 'integrationId' | 'limit'>[],
  now: Date,
  leaseUntil: Date,
): Promise<Found> {
  const { rows } = await db.executeQuery<Claimed>(
    CompiledQuery.raw(claimText, [
      requests.map(({ integrationId }) => integrationId),
      requests.map(({ limit }) => limit),
      now,
      leaseUntil,
    ]),
  )
  const found = new Map<number, number>()
  for (const { integration_id: id } of rows) found.set(id, (found.get(id) ?? 0) + 1)
  return { claimed: rows.filter(({ attempts }) => attempts !== null), found }
}

/** What became of an attempt. */
export type AttemptRecord = {
  integrationId: number
  eventId: number
  lease: Date
  state: DeliveryState
  reason: string | null
  nextAt: Date | null
  tried: Try | null
}

const mostTries = 20

const recordText = `update deliveries d
  set state = r.state, reason = r.reason, next_at = r.next_at,
    settled_at = case when r.state <> 'pending' then $8::timestamptz end,
    tries = case when r.tried is null then d.tries
      when jsonb_array_length(d.tries) < ${mostTries} then d.tries || r.tried
      else (d.tries - 0) || r.tried end
  from unnest($1::bigint[], $2::bigint[], $3::timestamptz[], $4::text[], $5::text[], $6::timestamptz[], $7::jsonb[])
    as r (integration_id, event_id, lease, state, reason, next_at, tried)
  cross join lateral (
    select ctid as place from deliveries
    where integration_id = r.integration_id and event_id = r.event_id and next_at = r.lease and state = 'pending'
    offset 0) as found
  where d.ctid = found.place and d.next_at = r.lease and d.state = 'pending'
  returning d.integration_id, d.call_id, d.sequence, d.state`

/** What was parked behind them may go. In a statement of its own, which sees what was parked until now. */
const releaseText = `update deliveries d set next_at = $4, due_since = $4
  from unnest($1::bigint[], $2::uuid[], $3::int[]) as s (integration_id, call_id, sequence)
  cross join lateral (
    select ctid as place from deliveries
    where call_id = s.call_id and integration_id = s.integration_id and sequence > s.sequence
      and state = 'pending' and next_at is null
    offset 0) as found
  where d.ctid = found.place and d.state = 'pending' and d.next_at is null
  returning d.integration_id`

type Settled = { integration_id: number; call_id: string; sequence: number; state: DeliveryState }

/** One whose lease ended and was taken by others changes nothing any more. */
export async function record(tx: Database, records: AttemptRecord[], now: Date): Promise<number[]> {
  const { rows } = await tx.executeQuery<Settled>(
    CompiledQuery.raw(recordText, [
      records.map(({ integrationId }) => integrationId),
      records.map(({ eventId }) => eventId),
      records.map(({ lease }) => lease),
      records.map(({ state }) => state),
      records.map(({ reason }) => reason),
      records.map(({ nextAt }) => nextAt),
      records.map(({ tried }) => (tried ? JSON.stringify(tried) : null)),
      now,
    ]),
  )
  return await release(
    tx,
    rows.filter(({ state }) => state !== 'pending'),
    now,
  )
}

/** Answers which integrations have something to send again. */
async function release(tx: Database, settled: Settled[], now: Date): Promise<number[]> {
  if (settled.length === 0) return []
  const { rows } = await tx.executeQuery<{ integration_id: number }>(
    CompiledQuery.raw(releaseText, [
      settled.map((row) => row.integration_id),
      settled.map((row) => row.call_id),
      settled.map((row) => row.sequence),
      now,
    ]),
  )
  return rows.map((row) => row.integration_id)
}

/** What has been due for too long is given up without another attempt: while its webhook rests it would get none. */
export async function giveUp(
  tx: Database,
  integrationId: number,
  dueBefore: Date,
  reason: string,
  now: Date,
) {
  const { rows } = await sql<Settled>`
    update deliveries d
    set state = 'dead', reason = ${reason}, next_at = null, settled_at = ${now}
    from (select integration_id, event_id from deliveries
      where integration_id = ${integrationId} and next_at <= ${now} and due_since < ${dueBefore}
      order by next_at limit 500 for no key update skip locked) as old
    where d.integration_id = old.integration_id and d.event_id = old.event_id
    returning d.integration_id, d.call_id, d.sequence, d.state`.execute(tx)
  return await release(tx, rows, now)
}

export type Trouble = { integrationId: number; url: string; error: string; at: Date; gone: boolean }

/** The last error of each, for its owner to see; D86: who answers 410 is not told any more. */
export async function recordTrouble(tx: Database, troubles: Trouble[]) {
  await sql`
    with told as (
      select * from unnest(${troubles.map(({ integrationId }) => integrationId)}::bigint[],
        ${troubles.map(({ url }) => url)}::text[], ${troubles.map(({ error }) => error)}::text[],
        ${troubles.map(({ at }) => at)}::timestamptz[], ${troubles.map(({ gone }) => gone)}::boolean[])
        as t (id, url, error, at, gone)
    ), locked as (
      select i.id from integrations i where i.id in (select id from told) order by i.id for no key update
    )
    update integrations i
    set last_error = told.error, last_error_at = told.at, webhook = i.webhook and not (told.gone and i.url = told.url)
    from told join locked on locked.id = told.id
    where i.id = told.id`.execute(tx)
}
