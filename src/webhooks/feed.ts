/**
 * Events to be fetched in order, without gaps (D90). Numbers given while an event is written say little about when it
 * is committed: a reader would pass by what commits late. So an event gets its place when the feed is read and the
 * event can be seen, one reader of an account after another: whatever commits later stands further back.
 */
import { sql } from 'kysely'
import type { Database } from '../store/database.ts'
import type { Caller } from '../users/caller.ts'
import { withVersion } from './payload.ts'

const placesLock = 72_642_521
const feedVersion = '1.8'

type Row = { position: number; user_id: number | null; payload: string }
export type EventPage = { events: { cursor: number; body: string }[]; cursor: number; more: boolean }

/** D83: an ADMIN reads of all calls, a USER of their own; the others are passed by, and the cursor goes on. */
export async function readEvents(
  db: Database,
  { accountId, user }: Caller,
  after: number,
  limit: number,
): Promise<EventPage> {
  const placed = await selectPlaced(db, accountId, after, limit)
  const rows = placed.length < limit ? await placeAndSelect(db, accountId, after, limit) : placed
  const mine = rows.filter((row) => user.role === 'ADMIN' || row.user_id === user.id)
  return {
    events: mine.map(({ position, payload }) => ({
      cursor: position,
      body: withVersion(payload, feedVersion),
    })),
    cursor: rows.at(-1)?.position ?? after,
    more: rows.length === limit,
  }
}

async function selectPlaced(db: Database, accountId: number, after: number, limit: number): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select position, user_id, payload from events
    where account_id = ${accountId} and position > ${after} and position > 0
    order by position limit ${limit}`.execute(db)
  return rows
}

async function placeAndSelect(db: Database, accountId: number, after: number, limit: number): Promise<Row[]> {
  return await db.transaction().execute(async (tx) => {
    // The lock is given up only when the places can be seen by the next who takes it.
    await sql`select pg_advisory_xact_lock(${placesLock}::int, hashint8(${accountId}))`.execute(tx)
    await sql`
      update events set position = placed.position
      from (
        select id, nextval('event_positions') as position
        from (select id from events where account_id = ${accountId} and position is null
          order by id limit ${limit}) as unplaced
      ) as placed
      where events.id = placed.id`.execute(tx)
    return await selectPlaced(tx, accountId, after, limit)
  })
}
