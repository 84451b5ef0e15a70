/** SQL about the daily files of accounts: which are due, who writes them, and up to which change they are written. */
import { sql } from 'kysely'
import type { Database } from '../store/database.ts'

export type DueFile = { accountId: number; domain: string; kind: string }

/** A process that was killed while it wrote a file: another writes it after this time. */
const claimHours = 1

/** Days begin and end in UTC, by the clock of the database. */
const today = sql`(clock_timestamp() at time zone 'UTC')::date`

export async function selectDueFiles(db: Database, kinds: string[]): Promise<DueFile[]> {
  const { rows } = await sql<DueFile>`
    select accounts.id as "accountId", accounts.domain, kind
    from accounts cross join unnest(${kinds}::text[]) as kind
    where not exists (
      select from daily_files
      where daily_files.account_id = accounts.id and daily_files.kind = kind.kind
        and (written_on >= ${today} or claimed_until > clock_timestamp()))
    order by accounts.id, kind`.execute(db)
  return rows
}

/** Undefined if another process writes it, or has written it. `cursor` is null for the first file. */
export async function claimFile(db: Database, { accountId, kind }: DueFile) {
  const { rows } = await sql<{ cursor: string | null; day: string }>`
    insert into daily_files as file (account_id, kind, claimed_until)
    values (${accountId}, ${kind}, clock_timestamp() + make_interval(hours => ${claimHours}))
    on conflict (account_id, kind) do update set claimed_until = excluded.claimed_until
    where file.claimed_until < clock_timestamp() and (file.written_on is null or file.written_on < ${today})
    returning cursor, ${today}::text as day`.execute(db)
  return rows[0]
}

/** A process that was slow does not set the position back. Cursors begin with a time, so that they sort by it. */
export async function recordFile(
  db: Database,
  { accountId, kind }: DueFile,
  { cursor, day }: { cursor: string; day: string },
) {
  await sql`
    update daily_files
    set cursor = greatest(cursor, ${cursor}), written_on = ${day}::date, claimed_until = '-infinity'
    where account_id = ${accountId} and kind = ${kind}`.execute(db)
}
