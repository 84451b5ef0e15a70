/** SQL that queues events once more, or for the first time, for one integration. */
import { type RawBuilder, sql } from 'kysely'
import { joinReceivers } from '../../integrations/listening-sql.ts'
import type { Database } from '../../store/database.ts'

export type Replayed = {
  /** Deliveries that are due now and were not pending before. */
  count: number
  /** Events that were read, and the last of them. */
  read: number
  last: number | null
  lastAt: Date | null
}

type Target = { accountId: number; integrationId: number; now: Date; oldest: Date }

/** Chosen events, whatever types and constraint the integration has. */
export async function replayChosen(db: Database, target: Target, positions: number[]): Promise<Replayed> {
  const chosen = sql`position = any(${positions}::bigint[])`
  return await replay(db, target, { chosen, matches: sql`true` })
}

type Range = { after: number; since: Date; until: Date; limit: number }

/** Events of a time, as the integration would have received them with the settings that it has now. */
export async function replayRange(db: Database, target: Target, range: Range): Promise<Replayed> {
  const { after, since, until, limit } = range
  return await replay(db, target, {
    chosen: sql`position > ${after} order by position limit ${limit}`,
    matches: sql`event.kind = any(i.event_types)
      and event.created_at >= ${since} and event.created_at < ${until}
      and (event.subject_kind not in ('call', 'result') or not exists (
        select from jsonb_array_elements(i.conditions) as c (wanted)
        where metadata_mismatch(c.wanted, event.payload::jsonb -> 'metadata') is not null))`,
  })
}

type Choice = { chosen: RawBuilder<unknown>; matches: RawBuilder<unknown> }

/** In the order of events, so that two replays do not deadlock. A delivery that is pending stays as it is. */
async function replay(
  db: Database,
  { accountId, integrationId, now, oldest }: Target,
  { chosen, matches }: Choice,
): Promise<Replayed> {
  const { rows } = await sql<Replayed>`
    with event as materialized (
      select id, account_id, user_id, kind, call_id, sequence, subject_kind, position, created_at, payload
      from events where account_id = ${accountId} and position > 0 and ${chosen}
    ), receiver as (
      select event.id, event.call_id, event.sequence, i.id as integration_id, i.version
      from event cross join (select ${integrationId}::bigint as id) as target
      ${sql.raw(joinReceivers('event', 'target.id'))}
      where event.created_at >= ${oldest} and ${matches}
      order by event.id
    ), written as (
      insert into deliveries (integration_id, event_id, call_id, sequence, version, state, next_at, due_since)
      select integration_id, id, call_id, sequence, version, 'pending', ${now}::timestamptz, ${now}::timestamptz
      from receiver
      on conflict (integration_id, event_id) do update
        set version = excluded.version, state = 'pending', reason = null, settled_at = null, attempts = 0,
          next_at = excluded.next_at, due_since = excluded.due_since
        where deliveries.state <> 'pending'
      returning event_id
    )
    select (select count(*) from written)::int as count, count(*)::int as read, max(position) as last,
      max(created_at) as "lastAt"
    from event`.execute(db)
  return rows[0] ?? { count: 0, read: 0, last: null, lastAt: null }
}
