/** D212: the audit log is kept for a number of days, and removed by the month (D254). */
import type { Clock } from '../../kit/clock.ts'
import type { Database } from '../../store/database.ts'
import { addParts, auditTable, dropPart, selectOldParts } from '../../store/partitioned-tables.ts'

type Deps = { db: Database; clock: Clock; days: number }

export function createAuditRetention({ db, clock, days }: Deps) {
  async function sweep() {
    await addParts(db, auditTable, clock.now())
    for (const part of await selectOldParts(db, auditTable, days)) {
      if (!(await dropPart(db, auditTable, part))) return
    }
  }

  return { sweep }
}
