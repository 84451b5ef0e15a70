/** SQL of deliveries as the owner of a webhook sees them. */
import { sql } from 'kysely'
import {
  callSubjects,
  type DeliveryState,
  type EventSubject,
  type EventType,
  type Try,
} from '../contract/webhooks/events.ts'
import type { PagedQuery } from '../filter/list-query.ts'
import type { RowsOf } from '../filter/page.ts'
import { readPage, selectRows } from '../filter/sql/page-sql.ts'
import { codeOf, ownedBy, ownerOf } from '../integrations/listening-sql.ts'
import type { Database } from '../store/database.ts'
import { type QueueState, selectQueueState } from '../store/queue-state.ts'

export type Delivery = {
  id: number
  event: EventType
  callId: string
  subject: EventSubject
  subjectId: string
  sequence: number
  state: DeliveryState
  reason: string | null
  attempts: number
  lastTry: Try | null
  nextAt: Date | null
  createdAt: Date
  settledAt: Date | null
}

const columns = [
  'deliveries.event_id as id',
  'events.kind as event',
  'deliveries.call_id as callId',
  'events.subject_kind as subject',
  sql<string>`coalesce(events.subject_id, events.call_id::text)`.as('subjectId'),
  'deliveries.sequence',
  'deliveries.state',
  'deliveries.reason',
  'deliveries.attempts',
  sql<Try | null>`deliveries.tries -> -1`.as('lastTry'),
  'deliveries.next_at as nextAt',
  'events.created_at as createdAt',
  'deliveries.settled_at as settledAt',
] as const

function selectDeliveries(db: Database, integrationId: number) {
  return db
    .selectFrom('deliveries')
    .innerJoin('events', 'events.id', 'deliveries.event_id')
    .where('deliveries.integration_id', '=', integrationId)
    .select(columns)
}

export async function readDeliveries(db: Database, integrationId: number, query: PagedQuery) {
  const { rows, ...page } = await readPage(selectDeliveries(db, integrationId), query)
  return { ...page, rows: rows satisfies Delivery[] }
}

/** Without their total. */
export async function readDeliveryRows(
  db: Database,
  integrationId: number,
  query: PagedQuery,
): Promise<RowsOf<Delivery>> {
  return await selectRows(selectDeliveries(db, integrationId), query)
}

export async function findDelivery(db: Database, integrationId: number, eventId: number) {
  return await selectDeliveries(db, integrationId)
    .where('deliveries.event_id', '=', eventId)
    .select(['deliveries.tries', 'deliveries.version', 'events.payload'])
    .executeTakeFirst()
}

export type CallDelivery = Delivery & { integrationId: number; gateway: string; tries: Try[] }

/** Deliveries of the events of a call to integrations of the user; those of the oldest event first. */
export async function readDeliveriesOfCall(
  db: Database,
  { userId, callId }: { userId: number; callId: string },
): Promise<CallDelivery[]> {
  return await db
    .selectFrom('deliveries')
    .innerJoin('events', 'events.id', 'deliveries.event_id')
    .select(columns)
    .select(['deliveries.integration_id as integrationId', 'deliveries.tries'])
    .select(sql<string>`${sql.raw(codeOf('deliveries.integration_id'))}`.as('gateway'))
    .where('events.call_id', '=', callId)
    .where('events.subject_kind', 'in', callSubjects)
    // An array, so that the planner looks deliveries up by their key.
    .where(sql<boolean>`deliveries.integration_id = any(${ownedBy(userId)})`)
    .orderBy('deliveries.event_id')
    .orderBy('deliveries.integration_id')
    .execute()
}

/** Deliveries of these accounts, by integration and event, with the owner of the integration. */
export async function findDeliveries(
  db: Database,
  accountIds: number[],
  keys: { integrationId: number; eventId: number }[],
) {
  const rows = await db
    .selectFrom('deliveries')
    .innerJoin('events', 'events.id', 'deliveries.event_id')
    .select(columns)
    .select(['deliveries.integration_id as integrationId', 'events.account_id as accountId'])
    .select(sql<number>`${sql.raw(ownerOf('deliveries.integration_id'))}`.as('userId'))
    .where('events.account_id', 'in', accountIds)
    .where(
      'deliveries.event_id',
      'in',
      keys.map(({ eventId }) => eventId),
    )
    .where(
      'deliveries.integration_id',
      'in',
      keys.map(({ integrationId }) => integrationId),
    )
    .orderBy('deliveries.event_id')
    .execute()
  return rows.map(({ accountId, userId, ...delivery }) => ({ accountId, userId, delivery }))
}

export async function deleteDeliveriesOf(tx: Database, integrationId: number) {
  await tx.deleteFrom('deliveries').where('integration_id', '=', integrationId).execute()
}

/** Makes all dead deliveries of events since then due now; returns how many. */
export async function makeDeadDue(
  db: Database,
  { integrationId, since, now }: { integrationId: number; since: Date; now: Date },
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('deliveries')
    .from('events')
    .set({
      state: 'pending',
      reason: null,
      settled_at: null,
      attempts: 0,
      next_at: now,
      due_since: now,
    })
    .whereRef('events.id', '=', 'deliveries.event_id')
    .where('deliveries.integration_id', '=', integrationId)
    .where('deliveries.state', '=', 'dead')
    .where('events.created_at', '>=', since)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

type Redelivery = { integrationId: number; eventId: number; now: Date; leaseEnd: Date }

/**
 * Makes a delivery due now. A settled one starts again; a pending one is due now unless it is in flight: its `next_at`
 * is not after the end of a lease taken now.
 */
export async function makeDue(db: Database, { integrationId, eventId, now, leaseEnd }: Redelivery) {
  const delivery = db
    .updateTable('deliveries')
    .set({ next_at: now, due_since: now })
    .where('integration_id', '=', integrationId)
    .where('event_id', '=', eventId)
  const settled = await delivery
    .set({ state: 'pending', reason: null, settled_at: null, attempts: 0 })
    .where('state', '!=', 'pending')
    .executeTakeFirst()
  if (settled.numUpdatedRows === 0n) await delivery.where('next_at', '>', leaseEnd).execute()
}

export async function readDeliveryQueue(db: Database): Promise<QueueState> {
  return await db
    .selectFrom('deliveries')
    .select(selectQueueState('due_since'))
    .where('next_at', 'is not', null)
    .executeTakeFirstOrThrow()
}
