/**
 * Adds the keys by which calls are found by their caller (D440) or by the end of their destination (D442) to calls from
 * before an upgrade: a job, one step a transaction, with a pause after each. New calls have them from the start.
 */
import { type Clock, plusSeconds } from '../../../kit/clock.ts'
import type { Database } from '../../../store/database.ts'
import { type Pause, pauseFactor, settledSeconds, stepCalls, whileLocked } from './call-counts.ts'
import { addCallerKeys, deleteUnused } from './caller-values-store.ts'
import { addDestinationKeys } from './destination-ends-store.ts'
import { type MissingTable, type Step, selectMissing } from './missing-step-sql.ts'

type Deps = { db: Database; clock: Clock }

type AddStep = (tx: Database, work: Step) => Promise<boolean>
const kinds: [MissingTable, AddStep][] = [
  ['caller_values_missing', addCallerKeys],
  ['destination_ends_missing', addDestinationKeys],
]

export function createMissingKeys({ db, clock }: Deps) {
  async function tick(pause: Pause = async () => true) {
    for (const [table, addStep] of kinds) {
      for (const accountId of await selectMissing(db, table)) {
        if (!(await addAll(accountId, addStep, pause))) return
      }
    }
  }

  /** An account whose lock is taken is left for the next tick. Returns false if the job must stop. */
  async function addAll(accountId: number, addStep: AddStep, pause: Pause): Promise<boolean> {
    const work = { accountId, step: stepCalls, upTo: plusSeconds(clock.now(), -settledSeconds) }
    let began = performance.now()
    while (await whileLocked(db, accountId, (tx) => addStep(tx, work))) {
      if (!(await pause(pauseFactor * (performance.now() - began)))) return false
      began = performance.now()
    }
    return true
  }

  return { tick }
}

/** Once calls were removed (D253): names and addresses that no call has any more are not kept. */
export async function forgetUnusedValues(db: Database, accountId: number) {
  await whileLocked(db, accountId, (tx) => deleteUnused(tx, accountId))
}
