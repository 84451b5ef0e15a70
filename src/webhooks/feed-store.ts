/** SQL of the feed of events. */
import { sql } from 'kysely'
import type { EventSubject } from '../contract/webhooks/events.ts'
import type { Database } from '../store/database.ts'

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
    // Held until the commit: the next reader of the account sees these positions.
    await sql`select pg_advisory_xact_lock(${positionsLock}::int, hashint8(${accountId}))`.execute(tx)
    // The ids as an array, so that each month is searched by its index.
    await sql`
      with placed as materialized (
        select id, nextval('event_positions') as position
        from (select id from events where account_id = ${accountId} and position is null
          order by id limit ${limit}) as unplaced
      )
      update events set position = placed.position from placed
      where events.id = placed.id and events.id = any(array(select id from placed))`.execute(tx)
    return await selectPlaced(tx, accountId, after, limit)
  })
}
