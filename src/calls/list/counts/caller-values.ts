/**
 * Adds the keys by which calls are found by their caller (D440) to calls from before an upgrade: a job, one step a
 * transaction, with a pause after each. New calls have them from the start.
 */
import { type Clock, plusSeconds } from '../../../kit/clock.ts'
import type { Database } from '../../../store/database.ts'
import { type Pause, pauseFactor, settledSeconds, stepCalls, whileLocked } from './call-counts.ts'
import { addMissing, deleteUnused, selectMissing } from './caller-values-store.ts'

type Deps = { db: Database; clock: Clock }

export function createCallerValues({ db, clock }: Deps) {
  /** An account whose lock is taken is left for the next tick. */
  async function tick(pause: Pause = async () => true) {
    const upTo = plusSeconds(clock.now(), -settledSeconds)
    for (const accountId of await selectMissing(db)) {
      let began = performance.now()
      while (await whileLocked(db, accountId, (tx) => addMissing(tx, accountId, stepCalls, upTo))) {
        if (!(await pause(pauseFactor * (performance.now() - began)))) return
        began = performance.now()
      }
    }
  }

  return { tick }
}

/** Once calls were removed (D253): names and addresses that no call has any more are not kept. */
export async function forgetUnusedValues(db: Database, accountId: number) {
  await whileLocked(db, accountId, (tx) => deleteUnused(tx, accountId))
}
