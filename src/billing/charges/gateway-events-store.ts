/** SQL of the events received from payment gateways: a queue, and then a log. */
import type { Selectable, Updateable } from 'kysely'
import type { PaymentEvent } from '../../payments/port.ts'
import type { Database } from '../../store/database.ts'
import { type QueueState, selectQueueState } from '../../store/queue-state.ts'
import type { Tables } from '../../store/tables.ts'

export type GatewayEventRow = Selectable<Tables['gateway_events']>

/** False if the event was received before. */
export async function insertEvent(
  db: Database,
  gateway: string,
  event: PaymentEvent,
  now: Date,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('gateway_events')
    .values({
      gateway,
      event_id: event.eventId,
      type: event.type,
      payment_id: event.payment.paymentId,
      payment: JSON.stringify(event.payment),
      at: event.at,
      received_at: now,
      due_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

/** The event that has waited longest, locked until the transaction ends. */
export async function lockNextEvent(tx: Database, gateway: string, now: Date) {
  return await tx
    .selectFrom('gateway_events')
    .selectAll()
    .where('gateway', '=', gateway)
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .orderBy('received_at')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}

export async function updateEvent(
  tx: Database,
  { gateway, event_id }: Pick<GatewayEventRow, 'gateway' | 'event_id'>,
  change: Updateable<Tables['gateway_events']>,
) {
  await tx
    .updateTable('gateway_events')
    .set(change)
    .where('gateway', '=', gateway)
    .where('event_id', '=', event_id)
    .execute()
}

export async function deleteOldEvents(db: Database, before: Date) {
  await db
    .deleteFrom('gateway_events')
    .where('due_at', 'is', null)
    .where('received_at', '<', before)
    .execute()
}

export async function readEventQueue(db: Database): Promise<QueueState> {
  return await db
    .selectFrom('gateway_events')
    .select(selectQueueState('received_at'))
    .where('due_at', 'is not', null)
    .executeTakeFirstOrThrow()
}
