/** The list of an account's audit log, newest first: by which fields it can be filtered, and its SQL. */
import { defineList } from '../filter/list.ts'
import type { PagedQuery } from '../filter/list-query.ts'
import { readPage } from '../filter/sql/page-sql.ts'
import type { Database } from '../store/database.ts'
import type { Caller } from './caller.ts'

export const auditList = defineList({
  fields: {
    id: { kind: 'integer', column: 'audit.id' },
    at: { kind: 'instant', column: 'audit.at' },
    action: { kind: 'text', column: 'audit.action' },
    actor: { kind: 'text', column: 'audit.actor', nullable: true },
    subject: { kind: 'text', column: 'audit.subject', nullable: true },
    details: { kind: 'json', column: 'audit.details' },
  },
  shows: ['id', 'at', 'action', 'actor', 'subject', 'details'],
  order: 'at DESC',
  id: 'audit.id',
})

export async function listAudit(db: Database, caller: Caller, query: PagedQuery) {
  const entries = db
    .selectFrom('audit')
    .select(['id', 'at', 'action', 'actor', 'subject', 'details'])
    .where('audit.account_id', '=', caller.accountId)
  return await readPage(entries, query)
}
