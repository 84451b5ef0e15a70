/** Reads what the report of a month says, by the statistics and the ledger that also answer the API. */
import type { CreditOfPeriod, Ledger } from '../billing/ledger/ledger.ts'
import type { CallListing, StatsGroup } from '../calls/list/listing.ts'
import type { CallResults } from '../calls/results/results.ts'
import { findExtensionNames } from '../extensions/profiles-store.ts'
import type { Database } from '../store/database.ts'
import { findUserNames } from '../users/users-store.ts'
import {
  addUp,
  type GroupFigures,
  largestGroups,
  type MonthlyReport,
  maxGroups,
  type NamedFigures,
  plainName,
} from './monthly-report.ts'
import type { DueReport } from './monthly-reports-store.ts'
import type { ReportWords } from './report-words.ts'

export type ReportSources = {
  db: Database
  callListing: Pick<CallListing, 'statsOfAccount'>
  callResults: Pick<CallResults, 'outcomes'>
  ledger: Pick<Ledger, 'creditOfPeriod'>
}

export function createReportReader({ db, callListing, callResults, ledger }: ReportSources) {
  async function read(due: DueReport, words: ReportWords): Promise<MonthlyReport> {
    const { accountId, timeZone, domain, firstDay, lastDay, firstDayBefore } = due
    const month = { from: due.began, to: due.ended }
    const stats = async (span: { from: Date; to: Date }, group?: StatsGroup): Promise<GroupFigures[]> =>
      await callListing.statsOfAccount({ accountId, timeZone }, { ...span, by: 'day', group })
    const figures = addUp(await stats(month))
    const before = addUp(await stats({ from: due.beganBefore, to: due.began }))
    const credit: CreditOfPeriod = await ledger.creditOfPeriod({ accountId }, month)
    return {
      domain,
      firstDay,
      lastDay,
      firstDayBefore,
      figures,
      before,
      extensions: await nameExtensions(accountId, largestGroups(await stats(month, 'extension'))),
      users: await nameUsers(accountId, largestGroups(await stats(month, 'user')), words),
      outcomes: await nameOutcomes(accountId, largestGroups(await stats(month, 'outcome')), words),
      credit,
    }
  }

  async function nameExtensions(accountId: number, groups: GroupFigures[]): Promise<NamedFigures[]> {
    const largest = named(groups).slice(0, maxGroups)
    const names = await findExtensionNames(
      db,
      accountId,
      largest.map(({ name }) => name),
    )
    return largest.map((row) => ({
      ...row,
      name: [row.name, plainName(names.get(row.name))].filter(Boolean).join(' '),
    }))
  }

  async function nameUsers(
    accountId: number,
    groups: GroupFigures[],
    { removedUser }: ReportWords,
  ): Promise<NamedFigures[]> {
    const largest = named(groups).slice(0, maxGroups)
    const names = await findUserNames(
      db,
      accountId,
      largest.map(({ name }) => name),
    )
    return largest.map((row) => ({ ...row, name: plainName(names.get(row.name)) ?? removedUser }))
  }

  async function nameOutcomes(
    accountId: number,
    groups: GroupFigures[],
    { noOutcome }: ReportWords,
  ): Promise<NamedFigures[]> {
    const withOutcome = named(groups)
    if (withOutcome.length === 0) return []
    const labels = new Map(
      (await callResults.outcomes({ accountId })).map(({ key, label }) => [key, label] as const),
    )
    const rest = groups.filter(({ group }) => group === null)
    return [
      ...withOutcome.map((row) => ({ ...row, name: plainName(labels.get(row.name)) ?? row.name })),
      ...rest.map((row) => ({ ...row, name: noOutcome })),
    ]
  }

  return { read }
}

/** Groups that have a name: calls without a user, for instance, are in none. */
function named(groups: readonly GroupFigures[]): NamedFigures[] {
  return groups.flatMap(({ group, ...figures }) => (group === null ? [] : [{ ...figures, name: group }]))
}
