/** SQL of the audit log. */
import type { Insertable } from 'kysely'
import type { PagedQuery } from '../../filter/list-query.ts'
import { readPage, selectRows } from '../../filter/sql/page-sql.ts'
import type { Database } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'

export async function insertAuditEntry(db: Database, row: Insertable<Tables['audit']>) {
  await db.insertInto('audit').values(row).execute()
}

const selectEntries = (db: Database, accountId: number) =>
  db
    .selectFrom('audit')
    .select(['id', 'at', 'action', 'actor', 'subject', 'details'])
    .where('audit.account_id', '=', accountId)

export async function readAuditLog(db: Database, accountId: number, query: PagedQuery) {
  return await readPage(selectEntries(db, accountId), query)
}

/** Without their total. */
export async function readAuditRows(db: Database, accountId: number, query: PagedQuery) {
  return await selectRows(selectEntries(db, accountId), query)
}
