/** Spec §6: what can be seen of events: deliveries with their attempts, and the feed. */
import Value from 'typebox/value'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { Delivery, DeliveryDetail, EventPage } from '../../../src/contract/webhooks/events.ts'
import { accept, answer, isSigned, type Received, type Receiver } from '../../helpers/programs/receiver.ts'
import { both, type Listening, listenWith } from '../../helpers/programs/webhook-listener.ts'
import { hours, minutes } from '../../helpers/run/test-clock.ts'
import { announce, callOf, deliverAll } from '../../helpers/service/announcements.ts'
import { filter } from '../../helpers/service/client.ts'
import { addUser, openAccount } from '../../helpers/service/people.ts'
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
const metadata = { lead: 7, deep: { list: [1, null, 'ç'] }, ok: true, text: 'x' }

describe('seeing (D90)', () => {
  test('every attempt is kept with status, time and the first 4 KiB of the answer', async () => {
    const ana = await openAccount(service)
    const { receiver, id, deliveries } = await listen({ who: ana })
    receiver.answerWith((response) => response.writeHead(500).end('é'.repeat(10_000)))
    await announce(
      service,
      { ...(await callOf(service, ana.email)), metadata: JSON.stringify(metadata) },
      'channel-hangup',
    )
    await deliverAll(service)
    receiver.answerWith(accept)
    service.clock.advance(6)
    await deliverAll(service)
    const [listed] = await deliveries()
    expect([...Value.Errors(Delivery, listed)]).toEqual([])
    expect(listed).toMatchObject({
      event: 'channel-hangup',
      status: 'delivered',
      attempts: 2,
      lastStatus: 200,
    })
    const { body } = await service.api.get(`/integrations/${id}/deliveries/${listed.id}`, ana)
    expect([...Value.Errors(DeliveryDetail, body)]).toEqual([])
    expect(body.tries.map((one: { status: number }) => one.status)).toEqual([500, 200])
    expect(body.tries[0].response).toBe('é'.repeat(2048))
    expect(body.payload.metadata).toEqual(metadata)
    const [mine] = (await service.api.get(`/integrations?${filter({ where: { id } })}`, ana)).body
    expect(mine).toMatchObject({ lastError: 'the receiver answered 500', webhook: true })
    expect(await deliveries(`&${filter({ where: { status: 'dead' } })}`)).toEqual([])
  })

  test('a dead, delivered or skipped one is sent again on demand, with the same id', async () => {
    const ana = await openAccount(service)
    const { receiver, id, deliveries } = await listen({ who: ana, constraint: { lead: 7 } })
    const call = await callOf(service, ana.email)
    await announce(service, { ...call, metadata: '{"lead":7}' }, 'channel-answer')
    await announce(service, call, 'channel-hangup')
    await deliverAll(service)
    const [skipped, delivered] = await deliveries()
    expect([skipped.status, delivered.status]).toEqual(['skipped', 'delivered'])
    for (const one of [delivered, skipped]) {
      const path = `/integrations/${id}/deliveries/${one.id}/redeliver`
      expect((await service.api.post(path, undefined, ana)).body).toMatchObject({ status: 'pending' })
      await deliverAll(service)
    }
    expect(kindsOf(receiver.received)).toEqual(['channel-answer', 'channel-answer', 'channel-hangup'])
    expect(receiver.received[1]?.headers['webhook-id']).toBe(receiver.received[0]?.headers['webhook-id'])
  })

  test('one that waits for its next attempt is tried now', async () => {
    const ana = await openAccount(service)
    const { receiver, id, deliveries } = await listen({ who: ana })
    receiver.answerWith(answer(500, { 'retry-after': '7200' }))
    await announce(service, await callOf(service, ana.email), 'channel-hangup')
    await deliverAll(service)
    receiver.answerWith(accept)
    const [{ id: deliveryId }] = await deliveries()
    await service.api.post(`/integrations/${id}/deliveries/${deliveryId}/redeliver`, undefined, ana)
    await deliverAll(service)
    expect((await deliveries())[0].status).toBe('delivered')
  })

  test('a test event arrives signed, is no call, and stands in no feed', async () => {
    const ana = await openAccount(service)
    const { receiver, id, secret, deliveries } = await listen({ who: ana })
    const { status } = await service.api.post(`/integrations/${id}/test`, undefined, ana)
    expect(status).toBe(200)
    const [one] = await receiver.until(1)
    expect(one?.body).toMatchObject({ eventType: 'test', metadata: { test: true } })
    expect(one && isSigned(one, secret)).toBe(true)
    await deliverAll(service)
    expect((await deliveries())[0].status).toBe('delivered')
    expect((await service.api.get('/events', ana)).body.data).toEqual([])
  })

  test('only the owner sees and asks; without a webhook there is nothing to ask for', async () => {
    const ana = await openAccount(service)
    const bia = await addUser(service, ana)
    const { id } = await listen({ who: ana })
    for (const path of ['deliveries?page=1', 'deliveries/1']) {
      expect((await service.api.get(`/integrations/${id}/${path}`, bia)).status).toBe(404)
    }
    for (const path of ['test', 'deliveries/1/redeliver']) {
      expect((await service.api.post(`/integrations/${id}/${path}`, undefined, bia)).status).toBe(404)
    }
    expect(
      (await service.api.post(`/integrations/${id}/deliveries/1/redeliver`, undefined, ana)).status,
    ).toBe(404)
    expect((await service.api.get(`/integrations/x/deliveries?page=1`, ana)).status).toBe(404)
    await service.api.patch('/integrations', { id, webhook: false }, ana)
    const { status, body } = await service.api.post(`/integrations/${id}/test`, undefined, ana)
    expect([status, body.error.code]).toEqual([409, 'WEBHOOK_OFF'])
  })
})

describe('GET /events (D90)', () => {
  test('answers the same events in order, page by page', async () => {
    const ana = await openAccount(service)
    const call = { ...(await callOf(service, ana.email)), metadata: JSON.stringify(metadata) }
    await announce(service, call, ...both)
    await announce(service, await callOf(service, ana.email), 'channel-hangup')
    const first = (await service.api.get('/events?limit=2', ana)).body
    expect([...Value.Errors(EventPage, first)]).toEqual([])
    expect(first.data).toMatchObject([
      { eventType: 'channel-answer', id: call.callId, sequence: 1, metadata, version: '1.8' },
      { eventType: 'channel-hangup', id: call.callId, sequence: 2, hangupCause: 'NORMAL_CLEARING' },
    ])
    expect([first.more, first.cursor]).toEqual([true, first.data[1].cursor])
    const second = (await service.api.get(`/events?limit=2&after=${first.cursor}`, ana)).body
    expect([second.data.length, second.more]).toEqual([1, false])
    const third = (await service.api.get(`/events?after=${second.cursor}`, ana)).body
    expect(third).toEqual({ data: [], cursor: second.cursor, more: false })
  })

  test('shows a USER their own calls, and others nothing (D83)', async () => {
    const ana = await openAccount(service)
    const bia = await addUser(service, ana)
    const hers = await callOf(service, bia.email)
    await announce(service, await callOf(service, ana.email), 'channel-hangup')
    await announce(service, hers, 'channel-hangup')
    const { body } = await service.api.get('/events', bia)
    expect(body.data.map((event: { id: string }) => event.id)).toEqual([hers.callId])
    expect((await service.api.get('/events', await openAccount(service))).body.data).toEqual([])
  })

  test('since begins with the first event written since then; without one it answers the end of the feed (D571)', async () => {
    const ana = await openAccount(service)
    const at = () => encodeURIComponent(service.clock.now().toISOString())
    const [old, ...recent] = await Promise.all([1, 2, 3].map(() => callOf(service, ana.email)))
    if (!old) throw new Error('there is no call')
    await announce(service, old, ...both)
    service.clock.advance(hours)
    const time = at()
    for (const call of recent) {
      await announce(service, call, 'channel-hangup')
      service.clock.advance(minutes)
    }
    const read = async (query: string) => (await service.api.get(`/events?${query}`, ana)).body
    const ids = recent.map(({ callId }) => callId)
    const since = await read(`since=${time}`)
    expect(since.data.map(({ id }: { id: string }) => id)).toEqual(ids)
    const [first] = (await read(`since=${time}&limit=1`)).data
    expect((await read(`after=${first.cursor}`)).data).toEqual(since.data.slice(1))

    const end = await read(`since=${at()}`)
    expect(end).toEqual({ data: [], cursor: since.cursor, more: false })
    await announce(service, await callOf(service, ana.email), 'channel-answer')
    expect((await read(`after=${end.cursor}`)).data).toMatchObject([{ eventType: 'channel-answer' }])
    expect((await read('since=2020-01-01T00:00:00Z')).data).toEqual((await read('')).data)
    const other = await openAccount(service)
    const none = (await service.api.get(`/events?since=${time}`, other)).body
    expect(none).toEqual({ data: [], cursor: '0', more: false })
  })

  test.each([
    'after=x',
    'after=-1',
    'limit=0',
    'limit=1001',
    'page=1',
    'since=yesterday',
    'since=2026-11-15T12:00:00',
    'since=2026-11-15T12:00:00Z&after=1',
  ])('refuses %s', async (query) => {
    const ana = await openAccount(service)
    expect((await service.api.get(`/events?${query}`, ana)).status).toBe(400)
  })
})
