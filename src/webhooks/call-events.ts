/** Events of calls, written in the transaction in which they happen. */
import type { Statements } from '../store/connection/pipeline.ts'
import type { EventReceiver } from './events-store.ts'
import { type CallAnnouncement, composeCall } from './payload.ts'
import { type NewEvent, prepareEvents } from './write-events.ts'

/** Events of one call must be given in the order in which they happened; the caller holds the lock of the call's row. */
export async function announceCalls(
  tx: Statements,
  now: Date,
  announcements: CallAnnouncement[],
): Promise<EventReceiver[]> {
  const write = await prepareCalls(tx, now, announcements)
  return await write()
}

/** Returns what writes the events: `announceCalls` in two steps. */
export async function prepareCalls(
  tx: Statements,
  now: Date,
  announcements: CallAnnouncement[],
): Promise<() => Promise<EventReceiver[]>> {
  return await prepareEvents(tx, now, announcements.map(toEvent))
}

function toEvent(announcement: CallAnnouncement): NewEvent {
  const { accountId, callId, type, userId } = announcement
  return {
    type,
    accountId,
    userId,
    subject: { kind: type === 'call-updated' ? 'result' : 'call', id: callId },
    stream: callId,
    compose: (account, sequence) => composeCall(announcement, account, sequence),
  }
}
