/** The audit log: who did what that matters to security, in the transaction that did it (D60). */
import type { Database } from '../store/database.ts'

export type Action =
  | 'account.signed-up'
  | 'account.created'
  | 'account.confirmed'
  | 'account.updated'
  | 'user.created'
  | 'user.updated'
  | 'user.email-confirmed'
  | 'extension.created'
  | 'extension.updated'
  | 'extension.removed'
  | 'extension.displaced'
  | 'integration.created'
  | 'integration.updated'
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
  | 'token.created'
  | 'token.revoked'

type Entry = {
  accountId: number
  at: Date
  action: Action
  /** E-mail of who did it; null for the system and for strangers. */
  actor: string | null
  subject?: string
  details?: Record<string, unknown>
}

export async function recordAudit(db: Database, { accountId, at, action, actor, subject, details }: Entry) {
  await db
    .insertInto('audit')
    .values({
      account_id: accountId,
      at,
      action,
      actor,
      subject: subject ?? null,
      details: JSON.stringify(details ?? {}),
    })
    .execute()
}
