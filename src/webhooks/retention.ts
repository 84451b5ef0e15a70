/**
 * Events and their deliveries are kept for 30 days at least (D86: retries and retention), and then removed by the month:
 * first the deliveries, in batches, then the events with their partition (D254).
 */
import type { Clock } from '../kit/clock.ts'
import type { Database } from '../store/database.ts'
import { addParts, dropPart, eventsTable, type Part, selectOldParts } from '../store/partitioned-tables.ts'
import { deleteDeliveriesOf, hasDueDeliveries } from './events-store.ts'

export const keptDays = 30
const batchSize = 1_000

export async function removeOld(db: Database, clock: Clock) {
  await addParts(db, eventsTable, clock.now())
  for (const part of await selectOldParts(db, eventsTable, keptDays)) {
    // D517: a process with a wrong clock may have written events of today into a month long ago.
    if (await hasDueDeliveries(db, part, keptDays)) continue
    await removeDeliveries(db, part)
    if (!(await dropPart(db, eventsTable, part))) return
  }
}

async function removeDeliveries(db: Database, part: Part) {
  for (let last: number | undefined = 0; last !== undefined; ) {
    last = await deleteDeliveriesOf(db, { part, after: last, limit: batchSize })
  }
}
