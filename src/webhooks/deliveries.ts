/** Deliveries for the owner of a webhook: to list, to send again, to test (D90: additions). */
import { refuse } from '../contract/errors.ts'
import type { Try } from '../contract/webhooks/events.ts'
import { allPages } from '../filter/all-pages.ts'
import type { PagedQuery } from '../filter/list-query.ts'
import type { Integrations } from '../integrations/integrations.ts'
import { type Clock, plusSeconds } from '../kit/clock.ts'
import { uuidv7 } from '../kit/ids.ts'
import type { Database } from '../store/database.ts'
import type { Searches } from '../store/searches.ts'
import type { Caller } from '../users/caller.ts'
import {
  type CallDelivery,
  type Delivery,
  deleteDeliveriesOf,
  findDelivery,
  makeDeadDue,
  makeDue,
  readDeliveries,
  readDeliveriesOfCall,
  readDeliveryRows,
} from './deliveries-store.ts'
import { leaseSeconds } from './delivering/delivering.ts'
import { composeCall, type WriteBody } from './payload.ts'
import { type NewEvent, writeEvents } from './write-events.ts'

export type DeliveryDetail = Delivery & { tries: Try[]; body: string }

type Deps = {
  db: Database
  clock: Clock
  searches: Searches
  integrations: Integrations
  writeBody: WriteBody
  onDue: (integrationIds: number[]) => void
}

export function createDeliveries({ db, clock, searches, integrations, writeBody, onDue }: Deps) {
  async function list(caller: Caller, integrationId: number, query: PagedQuery) {
    await integrations.find(caller, integrationId)
    return await searches.run(caller.accountId, (db) => readDeliveries(db, integrationId, query))
  }

  /** D301: the whole list. */
  async function listAll(caller: Caller, integrationId: number, query: PagedQuery) {
    await integrations.find(caller, integrationId)
    return allPages(query, (page) =>
      searches.run(caller.accountId, (db) => readDeliveryRows(db, integrationId, page)),
    )
  }

  /** D317: to the caller's own webhooks. */
  async function listOfCall({ user }: Caller, callId: string): Promise<CallDelivery[]> {
    return await readDeliveriesOfCall(db, { userId: user.id, callId })
  }

  async function find(caller: Caller, integrationId: number, id: number): Promise<DeliveryDetail> {
    await integrations.find(caller, integrationId)
    const row = await findDelivery(db, integrationId, id)
    if (!row) throw refuse('DELIVERY_NOT_FOUND')
    const { version, payload, ...delivery } = row
    return { ...delivery, body: writeBody(payload, version) }
  }

  /** Any delivery: skipped, delivered, dead, or waiting for its retry. */
  async function redeliver(caller: Caller, integrationId: number, id: number): Promise<DeliveryDetail> {
    await findListening(caller, integrationId)
    const now = clock.now()
    await makeDue(db, { integrationId, eventId: id, now, leaseEnd: plusSeconds(now, leaseSeconds) })
    const delivery = await find(caller, integrationId, id)
    onDue([integrationId])
    return delivery
  }

  /** D305: sends again what was given up since then. */
  async function recover(caller: Caller, integrationId: number, since: Date): Promise<number> {
    await findListening(caller, integrationId)
    const count = await makeDeadDue(db, { integrationId, since, now: clock.now() })
    if (count > 0) onDue([integrationId])
    return count
  }

  /** Sends the webhook an event of no real call, so that its owner can check the receiver. */
  async function test(caller: Caller, integrationId: number): Promise<DeliveryDetail> {
    await findListening(caller, integrationId)
    const now = clock.now()
    const receivers = await db
      .transaction()
      .execute((tx) => writeEvents(tx, now, [testEvent(caller, now)], integrationId))
    const delivery = await find(caller, integrationId, receivers[0]?.eventId ?? 0)
    onDue([integrationId])
    return delivery
  }

  async function findListening(caller: Caller, integrationId: number) {
    const { webhook } = await integrations.find(caller, integrationId)
    if (!webhook) throw refuse('WEBHOOK_OFF')
  }

  /** D150: what is still open ends with its webhook. */
  async function removeIntegration(caller: Caller, id: number) {
    await integrations.remove(caller, id, (tx) => deleteDeliveriesOf(tx, id))
  }

  return { list, listAll, listOfCall, find, redeliver, recover, test, removeIntegration }
}

function testEvent({ accountId, domain, user }: Caller, now: Date): NewEvent {
  const callId = uuidv7(now)
  const call = {
    type: 'test' as const,
    callId,
    accountId,
    domain,
    userId: user.id,
    userUuid: user.uuid,
    extensionUserUuid: user.uuid,
    callType: 'outbound' as const,
    from: '1000',
    to: '5548999998888',
    startedAt: plusSeconds(now, -40),
    answeredAt: plusSeconds(now, -30),
    endedAt: now,
    duration: 30,
    cause: 'NORMAL_CLEARING' as const,
    status: 'completed' as const,
    endedBy: 'destination' as const,
    price: { minutePrice: 1200, price: 6 },
    recordingUrl: null,
    metadata: '{"test":true}',
  }
  return {
    type: 'test',
    accountId,
    userId: user.id,
    subject: { kind: 'test', id: callId },
    stream: callId,
    compose: (account, sequence) => composeCall(call, account, sequence),
  }
}
