/** What its owner sees of a webhook's deliveries, and may have sent again (D90). */
import { sql } from 'kysely'
import { refuse } from '../contract/errors.ts'
import type { DeliveryState, EventKind, Try } from '../contract/events.ts'
import type { PagedQuery } from '../filter/list-query.ts'
import { readPage } from '../filter/sql/page-sql.ts'
import type { Integrations } from '../integrations/integrations.ts'
import { type Clock, plusSeconds } from '../kit/clock.ts'
import { uuidv7 } from '../kit/ids.ts'
import type { Database } from '../store/database.ts'
import type { Caller } from '../users/caller.ts'
import { leaseSeconds } from './delivering/delivering.ts'
import { composePayload, withVersion } from './payload.ts'

export type Delivery = {
  id: number
  event: EventKind
  callId: string
  sequence: number
  state: DeliveryState
  reason: string | null
  attempts: number
  lastTry: Try | null
  nextAt: Date | null
  createdAt: Date
  settledAt: Date | null
}
export type DeliveryDetail = Delivery & { tries: Try[]; body: string }

type Deps = {
  db: Database
  clock: Clock
  integrations: Integrations
  onDue: (integrationIds: number[]) => void
}

export function createDeliveries({ db, clock, integrations, onDue }: Deps) {
  async function list(caller: Caller, integrationId: number, query: PagedQuery) {
    await integrations.find(caller, integrationId)
    const { rows, total } = await readPage(selectDeliveries(db, integrationId).select(columns), query)
    return { rows: rows satisfies Delivery[], total }
  }

  async function find(caller: Caller, integrationId: number, id: number): Promise<DeliveryDetail> {
    await integrations.find(caller, integrationId)
    const row = await selectDeliveries(db, integrationId)
      .where('deliveries.event_id', '=', id)
      .select(columns)
      .select(['deliveries.tries', 'deliveries.version', 'events.payload'])
      .executeTakeFirst()
    if (!row) throw refuse('DELIVERY_NOT_FOUND')
    const { version, payload, ...delivery } = row
    return { ...delivery, body: withVersion(payload, version) }
  }

  /** Also what was skipped, or was delivered before; what waits for its next attempt is tried now. */
  async function redeliver(caller: Caller, integrationId: number, id: number): Promise<DeliveryDetail> {
    await findListening(caller, integrationId)
    const now = clock.now()
    const anew = { state: 'pending' as const, reason: null, settled_at: null, attempts: 0 }
    const mine = db
      .updateTable('deliveries')
      .set({ next_at: now, due_since: now })
      .where('integration_id', '=', integrationId)
      .where('event_id', '=', id)
    const settled = await mine.set(anew).where('state', '!=', 'pending').executeTakeFirst()
    if (settled.numUpdatedRows === 0n) {
      // Sooner than this is the end of a lease: it is under way.
      await mine.where('next_at', '>', plusSeconds(now, leaseSeconds)).execute()
    }
    onDue([integrationId])
    return await find(caller, integrationId, id)
  }

  /** An event that tells of no call, to see whether the webhook is heard. */
  async function test(caller: Caller, integrationId: number): Promise<DeliveryDetail> {
    await findListening(caller, integrationId)
    const now = clock.now()
    const { accountId, accountUuid, domain, timeZone, user } = caller
    const callId = uuidv7(now)
    const call = {
      kind: 'test' as const,
      callId,
      accountId,
      domain,
      userId: user.id,
      userUuid: user.uuid,
      callType: 'outbound' as const,
      from: '1000',
      to: '5548999998888',
      startedAt: plusSeconds(now, -40),
      answeredAt: plusSeconds(now, -30),
      endedAt: now,
      duration: 30,
      cause: 'NORMAL_CLEARING' as const,
      recordingUrl: null,
      metadata: { test: true },
    }
    const payload = composePayload(call, { uuid: accountUuid, timeZone }, 1)
    const { rows } = await sql<{ event_id: number }>`
      with told as (
        insert into events (account_id, user_id, call_id, sequence, kind, payload, created_at, position)
        values (${accountId}, ${user.id}, ${callId}, 1, 'test', ${payload}, ${now}, 0)
        returning id, call_id, sequence
      )
      insert into deliveries (integration_id, event_id, call_id, sequence, version, state, next_at, due_since)
      select i.id, told.id, told.call_id, told.sequence, i.version, 'pending', ${now}, ${now}
      from told, integrations i where i.id = ${integrationId}
      returning event_id`.execute(db)
    onDue([integrationId])
    return await find(caller, integrationId, rows[0]?.event_id ?? 0)
  }

  async function findListening(caller: Caller, integrationId: number) {
    const { webhook } = await integrations.find(caller, integrationId)
    if (!webhook) throw refuse('WEBHOOK_OFF')
  }

  return { list, find, redeliver, test }
}

function selectDeliveries(db: Database, integrationId: number) {
  return db
    .selectFrom('deliveries')
    .innerJoin('events', 'events.id', 'deliveries.event_id')
    .where('deliveries.integration_id', '=', integrationId)
}

const columns = [
  'deliveries.event_id as id',
  'events.kind as event',
  'deliveries.call_id as callId',
  'deliveries.sequence',
  'deliveries.state',
  'deliveries.reason',
  'deliveries.attempts',
  sql<Try | null>`deliveries.tries -> -1`.as('lastTry'),
  'deliveries.next_at as nextAt',
  'events.created_at as createdAt',
  'deliveries.settled_at as settledAt',
] as const
