import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { systemTimers } from '../../kit/timers.ts'
import { noParams } from '../../sip/syntax/params.ts'
import { sipUri } from '../../sip/uri/uri.ts'
import { toneSource } from '../endpoint/audio/audio-source.ts'
import type { EndpointCall } from '../endpoint/call/endpoint-call.ts'
import { receiveCall } from '../endpoint/call/incoming-call.ts'
import { placeCall } from '../endpoint/call/outgoing-call.ts'
import { openSipEndpoint, type SipEndpoint } from '../endpoint/signalling/sip-endpoint.ts'
import { type SandboxCarrier, startSandboxCarrier } from './carrier.ts'

const host = '127.0.0.1'
const timers = systemTimers
const log = { warn() {}, error() {} }
let carrier: SandboxCarrier
let station: SipEndpoint
const placed: EndpointCall[] = []

beforeAll(async () => {
  carrier = await startSandboxCarrier({ timers, log })
  station = await openSipEndpoint({ host, product: 'test', timers, log })
})

afterEach(async () => {
  for (const call of placed.splice(0)) {
    call.hangUp()
    await call.ended
  }
})

afterAll(async () => {
  await carrier.stop()
  await station.stop()
})

async function dial(number: string, { hertz = 440, to = carrier } = {}) {
  const at = { host, port: to.address.port }
  const who = (user: string) => ({ name: undefined, uri: sipUri({ user, ...at }), params: noParams })
  const statuses: number[] = []
  const { promise: answered, resolve } = Promise.withResolvers<number>()
  /** Returns the seconds received before. */
  const onAnswered = () => resolve(call.heard()?.soundSeconds ?? 0)
  const call = await placeCall(
    { userAgent: station.userAgent, host, timers, log },
    {
      uri: sipUri({ user: number, ...at }),
      target: { transport: 'udp', remote: to.address },
      from: who('551133334444'),
      to: who(number),
    },
    { play: toneSource(hertz), onProgress: (status) => statuses.push(status), onAnswered },
  )
  placed.push(call)
  return { call, statuses, answered }
}

const hearing = (call: EndpointCall, seconds: number) =>
  vi.waitFor(() => expect(call.heard()?.soundSeconds).toBeGreaterThan(seconds), { timeout: 30_000 })

test('any number rings, answers and echoes', async () => {
  const { call, statuses, answered } = await dial('5511987654321')
  await answered
  expect(statuses).toContain(180)
  await hearing(call, 0.5)
  expect(call.heard()?.tone?.hertz).toBe(440)
  call.hangUp()
  expect(await call.ended).toMatchObject({ why: 'we hung up', heard: { tone: { hertz: 440 } } })
  await expect.poll(() => carrier.calls()).toBe(0)
})

test.each([
  ['5511999990002', 486, 17],
  ['5511999990003', 603, 21],
  ['5511999990004', 404, 1],
  ['5511999990005', 503, 34],
  ['190', 484, 28],
])('%s is refused with %d and cause %d', async (number, status, q850) => {
  const { call } = await dial(number)
  expect(await call.ended).toMatchObject({ why: 'they refused', status, q850 })
})

test('0009 answers at once with 1000 Hz, whatever it receives', async () => {
  const { call, answered } = await dial('5511999990009', { hertz: 600 })
  await answered
  await hearing(call, 0.3)
  expect(call.heard()?.tone?.hertz).toBe(1000)
})

test('0006 sends audio before it answers', async () => {
  const { call, statuses, answered } = await dial('5511999990006')
  await hearing(call, 0.1)
  expect(statuses).toContain(183)
  expect(call.heard()?.tone?.hertz).toBe(425)
  expect(await answered).toBeGreaterThan(0)
})

test('0007 sends nothing, 0100 hangs up, 0011 presses keys', async () => {
  const calls = [await dial('5511999990007'), await dial('5511999990100'), await dial('5511999990011')]
  const [silent, short, keys] = calls.map(({ call }) => call)
  expect(await short?.ended).toMatchObject({ why: 'they hung up' })
  await vi.waitFor(() => expect(keys?.heard()?.digits).toBe('1234'), { timeout: 30_000 })
  expect(silent?.heard()?.packets).toBe(0)
})

test('a call cancelled while it rings is forgotten', async () => {
  const { call, statuses } = await dial('5511999990001')
  await expect.poll(() => statuses).toContain(180)
  expect(carrier.calls()).toBe(1)
  call.hangUp()
  await call.ended
  await expect.poll(() => carrier.calls()).toBe(0)
})

test('beyond its capacity it refuses calls', async () => {
  const small = await startSandboxCarrier({ timers, log, maxCalls: 1 })
  const first = await dial('5511999990009', { to: small })
  await first.answered
  const second = await dial('5511999990009', { to: small })
  expect(await second.call.ended).toMatchObject({ status: 503, q850: 34 })
  const call = { to: '551133334444', from: { number: '1' }, server: station.address }
  await expect(small.call(call)).rejects.toThrow('no free channel')
  await small.stop()
  expect(await first.call.ended).toMatchObject({ why: 'they hung up' })
})

test('it calls the service, too', async () => {
  const callers: string[] = []
  station.userAgent.onInvite((leg) => {
    const call = receiveCall(leg, { host, timers, log })
    placed.push(call)
    callers.push(leg.remote.name ?? '')
    call.ring()
    void call.answer(toneSource(700))
  })
  const statuses: number[] = []
  const call = await carrier.call({
    to: '551133334444',
    from: { number: '5511987654321', name: 'Bia' },
    server: station.address,
    onProgress: (status) => statuses.push(status),
  })
  placed.push(call)
  await hearing(call, 0.3)
  expect(call.heard()?.tone?.hertz).toBe(700)
  expect(callers).toEqual(['Bia'])
  expect(statuses).toEqual([180])
})

test('it answers OPTIONS', async () => {
  const uri = sipUri({ host, port: carrier.address.port })
  const who = { name: undefined, uri, params: noParams }
  const target = { transport: 'udp', remote: carrier.address } as const
  const answer = await station.userAgent.request({ method: 'OPTIONS', uri, target, from: who, to: who })
  expect(answer?.status).toBe(200)
})
