/** Events of calls, written in the transaction in which they happen. */
import type { Database } from '../store/database.ts'
import type { EventReceiver } from './events-store.ts'
import { type CallAnnouncement, composeCall } from './payload.ts'
import { type NewEvent, writeEvents } from './write-events.ts'

/** Events of one call must be given in the order in which they happened; the caller holds the lock of the call's row. */
export async function announceCalls(
  tx: Database,
  now: Date,
  announcements: CallAnnouncement[],
): Promise<EventReceiver[]> {
  return await writeEvents(tx, now, announcements.map(toEvent))
}

function toEvent(announcement: CallAnnouncement): NewEvent {
  const { accountId, callId, type, userId } = announcement
  return {
    type,
    accountId,
    userId,
    subject: { kind: 'call', id: callId },
    stream: callId,
    compose: (account, sequence) => composeCall(announcement, account, sequence),
  }
}
