import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { announce, callOf } from '../../../test/helpers/service/announcements.ts'
import { openAccount } from '../../../test/helpers/service/people.ts'
import { type Service, startService } from '../../../test/helpers/service/service.ts'
import { plusSeconds } from '../../kit/clock.ts'
import type { Database } from '../../store/database.ts'
import { type ClaimedDelivery, claimDeliveries, findDueIntegrations, recordAttempts } from './claims-store.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ DATABASE_POOL: '16', WEBHOOK_ALLOW_PRIVATE: 'true' })
  // Nobody delivers here but the tests.
  service.app.services.webhooks.webhooks.onWake(() => {})
  await service.app.services.webhooks.webhooks.stop()
})
afterAll(() => service.stop())

async function makeIntegration(ana: { token: string }) {
  const metadata = {
    webhookUrl: 'http://127.0.0.1:9/',
    webhookTypes: ['channel-answer', 'channel-hangup'],
  }
  const { body } = await service.api.patch('/integrations', { gateway: 'crm', webhook: true, metadata }, ana)
  return Number(body.id)
}

const delivered = (row: ClaimedDelivery) => ({
  integrationId: row.integration_id,
  eventId: row.event_id,
  lease: row.next_at,
  state: 'delivered' as const,
  reason: null,
  nextAt: null,
  tried: null,
})

test('concurrent workers claim each delivery once, and no hangup before its answer', async () => {
  const ana = await openAccount(service)
  const id = await makeIntegration(ana)
  const calls = 60
  for (let call = 0; call < calls; call++) {
    await announce(service, await callOf(service, ana.email), 'channel-answer', 'channel-hangup')
  }
  const { db, clock } = service
  const claimed: string[] = []
  const answered = new Set<string>()
  let early = 0

  async function work(limit: number) {
    for (let idle = 0; idle < 20; ) {
      const found = await claimDeliveries(
        db,
        [{ integrationId: id, limit }],
        clock.now(),
        plusSeconds(clock.now(), 45),
      )
      idle = found.claimed.length === 0 ? idle + 1 : 0
      for (const row of found.claimed) {
        claimed.push(`${row.call_id} ${row.sequence}`)
        if (row.sequence === 2 && !answered.has(row.call_id)) early += 1
      }
      for (const row of found.claimed) if (row.sequence === 1) answered.add(row.call_id)
      if (found.claimed.length > 0) {
        const records = found.claimed.map(delivered)
        await db.transaction().execute((tx) => recordAttempts(tx, records, clock.now()))
      }
    }
  }
  await Promise.all([1, 2, 3, 5, 8, 13].map(work))
  expect(claimed).toHaveLength(2 * calls)
  expect(new Set(claimed).size).toBe(2 * calls)
  expect(early).toBe(0)
  expect(await findDueIntegrations(db, clock.now())).toEqual([])
})

test('a claim of a dead worker can be claimed again when the lease ends; its late record changes nothing', async () => {
  const ana = await openAccount(service)
  const id = await makeIntegration(ana)
  await announce(service, await callOf(service, ana.email), 'channel-answer')
  const { db, clock } = service
  const take = async () => {
    const { claimed } = await claimDeliveries(
      db,
      [{ integrationId: id, limit: 5 }],
      clock.now(),
      plusSeconds(clock.now(), 45),
    )
    return claimed
  }
  const [first] = await take()
  expect(await take()).toEqual([])
  clock.advance(45)
  const [second] = await take()
  expect([first?.attempts, second?.attempts]).toEqual([1, 2])
  const state = async () =>
    (await db.selectFrom('deliveries').select('state').where('integration_id', '=', id).executeTakeFirst())
      ?.state
  if (first) await recordAttempts(db, [delivered(first)], clock.now())
  expect(await state()).toBe('pending')
  if (second) await recordAttempts(db, [delivered(second)], clock.now())
  expect(await state()).toBe('delivered')
})

test('a claim never reads the whole table, however long the backlog of a webhook is', async () => {
  const id = await makeIntegration(await openAccount(service))
  const now = service.clock.now()
  const wholeReads = async (db: Database) => {
    await sql`select pg_stat_force_next_flush()`.execute(db)
    const { rows } = await sql<{ seq_scan: number }>`
      select seq_scan from pg_stat_user_tables where relname = 'deliveries'`.execute(db)
    return rows[0]?.seq_scan
  }
  // Two deliveries a call: the second waits behind the first, and is due before it.
  await sql`
    insert into deliveries (integration_id, event_id, call_id, sequence, version, state, next_at, due_since)
    select ${id}, 1000000 + n, md5((n / 2)::text)::uuid, 1 + n % 2, '1.8', 'pending', ${now}::timestamptz - (n % 2) * interval '1 s', ${now}
    from generate_series(0, 39999) as n`.execute(service.db)
  await sql`analyze deliveries`.execute(service.db)
  await service.db.connection().execute(async (db) => {
    const before = await wholeReads(db)
    const { found, claimed } = await claimDeliveries(
      db,
      [{ integrationId: id, limit: 50 }],
      now,
      plusSeconds(now, 45),
    )
    expect([found.get(id), claimed.length]).toEqual([50, 0])
    expect(await wholeReads(db)).toBe(before)
  })
})
