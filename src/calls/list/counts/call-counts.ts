/**
 * Counts calls ahead of requests for totals: a job that stores how many calls started before a time (table
 * call_counts). A step is a thousand calls: at either end of a range, at most that many are counted again.
 *
 *   calls   ├───────────┼────────────┼─────────┼───── since ─────┤ now
 *   counts  until     until        until
 *
 * A row with until '-infinity' has the number of calls that were removed since they were counted (D253).
 */
import { type Clock, plusSeconds } from '../../../kit/clock.ts'
import type { Database } from '../../../store/database.ts'
import { advance, lockCounts, selectCountKeys, selectUncounted } from './call-counts-store.ts'

export const stepCalls = 1000
/** Fewer calls are not worth a write. */
const minCalls = stepCalls / 2
/** Calls are stored within seconds of their start; one stored later is still counted right, at some cost. */
export const settledSeconds = 60
/** New calls wait behind a count that waits for the lock, so it gives up soon. */
const lockTimeoutMs = 200
/** After each step it pauses for this many times as long as the step took. */
export const pauseFactor = 4

type Deps = { db: Database; clock: Clock }

/** Waits; resolves with false if the job must stop. */
export type Pause = (ms: number) => Promise<boolean>

export function createCallCounts({ db, clock }: Deps) {
  /** One step a transaction, with a pause after each. */
  async function tick(pause: Pause = async () => true) {
    const upTo = plusSeconds(clock.now(), -settledSeconds)
    for (const accountId of await selectUncounted(db, upTo, minCalls)) {
      let began = performance.now()
      while (await countStep(accountId, upTo)) {
        if (!(await pause(pauseFactor * (performance.now() - began)))) return
        began = performance.now()
      }
    }
  }

  /** Counts one step and returns whether there is more. An account whose lock is taken is left for the next tick. */
  async function countStep(accountId: number, upTo: Date): Promise<boolean> {
    const countKeys = await selectCountKeys(db, accountId, upTo, stepCalls)
    const work = (tx: Database) => advance(tx, accountId, { upTo, step: stepCalls, countKeys })
    return (await whileLocked(db, accountId, work)) ?? false
  }

  return { tick }
}

/** While no call of the account is stored. Undefined if the lock is taken. */
export async function whileLocked<T>(
  db: Database,
  accountId: number,
  work: (tx: Database) => Promise<T>,
): Promise<T | undefined> {
  try {
    return await db.transaction().execute(async (tx) => {
      await lockCounts(tx, accountId, lockTimeoutMs)
      return await work(tx)
    })
  } catch (error) {
    if (isLockTimeout(error)) return undefined
    throw error
  }
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03'
}
