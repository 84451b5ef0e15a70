/** D643: which accounts get monthly reports; a part of the settings of an account. */
import type { Clock } from '../kit/clock.ts'
import type { Database } from '../store/database.ts'
import { addReports, hasReports, removeReports } from './monthly-reports-store.ts'

export function createReportSubscriptions({ clock }: { clock: Clock }) {
  /** An account that has them already keeps its place: nothing is sent twice. */
  async function write(tx: Database, accountId: number, isOn: boolean) {
    if (isOn) await addReports(tx, accountId, clock.now())
    else await removeReports(tx, accountId)
  }

  return { read: hasReports, write }
}
