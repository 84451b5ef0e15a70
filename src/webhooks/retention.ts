/** Events and their deliveries are kept for 30 days (D86: retries and retention), and deleted in batches. */
import { type Clock, plusSeconds } from '../kit/clock.ts'
import type { Database } from '../store/database.ts'
import { deleteOldEvents } from './events-store.ts'

const keptDays = 30
const batchSize = 500
/** Of one sweep; the next sweep continues. */
const maxBatches = 200

/** Returns how many events were deleted. */
export async function removeOld(db: Database, clock: Clock): Promise<number> {
  let removed = 0
  for (let batch = 0; batch < maxBatches; batch++) {
    const count = await deleteOldEvents(db, plusSeconds(clock.now(), -keptDays * 86_400), batchSize)
    removed += count
    if (count < batchSize) break
  }
  return removed
}
