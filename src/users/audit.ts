/** The audit log (D60): actions that matter to security, recorded in the transaction that performs them. */
import type { PagedQuery } from '../filter/list-query.ts'
import type { Database } from '../store/database.ts'
import { insertAuditEntry, readAuditLog } from './audit-store.ts'
import type { Caller } from './caller.ts'

export type Action =
  | 'account.signed-up'
  | 'account.created'
  | 'account.confirmed'
  | 'account.updated'
  | 'account.limits-changed'
  | 'user.created'
  | 'user.updated'
  | 'user.invited'
  | 'user.invitation-accepted'
  | 'user.removed'
  | 'user.email-confirmed'
  | 'user.email-changed'
  | 'user.email-kept'
  | 'user.password-changed'
  | 'user.password-reset'
  | 'user.password-set'
  | 'user.second-factor-enabled'
  | 'user.second-factor-disabled'
  | 'user.recovery-codes-renewed'
  | 'user.recovery-code-used'
  | 'extension.created'
  | 'extension.updated'
  | 'extension.removed'
  | 'extension.displaced'
  | 'extension.setup-link-created'
  | 'extension.setup-link-used'
  | 'recording.links-revoked'
  | 'recording.removed'
  | 'number.claimed'
  | 'number.called'
  | 'number.verified'
  | 'number.removed'
  | 'number.assigned'
  | 'number.released'
  | 'integration.created'
  | 'integration.updated'
  | 'integration.removed'
  | 'integration.secret-rotated'
  | 'financial.activated'
  | 'financial.rejected'
  | 'financial.updated'
  | 'charge.created'
  | 'charge.cancelled'
  | 'charge.refund-asked'
  | 'credit.adjusted'
  | 'login.succeeded'
  | 'login.failed'
  | 'session.started'
  | 'session.ended'
  | 'token.created'
  | 'token.revoked'

type AuditEntry = {
  accountId: number
  at: Date
  action: Action
  /** E-mail of the user who acted; null for the system and for unknown users. */
  actor: string | null
  subject?: string
  details?: Record<string, unknown>
}

export async function recordAudit(
  db: Database,
  { accountId, at, action, actor, subject, details }: AuditEntry,
) {
  await insertAuditEntry(db, {
    account_id: accountId,
    at,
    action,
    actor,
    subject: subject ?? null,
    details: JSON.stringify(details ?? {}),
  })
}

export async function listAudit(db: Database, caller: Caller, query: PagedQuery) {
  return await readAuditLog(db, caller.accountId, query)
}
