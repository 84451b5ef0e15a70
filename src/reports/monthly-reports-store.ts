/** SQL of monthly reports: which accounts get them, and which report is due. */
import { sql } from 'kysely'
import type { Language } from '../kit/text/language.ts'
import type { Database } from '../store/database.ts'

/** Hour of the first day of a month, local to the account, from which the report of the month before is due. */
const dueHour = 6

/** First day of the newest month whose report is due or was sent, in the time zone of `accounts`. */
const newestMonth = (now: Date) => sql`
  date_trunc('month', (${now}::timestamptz at time zone accounts.time_zone) - make_interval(hours => ${dueHour}::int))
    - interval '1 month'`

export async function hasReports(db: Database, accountId: number): Promise<boolean> {
  const found = await db
    .selectFrom('monthly_reports')
    .select('account_id')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return found !== undefined
}

/** The first report is that of the month that is under way. */
export async function addReports(tx: Database, accountId: number, now: Date) {
  await sql`
    insert into monthly_reports (account_id, sent_for)
    select id, (${newestMonth(now)})::date from accounts where id = ${accountId}
    on conflict (account_id) do nothing`.execute(tx)
}

export async function removeReports(tx: Database, accountId: number) {
  await tx.deleteFrom('monthly_reports').where('account_id', '=', accountId).execute()
}

export type DueReport = {
  accountId: number
  domain: string
  timeZone: string
  language: Language
  /** `2026-10-01`. */
  firstDay: string
  lastDay: string
  /** First day of the month before. */
  firstDayBefore: string
  /** Midnights of the account: of the month before, of the month, and of the one after it. */
  beganBefore: Date
  began: Date
  ended: Date
}

/**
 * One account whose report is due. Only the newest month is, however many were missed. Suspended accounts get theirs after
 * the release.
 */
export async function findDueReport(
  db: Database,
  { now, except }: { now: Date; except: number[] },
): Promise<DueReport | undefined> {
  const { rows } = await sql<DueReport>`
    select report.account_id as "accountId", accounts.domain, accounts.time_zone as "timeZone", accounts.language,
      to_char(month, 'YYYY-MM-DD') as "firstDay",
      to_char(month + interval '1 month - 1 day', 'YYYY-MM-DD') as "lastDay",
      to_char(month - interval '1 month', 'YYYY-MM-DD') as "firstDayBefore",
      (month - interval '1 month') at time zone accounts.time_zone as "beganBefore",
      month at time zone accounts.time_zone as began,
      (month + interval '1 month') at time zone accounts.time_zone as ended
    from monthly_reports as report join accounts on accounts.id = report.account_id,
      lateral (select ${newestMonth(now)} as month) as newest
    where report.sent_for < month and report.account_id <> all(${except}::bigint[])
      and accounts.activated_at is not null and accounts.suspended_at is null
    order by report.account_id limit 1`.execute(db)
  return rows[0]
}

/** False if it was sent already, or is no longer wanted. */
export async function recordSent(tx: Database, { accountId, firstDay }: DueReport): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update monthly_reports set sent_for = ${firstDay}::date
    where account_id = ${accountId} and sent_for < ${firstDay}::date`.execute(tx)
  return numAffectedRows > 0n
}
