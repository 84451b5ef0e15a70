/** D623: what the operator changes that belongs to no account, recorded in the transaction that changes it. */
import type { OperatorAction } from '../../contract/operator-log.ts'
import type { Database } from '../../store/database.ts'
import { insertOperatorChange, readOperatorChanges } from './operator-log-store.ts'

type Change = {
  at: Date
  action: OperatorAction
  subject?: string
  reason?: string | undefined
  details: Record<string, unknown>
}

export async function recordOperatorChange(tx: Database, { at, action, subject, reason, details }: Change) {
  await insertOperatorChange(tx, {
    at,
    action,
    subject: subject ?? null,
    reason: reason ?? null,
    details: JSON.stringify(details),
  })
}

export function createOperatorLog({ db }: { db: Database }) {
  return {
    /** The newest first. */
    list: (page: { limit: number; offset: number }) => readOperatorChanges(db, page),
  }
}
export type OperatorLog = ReturnType<typeof createOperatorLog>
