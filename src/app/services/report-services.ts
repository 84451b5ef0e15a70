/** Reports that the service sends by itself, with links to the pages of the console. */
import type { Ledger } from '../../billing/ledger/ledger.ts'
import type { CallListing } from '../../calls/list/listing.ts'
import type { CallResults } from '../../calls/results/results.ts'
import type { Config } from '../../config.ts'
import { consolePath } from '../../http/console/console-routes.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Log } from '../../kit/process/log.ts'
import type { Outbox } from '../../mail/outbox.ts'
import { createMonthlyReports } from '../../reports/monthly-reports.ts'
import type { Database } from '../../store/database.ts'
import type { Addresses } from '../process/addresses.ts'

type Deps = {
  config: Pick<Config, 'hasConsole'>
  base: { db: Database; clock: Clock; log: Log; addresses: Addresses }
  outbox: Outbox
  callListing: CallListing
  callResults: CallResults
  ledger: Ledger
}

export function createReportServices({ config, base, outbox, callListing, callResults, ledger }: Deps) {
  const { db, clock, log, addresses } = base
  const pageOf = (firstDay: string, lastDay: string) =>
    config.hasConsole
      ? `${addresses.publicUrl()}${consolePath}/reports?since=${firstDay}&until=${lastDay}`
      : undefined
  return {
    monthly: createMonthlyReports({ db, clock, log, outbox, callListing, callResults, ledger, pageOf }),
  }
}
