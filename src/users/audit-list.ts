/** The audit log of an account, newest first. */
import { defineList } from '../filter/list.ts'
import type { PagedQuery } from '../filter/list-query.ts'
import { applyList } from '../filter/sql/list-sql.ts'
import { whereSql } from '../filter/sql/where-sql.ts'
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
  const mine = db.selectFrom('audit').where('audit.account_id', '=', caller.accountId)
  const [rows, { total }] = await Promise.all([
    applyList(mine.select(['id', 'at', 'action', 'actor', 'subject', 'details']), query).execute(),
    mine
      .where(whereSql(query.where))
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow(),
  ])
  return { rows, total }
}
