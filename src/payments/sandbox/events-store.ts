/** SQL of the events that the sandbox sends to our webhook. */
import { type Selectable, sql } from 'kysely'
import type { Database } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'
import type { PaymentEvent } from '../port.ts'

export type DueEvent = Pick<Selectable<Tables['sandbox_events']>, 'id' | 'event_id' | 'body' | 'attempts'>

export async function insertEvent(tx: Database, paymentId: string, event: PaymentEvent, now: Date) {
  await tx
    .insertInto('sandbox_events')
    .values({
      event_id: event.eventId,
      payment_id: paymentId,
      body: JSON.stringify(event),
      created_at: now,
      next_at: now,
    })
    .execute()
}

/** Claims due events until `leaseUntil`, of each payment only its oldest unsent one. */
export async function claimEvents(
  db: Database,
  now: Date,
  leaseUntil: Date,
  limit: number,
): Promise<DueEvent[]> {
  return await db
    .updateTable('sandbox_events')
    .set({ next_at: leaseUntil, attempts: sql`attempts + 1` })
    .where('id', 'in', (events) =>
      events
        .selectFrom('sandbox_events as event')
        .select('id')
        .where('next_at', '<=', now)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('sandbox_events as before')
                .select('before.id')
                .whereRef('before.payment_id', '=', 'event.payment_id')
                .whereRef('before.id', '<', 'event.id')
                .where('before.next_at', 'is not', null),
            ),
          ),
        )
        .orderBy('id')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'event_id', 'body', 'attempts'])
    .execute()
}

export async function recordDelivered(db: Database, id: number, now: Date) {
  await db
    .updateTable('sandbox_events')
    .set({ next_at: null, taken_at: now, last_error: null })
    .where('id', '=', id)
    .execute()
}

/** Without `nextAt` the event is given up. */
export async function recordFailure(db: Database, id: number, problem: string, nextAt: Date | null) {
  await db
    .updateTable('sandbox_events')
    .set({ next_at: nextAt, last_error: problem })
    .where('id', '=', id)
    .execute()
}

export async function deleteEventsBefore(db: Database, before: Date) {
  await db.deleteFrom('sandbox_events').where('created_at', '<', before).execute()
}
