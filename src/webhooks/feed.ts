/**
 * The feed: events to be fetched in order, without gaps (D90: additions). An id assigned when an event is written says
 * little about when it is committed, so a reader would miss events that commit late. Instead an event gets its position
 * when the feed is read and the event is visible, by one reader of the account at a time: whatever commits later gets a
 * later position.
 */

import { refuse } from '../contract/errors.ts'
import { callSubjects } from '../contract/webhooks/events.ts'
import type { Database } from '../store/database.ts'
import type { Caller } from '../users/caller.ts'
import { hasScope } from '../users/scopes.ts'
import { type FeedRow, placeAndSelect, placeMany, positionBefore, selectPlaced } from './feed-store.ts'
import type { WriteBody } from './payload.ts'

/** The `webhookVersion` of bodies that are read rather than sent. */
export const feedVersion = '1.8'

/** 500,000 events that nobody has read yet. */
const maxPlacings = 50
const retryAfter = 1

/** Behind an event, or from a time on. */
export type FeedStart = { after: number } | { since: Date }

export type FedEvent = { cursor: number; body: string }
export type FeedPage = { events: FedEvent[]; cursor: number; more: boolean }

/** D83: an ADMIN reads all events, a USER those of their own calls. A limited token reads those of its scopes (D206). */
export function isVisible(
  caller: Caller,
  { user_id, subject_kind }: Pick<FeedRow, 'user_id' | 'subject_kind'>,
): boolean {
  const { role, id } = caller.user
  if (role !== 'ADMIN' && user_id !== id) return false
  return hasScope(caller, callSubjects.includes(subject_kind) ? 'calls:read' : 'billing')
}

/** The cursor also passes the events left out. */
export async function readEvents(
  db: Database,
  writeBody: WriteBody,
  caller: Caller,
  start: FeedStart,
  limit: number,
): Promise<FeedPage> {
  const { accountId } = caller
  const after = 'after' in start ? start.after : await findPosition(db, accountId, start.since)
  const placed = await selectPlaced(db, accountId, after, limit)
  const rows = placed.length < limit ? await placeAndSelect(db, accountId, after, limit) : placed
  const visible = rows.filter((row) => isVisible(caller, row))
  return {
    events: visible.map(({ position, payload }) => ({
      cursor: position,
      body: writeBody(payload, feedVersion),
    })),
    cursor: rows.at(-1)?.position ?? after,
    more: rows.length === limit,
  }
}

const exportedAtOnce = 250

/** D301: all that there are now. */
export async function* readAllEvents(
  db: Database,
  writeBody: WriteBody,
  caller: Caller,
  start: FeedStart,
): AsyncGenerator<FedEvent[]> {
  for (let from = start, isOver = false; !isOver; ) {
    const { events, cursor, more } = await readEvents(db, writeBody, caller, from, exportedAtOnce)
    yield events
    from = { after: cursor }
    isOver = !more
  }
}

/** D571: a time is looked up among events that have their position, so all get theirs first. */
export async function findPosition(db: Database, accountId: number, since: Date): Promise<number> {
  await placeAll(db, accountId)
  return await positionBefore(db, accountId, since)
}

/** Gives every event of the account its position. */
export async function placeAll(db: Database, accountId: number) {
  for (let placings = 0; !(await placeMany(db, accountId)); placings += 1) {
    // What was placed stays placed: the next request goes on.
    if (placings >= maxPlacings) throw refuse('SERVICE_UNAVAILABLE', { retryAfter })
  }
}
