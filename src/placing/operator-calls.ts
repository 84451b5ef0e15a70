/** D620: calls of all accounts, and hanging up a live one by the operator, at any node. */
import { findAnyCall, findLiveCall, searchLiveCalls } from '../calls/list/live-store.ts'
import { refuse } from '../contract/errors.ts'
import type { Clock } from '../kit/clock.ts'
import { isUuid } from '../kit/ids.ts'
import type { Database } from '../store/database.ts'
import { recordAudit } from '../users/audit/audit.ts'
import type { VoiceCommands } from '../voice/commands.ts'

type Deps = {
  db: Database
  /** For calls. */
  callsDb: Database
  clock: Clock
  commands: Pick<VoiceCommands, 'hangUp'>
}

export function createOperatorCalls({ db, callsDb, clock, commands }: Deps) {
  /** Resolves once the end is stored, as for the account itself (D13). */
  async function hangUp(id: string, reason: string): Promise<void> {
    const call = isUuid(id) ? await findLiveCall(callsDb, id) : undefined
    if (!call) throw refuse('CALL_NOT_FOUND')
    if (!(await commands.hangUp(call))) throw refuse('CALL_ENDED')
    await recordAudit(db, {
      accountId: call.account_id,
      at: clock.now(),
      action: 'call.hung-up',
      actor: null,
      subject: id,
      details: { reason },
    })
  }

  return {
    search: (search: Parameters<typeof searchLiveCalls>[1]) => searchLiveCalls(db, search),
    /** Undefined if there is no such call. */
    find: async (id: string) => (isUuid(id) ? await findAnyCall(db, id) : undefined),
    hangUp,
  }
}
export type OperatorCalls = ReturnType<typeof createOperatorCalls>
