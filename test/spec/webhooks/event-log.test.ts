/** GET /events/log (D605) and POST /integrations/{id}/replay (D606). */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Receiver } from '../../helpers/programs/receiver.ts'
import { both, type Listening, listenWith } from '../../helpers/programs/webhook-listener.ts'
import { days, hours } from '../../helpers/run/test-clock.ts'
import { announce, callOf, deliverAll } from '../../helpers/service/announcements.ts'
import { addUser, openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'

let service: Service
const receivers: Receiver[] = []

beforeAll(async () => {
  service = await startService({ WEBHOOK_ALLOW_PRIVATE: 'true' })
})
afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.stop()
})
afterAll(() => service.stop())

type Person = { token: string; email: string }
type Logged = {
  cursor: string
  event: string
  subjectId: string
  createdAt: string
  deliveries: { gateway: string; status: string }[]
  payload: { eventType: string; id: string; metadata: unknown }
}

const listen = (listening: Listening) => listenWith(service, receivers, listening)
const logOf = async (who: Person, query = ''): Promise<{ data: Logged[]; next?: string }> =>
  (await service.api.get(`/events/log${query}`, who)).body

/** An ended call of the person; returns its id. */
async function endCall(who: Person, metadata = '{}'): Promise<string> {
  const call = { ...(await callOf(service, who.email)), metadata }
  await announce(service, call, ...both)
  await deliverAll(service)
  return call.callId
}

const bodiesOf = (receiver: Receiver) => receiver.received.map(({ body }) => body)

test('the log has events newest first, each with its payload and its deliveries to the own integrations', async () => {
  const ana = await openAccount(service)
  const bia = await addUser(service, ana, 'ADMIN')
  const mine = await listen({ who: ana, types: ['channel-hangup'] })
  await listen({ who: bia })
  const first = await endCall(ana, '{"lead":12345678901234567890}')
  service.clock.advance(60)
  const second = await endCall(ana)
  const { data, next } = await logOf(ana)
  expect(data.map(({ event, subjectId }) => [event, subjectId])).toEqual([
    ['channel-hangup', second],
    ['channel-answer', second],
    ['channel-hangup', first],
    ['channel-answer', first],
  ])
  expect(next).toBeUndefined()
  expect(data[0]).toMatchObject({
    subject: 'call',
    createdAt: service.clock.now().toISOString(),
    deliveries: [{ integrationId: mine.id, status: 'delivered' }],
    payload: { eventType: 'channel-hangup', id: second },
  })
  expect(data[1]?.deliveries).toEqual([])
  const text = await (
    await fetch(`${service.url}/api/v1/events/log`, { headers: { authorization: ana.token } })
  ).text()
  expect(text).toContain('{"lead":12345678901234567890}')
})

test('the log is read backwards page by page, and searched by type and by call', async () => {
  const ana = await openAccount(service)
  const calls = [await endCall(ana), await endCall(ana), await endCall(ana)]
  const seen: string[] = []
  for (let query = '?limit=4', pages = 0; ; pages += 1) {
    const { data, next } = await logOf(ana, query)
    seen.push(...data.map(({ event, subjectId }) => `${event} ${subjectId}`))
    if (next === undefined || pages > 3) break
    query = `?limit=4&before=${next}`
  }
  const newestFirst = calls.toReversed().flatMap((id) => [`channel-hangup ${id}`, `channel-answer ${id}`])
  expect(seen).toEqual(newestFirst)
  const hangups = await logOf(ana, '?type=channel-hangup&limit=2')
  expect(hangups.data.map(({ subjectId }) => subjectId)).toEqual([calls[2], calls[1]])
  const rest = await logOf(ana, `?type=channel-hangup&limit=2&before=${hangups.next}`)
  expect([rest.data.map(({ subjectId }) => subjectId), rest.next]).toEqual([[calls[0]], undefined])
  const ofCall = await logOf(ana, `?callId=${calls[1]}`)
  expect(ofCall.data.map(({ subjectId }) => subjectId)).toEqual([calls[1], calls[1]])
})

test('a USER sees events of the own calls, and nobody those of another account', async () => {
  const ana = await openAccount(service)
  const [bia, other] = [await addUser(service, ana), await openAccount(service)]
  const [hers, theirs] = [await endCall(ana), await endCall(bia)]
  const idsOf = async (who: Person) => new Set((await logOf(who)).data.map(({ subjectId }) => subjectId))
  expect(await idsOf(ana)).toEqual(new Set([hers, theirs]))
  expect(await idsOf(bia)).toEqual(new Set([theirs]))
  expect(await idsOf(other)).toEqual(new Set())
  expect((await logOf(other, `?callId=${hers}`)).data).toEqual([])
})

test('a token limited to reading calls sees their events without deliveries', async () => {
  const ana = await openAccount(service)
  await listen({ who: ana })
  await endCall(ana)
  const limited = { ttl: 3600, scopes: ['calls:read'] }
  const { id: token } = (await service.api.post('/users/accessTokens', limited, ana)).body
  const { data } = await logOf({ ...ana, token })
  expect(data.map(({ event, deliveries }) => [event, deliveries])).toEqual([
    ['channel-hangup', []],
    ['channel-answer', []],
  ])
})

test('the log refuses a cursor, a type, a call or a limit that is none', async () => {
  const ana = await openAccount(service)
  for (const query of ['before=x', 'type=none', 'callId=1', 'limit=0', 'limit=201']) {
    expect((await service.api.get(`/events/log?${query}`, ana)).status, query).toBe(400)
  }
})

test('chosen events are sent to one integration, whatever it lists, and to no other', async () => {
  const ana = await openAccount(service)
  const others = await listen({ who: ana })
  const call = await endCall(ana)
  const late = await listen({ who: ana, types: ['charge-paid'], constraint: { campaign: 'spring' } })
  const { data } = await logOf(ana)
  const path = `/integrations/${late.id}/replay`
  const body = { cursors: data.map(({ cursor }) => cursor) }
  // Until then none of them is delivered: what is on its way is not sent again.
  const { promise: answered, resolve: answerAll } = Promise.withResolvers<void>()
  late.receiver.answerWith((response) => void answered.then(() => response.end()))
  expect((await service.api.post(path, body, ana)).body).toEqual({ replayed: 2, more: false })
  expect((await service.api.post(path, body, ana)).body).toEqual({ replayed: 0, more: false })
  answerAll()
  await deliverAll(service)
  expect(bodiesOf(late.receiver)).toMatchObject([
    { eventType: 'channel-answer', id: call },
    { eventType: 'channel-hangup', id: call },
  ])
  expect(others.receiver.received).toHaveLength(2)
  const [logged] = (await logOf(ana)).data
  expect(logged?.deliveries.map(({ status }) => status)).toEqual(['delivered', 'delivered'])
  const ids = () => late.receiver.received.map(({ headers }) => headers['webhook-id'])
  const before = ids()
  expect((await service.api.post(path, body, ana)).body.replayed).toBe(2)
  await deliverAll(service)
  expect(ids()).toEqual([...before, ...before])
})

test('events of a time are sent as the integration would receive them now', async () => {
  const ana = await openAccount(service)
  const spring = '{"campaign":"spring"}'
  await endCall(ana, spring)
  service.clock.advance(hours)
  const since = service.clock.now().toISOString()
  const inside = [await endCall(ana, spring), await endCall(ana, spring)]
  await endCall(ana, '{"campaign":"autumn"}')
  service.clock.advance(hours)
  const until = service.clock.now().toISOString()
  await endCall(ana, spring)
  const { id, receiver } = await listen({
    who: ana,
    types: ['channel-hangup'],
    constraint: { campaign: 'spring' },
  })
  const { body } = await service.api.post(`/integrations/${id}/replay`, { since, until }, ana)
  expect(body).toMatchObject({ replayed: 2, more: false })
  await deliverAll(service)
  const sent = bodiesOf(receiver)
  expect(sent.map(({ eventType }) => eventType)).toEqual(['channel-hangup', 'channel-hangup'])
  expect(new Set(sent.map(({ id: callId }) => callId))).toEqual(new Set(inside))
  const again = { since, until, after: body.cursor }
  expect((await service.api.post(`/integrations/${id}/replay`, again, ana)).body.replayed).toBe(0)
})

test('a USER replays events of the own calls only; events older than 30 days are not sent', async () => {
  const ana = await openAccount(service)
  const bia = await addUser(service, ana)
  await endCall(ana)
  const own = await endCall(bia)
  const { id, receiver } = await listen({ who: bia })
  const cursors = (await logOf(ana)).data.map(({ cursor }) => cursor)
  expect((await service.api.post(`/integrations/${id}/replay`, { cursors }, bia)).body.replayed).toBe(2)
  await deliverAll(service)
  expect(new Set(bodiesOf(receiver).map((sent) => sent.id))).toEqual(new Set([own]))
  service.clock.advance(31 * days)
  const token = (await service.api.post('/users/login', { email: bia.email, password: bia.password })).body.id
  const late = await service.api.post(`/integrations/${id}/replay`, { cursors }, { token })
  expect(late.body.replayed).toBe(0)
})

test('a replay needs events or a time, of an own integration whose webhook is on', async () => {
  const [ana, other] = [await openAccount(service), await openAccount(service)]
  const { id } = await listen({ who: ana })
  const path = `/integrations/${id}/replay`
  const since = service.clock.now().toISOString()
  const status = async (body: object, who = ana) => (await service.api.post(path, body, who)).status
  expect(await status({})).toBe(422)
  expect(await status({ cursors: [] })).toBe(422)
  expect(await status({ cursors: ['x'] })).toBe(422)
  expect(await status({ cursors: ['1'], since })).toBe(422)
  expect(await status({ since: 'yesterday' })).toBe(422)
  expect(await status({ since }, other)).toBe(404)
  await service.api.patch('/integrations', { id, webhook: false }, ana)
  const off = await service.api.post(path, { since }, ana)
  expect(off.body.error.code).toBe('WEBHOOK_OFF')
})
