/**
 * Counts calls ahead of those who ask for totals: a loop that now and then writes down how many began before a
 * moment (table call_counts). A step is some thousand calls: so many at most are counted anew at either end of a range.
 *
 *   calls   ├───────────┼────────────┼─────────┼───── since ─────┤ now
 *   counts  until     until        until
 */
import { type Clock, plusSeconds } from '../../kit/clock.ts'
import type { Database } from '../../store/database.ts'
import { advance, lockCounts, selectUncounted, selectWorth } from './call-counts-store.ts'

const stepCalls = 1000
/** Fewer are not worth a write. */
const fewest = stepCalls / 2
/** Calls are stored within seconds of their start; one that comes later is still counted right, at some cost. */
const settledSeconds = 60
/** Placing a call waits behind a count that waits for its turn: never for long. */
const patienceMs = 200
/** So much longer than it has counted it lets the others be. */
const restShare = 4

type Deps = { db: Database; clock: Clock }

/** Waits; false if there is no time to go on. */
export type Rest = (ms: number) => Promise<boolean>

export function createCallCounts({ db, clock }: Deps) {
  /** A step a transaction; without a rest, as fast as it goes. */
  async function tick(rest: Rest = async () => true) {
    const upTo = plusSeconds(clock.now(), -settledSeconds)
    for (const accountId of await selectUncounted(db, upTo, fewest)) {
      let began = performance.now()
      while (await countOn(accountId, upTo)) {
        if (!(await rest(restShare * (performance.now() - began)))) return
        began = performance.now()
      }
    }
  }

  /** One step; whether there is more to count. An account that is too busy now is left for the next time. */
  async function countOn(accountId: number, upTo: Date): Promise<boolean> {
    const worth = await selectWorth(db, accountId, upTo, stepCalls)
    try {
      return await db.transaction().execute(async (tx) => {
        await lockCounts(tx, accountId, patienceMs)
        return await advance(tx, accountId, { upTo, step: stepCalls, worth })
      })
    } catch (error) {
      if (isBusy(error)) return false
      throw error
    }
  }

  return { tick }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03'
}
