/**
 * Searches: list requests run on a small pool of their own, with a short timeout and few at a time per account (D186).
 * However expensive one account makes them, calls, credit and the lists of other accounts do not wait for them.
 */
import pg from 'pg'
import { refuse } from '../contract/errors.ts'
import type { Database } from './database.ts'

/** D186: the second search of an account waits for its first; what does not fit into the queue is refused. */
const maxRunning = 1
const maxWaiting = 20
const retryAfter = 2

type Lane = { running: number; waiting: (() => void)[] }

export function createSearches(db: Database) {
  const lanes = new Map<number, Lane>()

  async function enter(accountId: number): Promise<Lane> {
    const lane = lanes.get(accountId) ?? { running: 0, waiting: [] }
    lanes.set(accountId, lane)
    if (lane.running < maxRunning) lane.running += 1
    else if (lane.waiting.length >= maxWaiting) throw refuse('SEARCHES_BUSY', { retryAfter })
    else await new Promise<void>((resume) => lane.waiting.push(resume))
    return lane
  }

  /** The next in the queue takes over the place of the one that leaves. */
  function leave(accountId: number, lane: Lane) {
    const next = lane.waiting.shift()
    if (next) return next()
    lane.running -= 1
    if (lane.running === 0) lanes.delete(accountId)
  }

  async function run<T>(accountId: number, search: (db: Database) => Promise<T>): Promise<T> {
    const lane = await enter(accountId)
    try {
      return await search(db)
    } catch (error) {
      throw isCancelled(error) ? refuse('SEARCH_TOO_EXPENSIVE') : error
    } finally {
      leave(accountId, lane)
    }
  }

  return { run }
}
export type Searches = ReturnType<typeof createSearches>

/** SQLSTATE 57014: the statement ran into the timeout of its connection. */
function isCancelled(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '57014'
}
