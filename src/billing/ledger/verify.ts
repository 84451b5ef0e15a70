/** Proves that the books add up, or says what does not. */
import type { Database } from '../../store/database.ts'
import { allowLongStatements, findContradictions, type LedgerTotals, readTotals } from './invariants-store.ts'

export type VerifiedLedger = LedgerTotals & { findings: string[] }

/** Reads one snapshot of the database, so that concurrent changes are not mistaken for contradictions. */
export async function verifyLedger(db: Database): Promise<VerifiedLedger> {
  return await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      await allowLongStatements(tx)
      const findings = await findContradictions(tx)
      return { ...(await readTotals(tx)), findings }
    })
}
