/** D212: the audit log is kept for a number of days. */
import { type Clock, plusSeconds } from '../kit/clock.ts'
import type { Database } from '../store/database.ts'
import { deleteInBatches } from '../store/delete-in-batches.ts'

const daySeconds = 86_400

type Deps = { db: Database; clock: Clock; days: number }

export function createAuditRetention({ db, clock, days }: Deps) {
  async function sweep() {
    const before = plusSeconds(clock.now(), -days * daySeconds)
    await deleteInBatches(db, { table: 'audit', column: 'at', before })
  }

  return { sweep }
}
