/**
 * Events and their deliveries are kept for 30 days at least (D86: retries and retention), and then removed by the month:
 * first the deliveries, in batches, then the events with their partition (D254).
 */
import { type Clock, plusSeconds } from '../kit/clock.ts'
import type { Database } from '../store/database.ts'
import { addMonths, dropPart, eventsTable, selectPartsBefore } from '../store/monthly-tables.ts'
import { deleteDeliveriesUpTo, findLastEvent } from './events-store.ts'

const keptDays = 30
const batchSize = 1_000

export async function removeOld(db: Database, clock: Clock) {
  await addMonths(db, eventsTable, clock.now())
  const before = plusSeconds(clock.now(), -keptDays * 86_400)
  for (const part of await selectPartsBefore(db, eventsTable, before)) {
    const last = await findLastEvent(db, part.until)
    for (let count = batchSize; last !== undefined && count === batchSize; ) {
      count = await deleteDeliveriesUpTo(db, last, batchSize)
    }
    if (!(await dropPart(db, eventsTable, part))) return
  }
}
