/**
 * Searches: list requests run on a small pool of their own, with a short timeout, one at a time per account and lane, and
 * within a budget of time per account and lane (D186). However expensive one account makes them, calls, credit, the lists
 * of other accounts, and its own lists that an index serves do not wait for them.
 */
import { sql } from 'kysely'
import pg from 'pg'
import { refuse } from '../contract/errors.ts'
import { systemTimers, type Timer, type Timers } from '../kit/timers.ts'
import { fullBucket, refill, type TokenBucket } from '../kit/token-bucket.ts'
import type { Database } from './database.ts'

/** Long enough for a list of a large account, short enough for those who wait behind it. */
export const searchTimeoutMs = 3_000

/** D186: the second search of an account waits for its first; what does not fit into the queue is refused. */
const maxWaiting = 20
const maxWaitMs = 10_000
const retryAfter = 2

/** Milliseconds of searching: a tenth of one core for an account that has used up its reserve. */
const budget = { perSecond: 100, burst: 6_000 }
/** Costs nothing: so that only expensive searches use the budget, however many others there are. */
const freeMs = 100

/**
 * Lists of calls that an index serves, searches that read many calls, and lists of anything else: none waits for a search
 * of another lane, nor for a budget that it has overdrawn.
 */
export type SearchLane = 'served' | 'scanned' | 'other lists'

/** Above it, those whose budget is full again are removed. */
const manyLanes = 1_000

type Waiting = { start(): void; timeout: Timer }

type Lane = {
  isRunning: boolean
  waiting: Waiting[]
  /** Negative while the account has searched for longer than its budget allows. */
  left: TokenBucket
  refilled: Timer | undefined
}

export function createSearches(db: Database, timers: Timers = systemTimers) {
  const lanes = new Map<string, Lane>()

  function laneOf(name: string): Lane {
    if (lanes.size > manyLanes) forgetUnused()
    const lane = lanes.get(name) ?? {
      isRunning: false,
      waiting: [],
      left: fullBucket(budget, timers.now()),
      refilled: undefined,
    }
    lanes.set(name, lane)
    return lane
  }

  function forgetUnused() {
    for (const [name, lane] of lanes) {
      refill(lane.left, budget, timers.now())
      if (isUnused(lane)) lanes.delete(name)
    }
  }

  function enter(lane: Lane): Promise<void> {
    if (lane.waiting.length >= maxWaiting) throw refuse('SEARCHES_BUSY', { retryAfter })
    return new Promise((start, fail) => {
      const timeout = timers.after(maxWaitMs, () => {
        lane.waiting.splice(lane.waiting.indexOf(waiting), 1)
        fail(refuse('SEARCHES_BUSY', { retryAfter }))
      })
      const waiting = { start, timeout }
      lane.waiting.push(waiting)
      startNext(lane)
    })
  }

  /** Starts the search that has waited longest, as soon as no other runs and the budget is not overdrawn. */
  function startNext(lane: Lane) {
    if (lane.isRunning || lane.waiting.length === 0) return
    refill(lane.left, budget, timers.now())
    if (lane.left.tokens < 0) {
      lane.refilled?.cancel()
      const refilledMs = Math.ceil((-lane.left.tokens * 1000) / budget.perSecond)
      lane.refilled = timers.after(refilledMs, () => startNext(lane))
      return
    }
    const next = lane.waiting.shift()
    next?.timeout.cancel()
    lane.isRunning = true
    next?.start()
  }

  async function run<T>(
    accountId: number,
    search: (db: Database) => Promise<T>,
    kind: SearchLane = 'other lists',
  ): Promise<T> {
    const name = `${accountId} ${kind}`
    const lane = laneOf(name)
    await enter(lane)
    const began = timers.now()
    try {
      return await search(db)
    } catch (error) {
      throw isCancelled(error) ? refuse('SEARCH_TOO_EXPENSIVE') : error
    } finally {
      refill(lane.left, budget, timers.now())
      lane.left.tokens -= Math.max(0, timers.now() - began - freeMs)
      lane.isRunning = false
      startNext(lane)
      if (isUnused(lane)) lanes.delete(name)
    }
  }

  return { run }
}
export type Searches = ReturnType<typeof createSearches>

/**
 * D186: the timeout is that of a whole search, not of each of its statements. Once the first ones took some time, the
 * next one has what is left of it.
 */
export function createSearchDeadline(db: Database, now = () => performance.now()) {
  const began = now()
  const spentMs = () => now() - began
  const leftMs = () => searchTimeoutMs - spentMs()

  async function within<T>(work: (db: Database) => Promise<T>): Promise<T> {
    const left = Math.floor(leftMs())
    if (left > searchTimeoutMs - freeMs) return await work(db)
    if (left <= 0) throw refuse('SEARCH_TOO_EXPENSIVE')
    return await db.transaction().execute(async (tx) => {
      await sql`select set_config('statement_timeout', ${String(left)}, true)`.execute(tx)
      return await work(tx)
    })
  }

  return { within, spentMs, leftMs }
}
export type SearchDeadline = ReturnType<typeof createSearchDeadline>

function isUnused({ isRunning, waiting, left }: Lane): boolean {
  return !isRunning && waiting.length === 0 && left.tokens === budget.burst
}

/** SQLSTATE 57014: the statement ran into the timeout of its connection. */
function isCancelled(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '57014'
}
