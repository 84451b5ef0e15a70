/** Spec §6: how webhooks are delivered, tried again, signed and kept. */
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { plusSeconds } from '../../../src/kit/clock.ts'
import { startOfMonth } from '../../../src/kit/text/months.ts'
import { claimDeliveries } from '../../../src/webhooks/delivering/claims-store.ts'
import {
  accept,
  answer,
  isSigned,
  type Received,
  type Receiver,
  startReceiver,
} from '../../helpers/programs/receiver.ts'
import { both, type Listening, listenWith } from '../../helpers/programs/webhook-listener.ts'
import { days, hours, minutes } from '../../helpers/run/test-clock.ts'
import {
  announce,
  announceAtOnce,
  announceIn,
  callOf,
  deliverAll,
} from '../../helpers/service/announcements.ts'
import { filter } from '../../helpers/service/client.ts'
import { openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'

let service: Service
const receivers: Receiver[] = []

beforeAll(async () => {
  service = await startService({ WEBHOOK_ALLOW_PRIVATE: 'true', DATABASE_POOL: '10' })
})
afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.stop()
})
afterAll(() => service.stop())

const listen = (listening: Listening) => listenWith(service, receivers, listening)

const kindsOf = (received: Received[]) => received.map(({ body }) => body.eventType)

describe('delivery (D86)', () => {
  test('keeps path and query byte for byte (D88)', async () => {
    const ana = await openAccount(service)
    const path = '/a%2Fb/../c//d;x=1?q=%20a+b&&r[]=%C3%A7&s=a|b&t=~%7e'
    const { receiver } = await listen({ who: ana, path })
    await announce(service, await callOf(service, ana.email), 'channel-hangup')
    const [one] = await receiver.until(1)
    expect(one?.path).toBe(`/hook${path}`)
  })

  test('tries at 0, 5 s, 5 min … 24 h, then is dead; a new signature each time, the same id', async () => {
    const ana = await openAccount(service)
    const { receiver, deliveries, secret } = await listen({ who: ana })
    receiver.answerWith(answer(500))
    const call = await callOf(service, ana.email)
    await announce(service, call, 'channel-hangup')
    const waits: number[] = []
    await deliverAll(service)
    for (let attempt = 1; attempt < 10; attempt++) {
      const [{ nextAttemptAt, attempts, status, lastStatus }] = await deliveries()
      expect([attempts, status, lastStatus]).toEqual([attempt, 'pending', 500])
      waits.push((Date.parse(nextAttemptAt) - service.clock.now().getTime()) / 1000)
      service.clock.advance((waits.at(-1) ?? 0) - 1)
      await deliverAll(service)
      expect(receiver.received).toHaveLength(attempt)
      service.clock.advance(1)
      await deliverAll(service)
      expect(receiver.received).toHaveLength(attempt + 1)
    }
    const planned = [5, 5 * minutes, 30 * minutes, ...[2, 5, 10, 14, 20, 24].map((h) => h * hours)]
    for (const [index, wait] of waits.entries()) {
      expect(wait / (planned[index] ?? 0)).toBeGreaterThan(0.89)
      expect(wait / (planned[index] ?? 0)).toBeLessThan(1.11)
    }
    const [dead] = await deliveries()
    expect(dead).toMatchObject({ status: 'dead', attempts: 10, nextAttemptAt: null })
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-signature'])).size).toBe(10)
    expect(receiver.received.every((one) => isSigned(one, secret))).toBe(true)
  })

  test('sends no hangup before the answer is settled, and then at once', async () => {
    const ana = await openAccount(service)
    const { receiver } = await listen({ who: ana })
    receiver.answerWith(answer(503))
    const call = await callOf(service, ana.email)
    await announce(service, call, ...both)
    await deliverAll(service)
    service.clock.advance(6)
    await deliverAll(service)
    expect(kindsOf(receiver.received)).toEqual(['channel-answer', 'channel-answer'])
    receiver.answerWith(accept)
    service.clock.advance(6 * minutes)
    await deliverAll(service)
    expect(kindsOf(receiver.received)).toEqual([...Array(3).fill('channel-answer'), 'channel-hangup'])
  })

  test.each([
    ['seconds', () => '600'],
    ['a date', () => new Date(service.clock.now().getTime() + 600_000).toUTCString()],
  ])('honours Retry-After in %s', async (_what, value) => {
    const ana = await openAccount(service)
    const { receiver, deliveries } = await listen({ who: ana })
    receiver.answerWith(answer(429, { 'retry-after': value() }))
    await announce(service, await callOf(service, ana.email), 'channel-hangup')
    await deliverAll(service)
    const [{ nextAttemptAt }] = await deliveries()
    expect((Date.parse(nextAttemptAt) - service.clock.now().getTime()) / 1000).toBeCloseTo(600, -1)
  })

  test('takes 410 as a request to stop: the webhook is off until its owner turns it on', async () => {
    const ana = await openAccount(service)
    const { receiver, deliveries, id } = await listen({ who: ana })
    receiver.answerWith(answer(410))
    await announceAtOnce(service, await callOf(service, ana.email), both)
    await deliverAll(service)
    await announce(service, await callOf(service, ana.email), ...both)
    await deliverAll(service)
    expect(receiver.received).toHaveLength(1)
    const [mine] = (await service.api.get(`/integrations?${filter({ where: { id } })}`, ana)).body
    expect(mine).toMatchObject({ webhook: false, lastError: 'the receiver answered 410' })
    expect((await deliveries()).map((one: { status: string }) => one.status)).toEqual(['dead', 'dead'])
    receiver.answerWith(accept)
    await service.api.patch('/integrations', { id, webhook: true }, ana)
    await announce(service, await callOf(service, ana.email), 'channel-hangup')
    await receiver.until(2)
  })

  test('a delivery claimed by a worker that died is sent by another when its lease expires, under the same id', async () => {
    const ana = await openAccount(service)
    const { receiver, id, deliveries } = await listen({ who: ana })
    const call = await callOf(service, ana.email)
    await service.db.transaction().execute(async (tx) => {
      await announceIn(service, tx, [{ ...call, type: 'channel-hangup' }])
      const now = service.clock.now()
      // Claimed in the transaction that writes the delivery, so that no other worker can claim it first.
      const { claimed } = await claimDeliveries(
        tx,
        [{ integrationId: id, limit: 1 }],
        now,
        plusSeconds(now, 45),
      )
      expect(claimed).toHaveLength(1)
    })
    await deliverAll(service)
    service.clock.advance(44)
    await deliverAll(service)
    expect(receiver.received).toEqual([])
    service.clock.advance(1)
    await deliverAll(service)
    expect(receiver.received[0]?.headers['webhook-id']).toBe(`msg_${call.callId}_1_${id}`)
    expect((await deliveries())[0]).toMatchObject({ status: 'delivered', attempts: 2 })
  })

  test('never follows a redirect', async () => {
    const ana = await openAccount(service)
    const elsewhere = await listen({ who: await openAccount(service) })
    const { receiver, deliveries } = await listen({ who: ana })
    receiver.answerWith(answer(302, { location: elsewhere.receiver.url }))
    await announce(service, await callOf(service, ana.email), 'channel-hangup')
    await deliverAll(service)
    expect((await deliveries())[0]).toMatchObject({ status: 'pending', lastStatus: 302 })
    expect(elsewhere.receiver.received).toEqual([])
  })

  test('signs with the old and the new secret for 24 hours after a rotation (D87)', async () => {
    const ana = await openAccount(service)
    const { receiver, id, secret } = await listen({ who: ana })
    const { body } = await service.api.post(`/integrations/${id}/rotate-secret`, undefined, ana)
    await announce(service, await callOf(service, ana.email), 'channel-hangup')
    const [both] = await receiver.until(1)
    expect(both && [isSigned(both, secret), isSigned(both, body.secret)]).toEqual([true, true])
    service.clock.advance(24 * hours)
    await announce(service, await callOf(service, ana.email), 'channel-hangup')
    const [, one] = await receiver.until(2)
    expect(one && [isSigned(one, secret), isSigned(one, body.secret)]).toEqual([false, true])
  })
})

test('events and deliveries are kept until 30 days after the end of their month (D86, D254)', async () => {
  const ana = await openAccount(service)
  const { id } = await listen({ who: ana })
  const call = await callOf(service, ana.email)
  const later = await callOf(service, ana.email)
  const count = async (table: 'events' | 'deliveries') =>
    (
      await service.db
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .$if(table === 'deliveries', (rows) => rows.where(sql.ref('integration_id'), '=', id))
        .where('call_id', 'in', [call.callId, later.callId])
        .executeTakeFirstOrThrow()
    ).total
  const kept = async () => [await count('events'), await count('deliveries')]
  // The clock of the database, which no test can set, decides which months are old.
  const today = service.clock.now()
  const setClock = (at: Date) => service.clock.shift((at.getTime() - service.clock.now().getTime()) / 1000)
  const youngest = startOfMonth(new Date(Date.now() - 30 * days * 1000))
  setClock(new Date(youngest.getTime() - 1000))
  await announce(service, call, ...both)
  await deliverAll(service)
  setClock(youngest)
  await announce(service, later, 'channel-hangup')
  await deliverAll(service)
  setClock(today)
  service.clock.shift(-400 * days)
  await service.tick('old webhook events')
  service.clock.shift(400 * days)
  expect(await kept()).toEqual([1, 1])
})

test('a webhook whose URL has user and password is sent Basic authorization (D151)', async () => {
  const ana = await openAccount(service)
  const receiver = await startReceiver()
  receivers.push(receiver)
  const webhookUrl = receiver.url.replace('://', '://ana:s%C3%A9nha:1@')
  const metadata = { webhookUrl, webhookTypes: both }
  await service.api.patch('/integrations', { gateway: 'basic', webhook: true, metadata }, ana)
  await announce(service, await callOf(service, ana.email), 'channel-hangup')
  const [received] = await receiver.until(1)
  const expected = Buffer.from('ana:sénha:1').toString('base64')
  expect(received?.headers.authorization).toBe(`Basic ${expected}`)
})

test('a removed integration is sent nothing more, and its events stay in the feed (D150)', async () => {
  const ana = await openAccount(service)
  const { receiver, id } = await listen({ who: ana })
  receiver.answerWith(answer(500))
  await announce(service, await callOf(service, ana.email), 'channel-hangup')
  await receiver.until(1)
  await deliverAll(service)
  expect((await service.api.delete(`/integrations/${id}`, ana)).status).toBe(200)
  service.clock.advance(10 * minutes)
  await announce(service, await callOf(service, ana.email), 'channel-hangup')
  await deliverAll(service)
  expect(receiver.received).toHaveLength(1)
  const { body } = await service.api.get('/events?after=0', ana)
  expect(body.data).toHaveLength(2)
})
