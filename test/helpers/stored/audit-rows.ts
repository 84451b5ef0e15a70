/** An audit log with entries of a test's own, which no request can write. */
import { sql } from 'kysely'
import type { Database } from '../../../src/store/database.ts'
import { recordAudit } from '../../../src/users/audit/audit.ts'

type AuditEntry = Parameters<typeof recordAudit>[1]

/** The log of all accounts has these entries and no others. */
export async function replaceAudit(db: Database, entries: AuditEntry[]) {
  await sql`truncate audit`.execute(db)
  for (const entry of entries) await recordAudit(db, entry)
}

/** D254: a trigger keeps entries from being deleted one by one. */
export async function removeAuditOf(db: Database, subject: string) {
  await sql`alter table audit disable trigger audit_kept`.execute(db)
  await db.deleteFrom('audit').where('subject', '=', subject).execute()
  await sql`alter table audit enable trigger audit_kept`.execute(db)
}

/** Entries that look like formulas, each a minute older than the one before. */
export async function insertAudit(db: Database, accountId: number, count: number, at: Date) {
  await sql`
    insert into audit (account_id, at, action, actor, subject, details)
    select ${accountId}, ${at}::timestamptz - make_interval(mins => n), 'user.created', 'ana', '=1+1', '{"n":1}'
    from generate_series(1, ${count}) as n`.execute(db)
}
