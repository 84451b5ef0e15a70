/** D212: the audit log is kept for a number of days, and removed by the month (D254). */
import { type Clock, plusSeconds } from '../kit/clock.ts'
import type { Database } from '../store/database.ts'
import { addMonths, auditTable, dropPart, selectPartsBefore } from '../store/monthly-tables.ts'

const daySeconds = 86_400

type Deps = { db: Database; clock: Clock; days: number }

export function createAuditRetention({ db, clock, days }: Deps) {
  async function sweep() {
    await addMonths(db, auditTable, clock.now())
    const before = plusSeconds(clock.now(), -days * daySeconds)
    for (const part of await selectPartsBefore(db, auditTable, before)) {
      if (!(await dropPart(db, auditTable, part))) return
    }
  }

  return { sweep }
}
