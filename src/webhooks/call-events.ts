/** Events of calls, written in the transaction in which they happen. */
import type { Database } from '../store/database.ts'
import { type CallHappening, composeCall } from './payload.ts'
import { type NewEvent, writeEvents } from './write-events.ts'

/** Which webhooks have something to send; `wake` publishes them after the commit. */
export type Announced = { integrations: number[] }

/** Events of one call must be given in the order in which they happened; the caller holds the lock of the call's row. */
export async function announceAll(tx: Database, now: Date, happenings: CallHappening[]): Promise<Announced> {
  const receivers = await writeEvents(tx, now, happenings.map(eventOf))
  return { integrations: receivers.map(({ integrationId }) => integrationId) }
}

function eventOf(happening: CallHappening): NewEvent {
  const { accountId, callId, kind, userId } = happening
  return {
    type: kind,
    accountId,
    userId,
    subject: { kind: 'call', id: callId },
    stream: callId,
    compose: (account, sequence) => composeCall(happening, account, sequence),
  }
}
