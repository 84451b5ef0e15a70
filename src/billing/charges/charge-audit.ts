import { toReais } from '../../kit/text/money.ts'
import type { Database } from '../../store/database.ts'
import { recordAudit } from '../../users/audit/audit.ts'
import type { Caller } from '../../users/caller.ts'
import type { ChargeRow } from './charges-store.ts'

/** Records in the audit log what a user of the account did with a charge. */
export async function auditCharge(
  tx: Database,
  { accountId, user }: Caller,
  action: 'charge.created' | 'charge.cancelled',
  { id, amount }: ChargeRow,
  at: Date,
) {
  await recordAudit(tx, {
    accountId,
    at,
    action,
    actor: user.email,
    subject: String(id),
    details: { amount: toReais(amount) },
  })
}
