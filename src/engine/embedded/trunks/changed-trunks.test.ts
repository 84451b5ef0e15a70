/** D624: trunks that come, go, are switched off or tested while the engine runs. */
import { expect, test } from 'vitest'
import { parseTrunks } from '../../trunk-settings/parse-trunks.ts'
import { namesInOrder, number, openTrunks, settle, trunk } from './testing/test-trunks.ts'
import { readTrunk } from './trunk.ts'

const read = (...given: object[]) => parseTrunks(JSON.stringify(given)).map(readTrunk)

test('one that is no longer listed gets no new calls, and the call it has keeps its channel', async () => {
  const opened = await openTrunks([trunk('a', 1), trunk('b', 2, { priority: 2 })])
  const { trunks } = opened
  const release = trunks.choose(number)[0]?.take()
  await trunks.set(read(trunk('b', 2, { priority: 2 })))
  expect(namesInOrder(opened)).toEqual(['b'])
  expect(trunks.isCarrier('203.0.113.1')).toBe(true)
  expect(trunks.metrics()).toMatchObject({ trunks: 1, trunk_channels_used: 1 })
  release?.()
  expect(trunks.isCarrier('203.0.113.1')).toBe(false)
  expect(trunks.metrics()).toMatchObject({ trunk_channels_used: 0 })
  await trunks.stop()
})

test('one that stays the same keeps its state; one that comes is asked whether it responds', async () => {
  const opened = await openTrunks([trunk('a', 1)])
  const { trunks, carriers, pass } = opened
  trunks.choose(number)[0]?.take()
  carriers.answer('203.0.113.2', undefined)
  await trunks.set(read(trunk('a', 1), trunk('b', 2)))
  expect(trunks.loads()).toMatchObject([
    { name: 'a', used: 1, begun: 1 },
    { name: 'b', used: 0, begun: 0 },
  ])
  await pass(70)
  expect(trunks.loads()[1]?.problems).toEqual(['Trunk b does not answer OPTIONS'])
  await trunks.stop()
})

test('one that is off is no longer asked, and we unregister there', async () => {
  const login = { username: 'u', password: 'p', register: true }
  const { trunks, carriers, pass } = await openTrunks([trunk('a', 1, login)])
  await trunks.set([])
  const last = carriers.asked.at(-1)
  expect([last?.method, last?.headers?.find(([name]) => name === 'Expires')?.[1]]).toEqual(['REGISTER', '0'])
  const asked = carriers.asked.length
  await pass(200)
  expect(carriers.asked).toHaveLength(asked)
  expect(trunks.choose(number)).toEqual([])
  expect(trunks.problems()).toEqual([])
})

test('one that comes while nodes share trunks waits for its share (D250)', async () => {
  const opened = await openTrunks([trunk('a', 1)])
  const { trunks } = opened
  const share = { channels: 1, callsPerSecond: 1 }
  trunks.limit(new Map([['a', share]]))
  await trunks.set(read(trunk('b', 2)))
  expect(trunks.choose(number)[0]?.take()).toBeUndefined()
  trunks.limit(new Map([['b', share]]))
  expect(trunks.choose(number)[0]?.take()).toBeDefined()
  await trunks.stop()
})

test('refused channels are counted on after a trunk is gone', async () => {
  const { trunks } = await openTrunks([trunk('a', 1, { channels: 1 })])
  trunks.choose(number)[0]?.take()
  trunks.choose(number)[0]?.take()
  expect(trunks.metrics().trunk_channels_refused_total).toBe(1)
  await trunks.set([])
  expect(trunks.metrics().trunk_channels_refused_total).toBe(1)
})

test('a test asks every address of a trunk that is not in use, and waits five seconds', async () => {
  const dns = { srv: async () => [], addresses: async () => ['203.0.113.7', '203.0.113.8'] }
  const { trunks, carriers, pass } = await openTrunks([], dns)
  carriers.answer('203.0.113.8', 503)
  const [one] = read({ name: 'new', address: 'sip:carrier.example:5070' })
  if (!one) throw new Error('no trunk')
  expect(await trunks.test(one)).toEqual([
    { address: '203.0.113.7:5070', status: 200, reason: 'So it is', milliseconds: 0 },
    { address: '203.0.113.8:5070', status: 503, reason: 'So it is', milliseconds: 0 },
  ])
  carriers.hang('203.0.113.7')
  const tested = trunks.test(one)
  await settle()
  await pass(5)
  expect((await tested)[0]).toMatchObject({ status: undefined, milliseconds: 5_000 })
})

test('one that is changed counts the calls it has, and is asked at its new address (D668)', async () => {
  const opened = await openTrunks([trunk('a', 1, { channels: 2 })])
  const { trunks, carriers } = opened
  const release = trunks.choose(number)[0]?.take()
  await trunks.set(read(trunk('a', 2, { channels: 1 })))
  await settle()
  expect(carriers.asked.at(-1)?.target.remote.address).toBe('203.0.113.2')
  expect(trunks.loads()).toMatchObject([{ name: 'a', channels: 1, used: 1, begun: 1 }])
  expect(trunks.metrics()).toMatchObject({ trunk_channels_used: 1 })
  expect(trunks.isCarrier('203.0.113.1')).toBe(true)
  expect(trunks.choose(number)[0]?.take()).toBeUndefined()
  release?.()
  expect(trunks.choose(number)[0]?.take()).toBeDefined()
  expect(trunks.metrics()).toMatchObject({ trunk_channels_used: 1, trunk_channels_refused_total: 1 })
  await trunks.stop()
})

test('one that is changed while nodes share trunks keeps its share until the next agreement (D250)', async () => {
  const { trunks, pass } = await openTrunks([trunk('a', 1)])
  trunks.limit(new Map([['a', { channels: 1, callsPerSecond: 1 }]]))
  await trunks.set(read(trunk('a', 1, { channels: 5 })))
  const release = trunks.choose(number)[0]?.take()
  expect(release).toBeDefined()
  expect(trunks.choose(number)[0]?.take()).toBeUndefined()
  trunks.limit(undefined)
  await pass(1)
  expect(trunks.choose(number)[0]?.take()).toBeDefined()
  await trunks.stop()
})

test('one that is changed unregisters before it registers again, so that the carrier keeps the new one (D668)', async () => {
  const login = { username: 'u', password: 'p', register: true }
  const { trunks, carriers } = await openTrunks([trunk('a', 1, login)])
  await trunks.set(read(trunk('a', 1, { ...login, channels: 5 })))
  await settle()
  const expiries = carriers.asked
    .filter(({ method }) => method === 'REGISTER')
    .map(({ headers }) => headers?.find(([name]) => name === 'Expires')?.[1])
  expect(expiries).toEqual(['3600', '0', '3600'])
  await trunks.stop()
})
