/**
 * D643: mails the report of the month before, from 6 o'clock of the first day, local to the account. One transaction for
 * each account posts the mails and records the month: a kill before its end leaves the report due, one after it finds it
 * sent. Several processes may do this at once.
 */
import { type Clock, plusSeconds } from '../kit/clock.ts'
import type { Log } from '../kit/process/log.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { Mail } from '../mail/port.ts'
import type { Database } from '../store/database.ts'
import { findConfirmedAdmins } from '../users/users-store.ts'
import { type DueReport, findDueReport, recordSent } from './monthly-reports-store.ts'
import { reportMail } from './report-mail.ts'
import { createReportReader, type ReportSources } from './report-reader.ts'
import { reportWords } from './report-words.ts'

export const reportTickSeconds = 60
/** Mails that somebody waits for, such as a link for a password, are behind those of this many accounts at most. */
const accountsPerTick = 60
/** An account whose report failed is left out for so long, so that it costs the database little. */
const retrySeconds = 3_600

type Deps = Omit<ReportSources, 'db'> & {
  db: Database
  clock: Clock
  log: Log
  outbox: Pick<Outbox, 'post' | 'wake'>
  /** The reports page of the console with these days; undefined without a console. */
  pageOf: (firstDay: string, lastDay: string) => string | undefined
  maxAccounts?: number
}

export function createMonthlyReports(deps: Deps) {
  const { db, clock, log, outbox, callListing, callResults, ledger, pageOf } = deps
  const { maxAccounts = accountsPerTick } = deps
  const reader = createReportReader({ db, callListing, callResults, ledger })
  const failedAt = new Map<number, Date>()

  async function tick(isStopping: () => boolean) {
    for (let accounts = 0; accounts < maxAccounts && !isStopping(); accounts += 1) {
      if (!(await sendNext())) return
    }
  }

  /** False if no report is due. */
  async function sendNext(): Promise<boolean> {
    const now = clock.now()
    for (const [accountId, at] of failedAt) {
      if (at <= plusSeconds(now, -retrySeconds)) failedAt.delete(accountId)
    }
    const due = await findDueReport(db, { now, except: [...failedAt.keys()] })
    if (!due) return false
    try {
      const mails = await mailsOf(due)
      await db.transaction().execute(async (tx) => {
        // Another process may have sent it meanwhile.
        if (await recordSent(tx, due)) for (const mail of mails) await outbox.post(tx, mail)
      })
    } catch (error) {
      failedAt.set(due.accountId, now)
      log.error({ err: error, account: due.domain }, 'a monthly report failed; it is tried again in an hour')
      return true
    }
    outbox.wake()
    return true
  }

  /** Without a transaction: the calls of a month take long to count. */
  async function mailsOf(due: DueReport): Promise<Mail[]> {
    const admins = await findConfirmedAdmins(db, due.accountId)
    if (admins.length === 0) return []
    const { language, firstDay, lastDay } = due
    const report = await reader.read(due, reportWords[language])
    const mail = reportMail(report, { language, page: pageOf(firstDay, lastDay) })
    return admins.map(({ email }) => ({ ...mail, recipient: email }))
  }

  return { tick }
}
