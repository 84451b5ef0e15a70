/** The audit log (D60): actions that matter to security, recorded in the transaction that performs them. */
import type { AuditAction } from '../../contract/accounts/audit-actions.ts'
import type { PagedQuery } from '../../filter/list-query.ts'
import type { Database } from '../../store/database.ts'
import type { Caller } from '../caller.ts'
import { actingOperator } from './acting-operator.ts'
import { insertAuditEntry, readAuditLog, readAuditRows } from './audit-store.ts'
import { insertOperatorChange } from './operator-log-store.ts'

export type Action = AuditAction

type AuditEntry = {
  accountId: number
  at: Date
  action: Action
  /** E-mail of the user who acted; null for the system and for unknown users. */
  actor: string | null
  subject?: string
  details?: Record<string, unknown>
}

/** D649: what an operator does to an account is in the operator's log too, with the name, which the account does not see. */
export async function recordAudit(
  db: Database,
  { accountId, at, action, actor, subject, details = {} }: AuditEntry,
) {
  await insertAuditEntry(db, {
    account_id: accountId,
    at,
    action,
    actor,
    subject: subject ?? null,
    details: JSON.stringify(details),
  })
  const operator = actingOperator()
  if (actor !== null || operator === undefined) return
  const { reason, ...rest } = details
  await insertOperatorChange(db, {
    at,
    action,
    operator,
    account_id: accountId,
    subject: subject ?? null,
    reason: typeof reason === 'string' ? reason : null,
    details: JSON.stringify(rest),
  })
}

/** Without the total, for the whole log (D301). */
export async function readAuditPage(db: Database, caller: Caller, query: PagedQuery) {
  return await readAuditRows(db, caller.accountId, query)
}

export async function listAudit(db: Database, caller: Pick<Caller, 'accountId'>, query: PagedQuery) {
  return await readAuditLog(db, caller.accountId, query)
}
