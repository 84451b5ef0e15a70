import { expect, test } from 'vitest'
import { formatAddress } from '../../../sip/headers/address.ts'
import { buildRequest, type HeaderPairs } from '../../../sip/message/request.ts'
import type { Flow } from '../../../sip/transport/flow.ts'
import { parseUri } from '../../../sip/uri/parse.ts'
import { formatUri } from '../../../sip/uri/uri.ts'
import { shouldTryNext } from './failover.ts'
import { namesInOrder, number, openTrunks, settle, trunk } from './testing/test-trunks.ts'

test('trunks are ordered by priority, then by weighted round robin (D118)', async () => {
  const opened = await openTrunks([
    trunk('spare', 1, { priority: 2 }),
    trunk('heavy', 2, { weight: 2 }),
    trunk('light', 3),
  ])
  const rounds = Array.from({ length: 6 }, () => namesInOrder(opened))
  expect(rounds.map(([first]) => first).toSorted()).toEqual([
    'heavy',
    'heavy',
    'heavy',
    'heavy',
    'light',
    'light',
  ])
  expect(rounds.every((names) => names.length === 3 && names[2] === 'spare')).toBe(true)
  await opened.trunks.stop()
})

test('a trunk with prefixes serves only numbers that begin so', async () => {
  const opened = await openTrunks([
    trunk('brazil', 1, { prefixes: ['55'] }),
    trunk('world', 2, { priority: 2 }),
  ])
  expect(namesInOrder(opened)).toEqual(['brazil', 'world'])
  expect(namesInOrder(opened, '12125550123')).toEqual(['world'])
  await opened.trunks.stop()
})

test('two misses put a carrier down, one answer brings it back', async () => {
  const opened = await openTrunks([trunk('a', 1), trunk('b', 2, { priority: 2 })])
  const { trunks, carriers, pass } = opened
  carriers.answer('203.0.113.1', undefined)
  await pass(60)
  expect(namesInOrder(opened)).toEqual(['a', 'b'])
  await pass(10)
  expect(namesInOrder(opened)).toEqual(['b'])
  expect(trunks.problems()).toEqual([])
  expect(trunks.metrics()).toMatchObject({ trunks: 2, trunks_up: 1 })
  carriers.answer('203.0.113.1', 404)
  await pass(10)
  expect(namesInOrder(opened)).toEqual(['a', 'b'])
  expect(trunks.problems()).toEqual([])
  await trunks.stop()
})

test('a carrier that responds with 503 is down; when all are down they are tried all the same', async () => {
  const opened = await openTrunks([trunk('a', 1), trunk('b', 2)])
  for (const address of ['203.0.113.1', '203.0.113.2']) opened.carriers.answer(address, 503)
  await opened.pass(70)
  expect(opened.trunks.problems()).toHaveLength(2)
  expect(namesInOrder(opened).toSorted()).toEqual(['a', 'b'])
  await opened.trunks.stop()
})

test('a carrier that is not checked counts as up', async () => {
  const opened = await openTrunks([trunk('a', 1, { qualifySeconds: 0 })])
  await opened.pass(100)
  expect(opened.carriers.asked).toEqual([])
  expect(opened.trunks.problems()).toEqual([])
  await opened.trunks.stop()
  expect(opened.timers.waiting()).toBe(0)
})

test('every address of a name is a candidate, and names are resolved again', async () => {
  let addresses: string[] = []
  const dns = { srv: async () => [], addresses: async () => addresses }
  const opened = await openTrunks([trunk('named', 0, { address: 'sip:carrier.example' })], dns)
  expect(namesInOrder(opened)).toEqual([])
  expect(opened.trunks.problems()).toEqual(['Trunk named: its address is not known to DNS'])
  addresses = ['203.0.113.1', '203.0.113.2']
  await opened.pass(15)
  expect(opened.trunks.choose(number).map(({ target }) => target.remote.address)).toEqual(addresses)
  addresses = ['203.0.113.2', '203.0.113.3']
  await opened.pass(300)
  expect(opened.trunks.choose(number).map(({ target }) => target.remote.address)).toEqual(addresses)
  expect(opened.trunks.isCarrier('203.0.113.1')).toBe(false)
  await opened.trunks.stop()
  expect(opened.timers.waiting()).toBe(0)
})

test('while DNS fails, the known addresses are used', async () => {
  let away = false
  const addresses = async () => {
    if (away) throw new Error('no DNS')
    return ['203.0.113.1']
  }
  const opened = await openTrunks([trunk('named', 0, { address: 'sip:carrier.example' })], {
    srv: async () => [],
    addresses,
  })
  away = true
  await opened.pass(900)
  expect(namesInOrder(opened)).toEqual(['named'])
  await opened.trunks.stop()
})

test('channels are limited, and released once', async () => {
  const { trunks } = await openTrunks([trunk('a', 1, { channels: 2 })])
  const [candidate] = trunks.choose(number)
  const [first, second] = [candidate?.take(), candidate?.take()]
  expect(second).toBeTypeOf('function')
  expect(candidate?.take()).toBeUndefined()
  first?.()
  first?.()
  expect(candidate?.take()).toBeTypeOf('function')
  expect(candidate?.take()).toBeUndefined()
  expect(trunks.metrics()).toMatchObject({ trunk_channels_used: 2, trunk_channels_refused_total: 2 })
  await trunks.stop()
})

test('calls per second are limited', async () => {
  const { trunks, timers } = await openTrunks([trunk('a', 1, { callsPerSecond: 5 })])
  const [candidate] = trunks.choose(number)
  const begun = () => Array.from({ length: 20 }, () => candidate?.take()).filter(Boolean).length
  expect(begun()).toBe(5)
  timers.advance(400)
  expect(begun()).toBe(2)
  timers.advance(60_000)
  expect(begun()).toBe(5)
  await trunks.stop()
})

const presented = { number: '551133334444', name: 'Ana "A" Lima' }

test('number, caller id and login are sent as configured for the carrier (D11, D192)', async () => {
  const login = { username: 'acme', password: 'secret' }
  const { trunks } = await openTrunks([
    trunk('a', 1, { format: 'e164-plus', callerId: '551130001000', ...login }),
    trunk('b', 2, { format: 'national', from: 'username', priority: 2, ...login }),
    trunk('c', 3, { priority: 3, address: 'sip:203.0.113.3:5070;transport=tcp' }),
  ])
  const [a, b, c] = trunks.choose(number)
  const shown = a?.invite(number, presented)
  expect(shown && formatUri(shown.uri)).toBe('sip:+5511987654321@203.0.113.1')
  expect(shown && formatAddress(shown.from)).toBe('"Ana \\"A\\" Lima" <sip:+551133334444@203.0.113.1>')
  expect(shown?.headers).toEqual([
    ['P-Asserted-Identity', '"Ana \\"A\\" Lima" <sip:+551133334444@203.0.113.1>'],
  ])
  expect(shown?.login).toEqual(login)
  const own = a?.invite(number, undefined)
  expect(own && formatAddress(own.from)).toBe('<sip:+551130001000@203.0.113.1>')

  const asserted = b?.invite(number, { number: '551133334444' })
  expect(asserted && formatUri(asserted.uri)).toBe('sip:011987654321@203.0.113.2')
  expect(asserted && formatAddress(asserted.from)).toBe('<sip:acme@203.0.113.2>')
  expect(asserted?.headers).toEqual([['P-Asserted-Identity', '<sip:01133334444@203.0.113.2>']])

  // D268: the carrier knows the number of a private call, the callee does not.
  const hidden = a?.invite(number, presented, true)
  expect(hidden && formatAddress(hidden.from)).toBe('"Anonymous" <sip:anonymous@anonymous.invalid>')
  expect(hidden?.headers).toEqual([
    ['P-Asserted-Identity', '"Ana \\"A\\" Lima" <sip:+551133334444@203.0.113.1>'],
    ['Privacy', 'id'],
  ])

  const nobody = c?.invite(number, undefined)
  expect(nobody && formatUri(nobody.uri)).toBe('sip:5511987654321@203.0.113.3:5070;transport=tcp')
  expect(nobody && formatAddress(nobody.from)).toBe('<sip:anonymous@203.0.113.3:5070>')
  expect(nobody?.headers).toEqual([])
  expect(c?.target).toEqual({ transport: 'tcp', remote: { address: '203.0.113.3', port: 5070 } })
  await trunks.stop()
})

const invite = (uri: string, from: string, headers: HeaderPairs = []) =>
  buildRequest({
    method: 'INVITE',
    uri: parseUri(uri),
    headers: [['From', from], ['To', '<sip:01133334444@192.0.2.1>'], ...headers],
  })
const flowFrom = (address: string): Flow => ({
  transport: 'udp',
  local: { address: '192.0.2.1', port: 5060 },
  remote: { address, port: 49_000 },
})

test('a short number goes over the trunks that list it, whatever their prefixes, as it was dialled (D272)', async () => {
  const { trunks } = await openTrunks([
    trunk('a', 1),
    trunk('b', 2, { services: ['190', '192'], prefixes: ['351'], format: 'e164-plus' }),
  ])
  expect(trunks.choose('190').map((candidate) => candidate.trunk.name)).toEqual(['b'])
  const police = trunks.choose('190')[0]?.invite('190', { number: '551133334444' })
  expect(police && formatUri(police.uri)).toBe('sip:190@203.0.113.2')
  expect(trunks.choose('193')).toEqual([])
  expect(trunks.choose(number).map((candidate) => candidate.trunk.name)).toEqual(['a'])
  await trunks.stop()
})

test('a call belongs to the trunk whose address it came from, or that trusts the address', async () => {
  const { trunks } = await openTrunks([trunk('a', 1), trunk('b', 2, { trust: ['198.51.100.0/24'] })])
  const request = invite('sip:+551133334444@192.0.2.1', '<sip:+5511987654321@203.0.113.1>;tag=1')
  expect(trunks.identify(flowFrom('203.0.113.1'), request)).toMatchObject({
    trunk: { name: 'a' },
    dialled: '551133334444',
    callerId: { number: '5511987654321' },
  })
  expect(trunks.identify(flowFrom('198.51.100.9'), request)?.trunk.name).toBe('b')
  expect(trunks.identify(flowFrom('198.51.101.9'), request)).toBeUndefined()
  expect(trunks.isCarrier('::1')).toBe(false)
  await trunks.stop()
})

test('of two trunks at one carrier, the username decides; the number is then in To', async () => {
  const login = (username: string) => ({ username, password: 'p', register: true, format: 'national' })
  const { trunks } = await openTrunks([trunk('a', 1, login('ann')), trunk('b', 1, login('bob'))])
  const request = invite('sip:bob@192.0.2.1', '"X" <sip:011987654321@c.example>;tag=1')
  expect(trunks.identify(flowFrom('203.0.113.1'), request)).toMatchObject({
    trunk: { name: 'b' },
    dialled: '551133334444',
    callerId: { number, name: 'X' },
  })
  await trunks.stop()
})

test('the asserted identity is used, unless the caller asked for privacy', async () => {
  const { trunks } = await openTrunks([trunk('a', 1)])
  const identity: [string, string] = ['P-Asserted-Identity', '<tel:+5511987654321>']
  const caller = (headers: HeaderPairs, from = '<sip:anonymous@anonymous.invalid>;tag=1') =>
    trunks.identify(flowFrom('203.0.113.1'), invite('sip:551133334444@192.0.2.1', from, headers))?.callerId
  expect(caller([identity])).toEqual({ number })
  expect(caller([identity, ['Privacy', 'id;user']])).toBeUndefined()
  // D268: a carrier may leave the number in From.
  expect(caller([['Privacy', 'id']], '<sip:+5511987654321@203.0.113.1>;tag=1')).toBeUndefined()
  expect(caller([identity, ['Privacy', 'none']])).toEqual({ number })
  expect(caller([['P-Asserted-Identity', '<<<']])).toBeUndefined()
  expect(caller([])).toBeUndefined()
  await trunks.stop()
})

test('D250: the share of a node takes the place of the limits, until it is lifted', async () => {
  const { trunks } = await openTrunks([trunk('a', 1, { channels: 3, callsPerSecond: 100 })])
  const take = () => trunks.choose('5548999998888')[0]?.take()
  trunks.limit(new Map([['a', { channels: 1, callsPerSecond: 100 }]]))
  expect([take(), take()]).toEqual([expect.any(Function), undefined])
  expect(trunks.loads()).toEqual([
    { name: 'a', channels: 3, callsPerSecond: 100, used: 1, begun: 1, problems: [] },
  ])
  trunks.limit(undefined)
  expect([take(), take(), take()]).toEqual([expect.any(Function), expect.any(Function), undefined])
  trunks.limit(new Map([['a', { channels: 9, callsPerSecond: 0 }]]))
  expect([take(), take()]).toEqual([expect.any(Function), undefined])
  await trunks.stop()
})

test('calls from the carrier take channels, at any rate', async () => {
  const { trunks } = await openTrunks([trunk('a', 1, { channels: 3, callsPerSecond: 1 })])
  const request = invite('sip:551133334444@192.0.2.1', '<sip:1@c.example>;tag=1')
  const taken = Array.from({ length: 4 }, () => trunks.identify(flowFrom('203.0.113.1'), request)?.take())
  expect(taken.map((release) => release !== undefined)).toEqual([true, true, true, false])
  await trunks.stop()
})

test.each([
  [{ why: 'timeout', status: undefined }, true],
  [{ why: 'transport', status: undefined }, true],
  [{ why: 'refused', status: 500 }, true],
  [{ why: 'refused', status: 502 }, true],
  [{ why: 'refused', status: 503 }, true],
  [{ why: 'refused', status: 503, q850: 34 }, true],
  [{ why: 'refused', status: 504 }, true],
  [{ why: 'refused', status: 503, q850: 17 }, false],
  [{ why: 'refused', status: 404 }, false],
  [{ why: 'refused', status: 408 }, false],
  [{ why: 'refused', status: 486 }, false],
  [{ why: 'refused', status: 501 }, false],
  [{ why: 'refused', status: 603 }, false],
  [{ why: 'cancelled', status: 487 }, false],
] as const)('after %j the next trunk is tried: %s', (failure, next) => {
  expect(shouldTryNext(failure)).toBe(next)
})

test('a trunk with `register` is registered, and unregistered at the stop', async () => {
  const login = { username: 'acme', password: 'p', register: true, qualifySeconds: 0 }
  const opened = await openTrunks([trunk('a', 1, login)])
  const { trunks, carriers, timers, pass } = opened
  expect(carriers.asked).toHaveLength(1)
  expect(carriers.asked[0]).toMatchObject({
    method: 'REGISTER',
    login: { username: 'acme' },
    headers: [
      ['Contact', '<sip:acme@192.0.2.1:5060>'],
      ['Expires', '3600'],
    ],
  })
  carriers.answer('203.0.113.1', 403)
  await pass(3540)
  expect(trunks.problems()).toEqual(['Trunk a refuses to register us: 403 So it is'])
  carriers.answer('203.0.113.1', 200)
  await pass(5)
  expect(trunks.problems()).toEqual([])
  await trunks.stop()
  await settle()
  expect(carriers.asked.at(-1)?.headers).toContainEqual(['Expires', '0'])
  expect(timers.waiting()).toBe(0)
})
