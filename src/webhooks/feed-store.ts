/** SQL of the feed of events. */
import { sql } from 'kysely'
import type { EventSubject } from '../contract/webhooks/events.ts'
import type { Database } from '../store/database.ts'

/** Events are placed so many at a time before a time is looked up. */
const placedAtOnce = 10_000
/** D571: an event is committed, and so placed, at most so long after others of its time. */
export const lateMinutes = 10

/** Any fixed number that no other advisory lock of ours begins with. */
const positionsLock = 72_642_521

export type FeedRow = {
  position: number
  user_id: number | null
  subject_kind: EventSubject
  payload: string
}

export async function selectPlaced(
  db: Database,
  accountId: number,
  after: number,
  limit: number,
): Promise<FeedRow[]> {
  const { rows } = await sql<FeedRow>`
    select position, user_id, subject_kind, payload from events
    where account_id = ${accountId} and position > ${after} and position > 0
    order by position limit ${limit}`.execute(db)
  return rows
}

export async function placeAndSelect(
  db: Database,
  accountId: number,
  after: number,
  limit: number,
): Promise<FeedRow[]> {
  return await db.transaction().execute(async (tx) => {
    await place(tx, accountId, limit)
    return await selectPlaced(tx, accountId, after, limit)
  })
}

/** Returns whether all events of the account have their position now. */
export async function placeMany(db: Database, accountId: number): Promise<boolean> {
  return (await db.transaction().execute((tx) => place(tx, accountId, placedAtOnce))) < placedAtOnce
}

async function place(tx: Database, accountId: number, limit: number): Promise<number> {
  // Held until the commit: the next reader of the account sees these positions.
  await sql`select pg_advisory_xact_lock(${positionsLock}::int, hashint8(${accountId}))`.execute(tx)
  // The ids as an array, so that each month is searched by its index.
  const { numAffectedRows = 0n } = await sql`
    with placed as materialized (
      select id, nextval('event_positions') as position
      from (select id from events where account_id = ${accountId} and position is null
        order by id limit ${limit}) as unplaced
    )
    update events set position = placed.position from placed
    where events.id = placed.id and events.id = any(array(select id from placed))`.execute(tx)
  return Number(numAffectedRows)
}

/**
 * The position before the first event written since then; that of the last event if there is none. It is searched for
 * backwards, so that a recent time is found at once.
 */
export async function positionBefore(db: Database, accountId: number, since: Date): Promise<number> {
  const placed = sql`account_id = ${accountId} and position > 0`
  const { rows } = await sql<{ position: number }>`
    with earlier as (
      select position from events
      where ${placed} and created_at < ${since}::timestamptz - make_interval(mins => ${lateMinutes})
      order by position desc limit 1
    ), first as (
      select position - 1 as position from events
      where ${placed} and position > coalesce((select position from earlier), 0) and created_at >= ${since}
      order by events.position limit 1
    ), last as (
      select position from events where ${placed} order by position desc limit 1
    )
    select coalesce((select position from first), (select position from last), 0) as position`.execute(db)
  return rows[0]?.position ?? 0
}
