/**
 * D253: with CALLS_KEPT_MONTHS, calls are removed a whole month at a time, with their recordings and all that searches
 * and totals store of them. What they cost stays in the ledger.
 */

import type { Pause } from '../../calls/list/counts/call-counts.ts'
import { forgetUnusedValues } from '../../calls/list/counts/missing-keys.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Log } from '../../kit/process/log.ts'
import { startOfMonth } from '../../kit/text/months.ts'
import type { Database } from '../../store/database.ts'
import type { Recordings } from '../recordings.ts'
import { deleteCalls, selectAccountsBefore, selectOldest } from './call-retention-store.ts'

/** Calls of one transaction: new calls of the account wait for it only if they are stored late. */
const batchSize = 500
/** After each batch it pauses for this many times as long as the batch took. */
const pauseFactor = 2

type Deps = {
  db: Database
  clock: Clock
  log: Log
  recordings: Pick<Recordings, 'removeSound'>
  /** Undefined keeps them for ever. */
  months: number | undefined
}

/** The start of the oldest month that is kept. */
export function keptSince(now: Date, months: number): Date {
  return startOfMonth(now, -months)
}

export function createCallRetention({ db, clock, log, recordings, months }: Deps) {
  /** Returns how many calls were removed. One batch a transaction, with a pause after each. */
  async function tick(pause: Pause = async () => true): Promise<number> {
    if (months === undefined) return 0
    const before = keptSince(clock.now(), months)
    let removed = 0
    for (const accountId of await selectAccountsBefore(db, before)) {
      for (let count = batchSize; count === batchSize; ) {
        const began = performance.now()
        count = await removeBatch(accountId, before)
        removed += count
        if (!(await pause(pauseFactor * (performance.now() - began)))) return removed
      }
      await forgetUnusedValues(db, accountId)
    }
    if (removed > 0) log.info({ calls: removed, before }, 'old calls were removed')
    return removed
  }

  /** The sound goes first: a kill in between leaves a call without it, which the next tick removes. */
  async function removeBatch(accountId: number, before: Date): Promise<number> {
    const calls = await selectOldest(db, accountId, before, batchSize)
    await recordings.removeSound(calls)
    return await deleteCalls(
      db,
      calls.map(({ id }) => id),
    )
  }

  return { tick }
}
