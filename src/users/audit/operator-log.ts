/**
 * D623, D649: what operators change, and their log-ins, recorded in the transaction that changes it, with the operator's name.
 * Changes of an account come here by its audit log.
 */
import type { OperatorAction } from '../../contract/operator-log.ts'
import type { Database } from '../../store/database.ts'
import { actingOperator, commandLine } from './acting-operator.ts'
import { insertOperatorChange, readOperatorChanges } from './operator-log-store.ts'

type Change = {
  at: Date
  action: OperatorAction
  subject?: string
  reason?: string | undefined
  details: Record<string, unknown>
  /** If it is not the operator whose request this is. */
  operator?: string
}

export async function recordOperatorChange(
  tx: Database,
  { at, action, subject, reason, details, operator }: Change,
) {
  await insertOperatorChange(tx, {
    at,
    action,
    subject: subject ?? null,
    reason: reason ?? null,
    details: JSON.stringify(details),
    operator: operator ?? actingOperator() ?? commandLine,
    account_id: null,
  })
}

export function createOperatorLog({ db }: { db: Database }) {
  return {
    /** The newest first; of one operator, as the log names it, if there is one given. */
    list: (page: { operator?: string | undefined; limit: number; offset: number }) =>
      readOperatorChanges(db, page),
  }
}
export type OperatorLog = ReturnType<typeof createOperatorLog>
