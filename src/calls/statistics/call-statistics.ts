/**
 * D324: counts ahead what calls come to in every hour, for statistics (tables call_figures and call_figure_ends). The
 * calls of an hour are counted when all that began in it are over; figures are undone from the hour of a
 * call that is added late. At an upgrade it works through the existing calls in the same way, and continues where it was stopped.
 */
import type { Database } from '../../store/database.ts'
import type { Pause } from '../list/counts/call-counts.ts'
import { deleteUnfit, extendFigures, lockFigures, selectWithoutFigures } from './statistics-store.ts'

const defaultStepCalls = 20_000
/** After each step it pauses for this many times as long as the step took. */
const pauseFactor = 4

type Deps = { db: Database; stepCalls?: number }

export function createCallStatistics({ db, stepCalls = defaultStepCalls }: Deps) {
  /** One step a transaction, with a pause after each. */
  async function tick(pause: Pause = async () => true) {
    for (const accountId of await selectWithoutFigures(db)) {
      let began = performance.now()
      while (await extend(accountId)) {
        if (!(await pause(pauseFactor * (performance.now() - began)))) return
        began = performance.now()
      }
    }
  }

  async function extend(accountId: number): Promise<boolean> {
    return await db.transaction().execute(async (tx) => {
      await lockFigures(tx, accountId)
      await deleteUnfit(tx, accountId)
      return await extendFigures(tx, accountId, stepCalls)
    })
  }

  return { tick }
}
