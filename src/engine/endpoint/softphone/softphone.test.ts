import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { systemTimers } from '../../../kit/timers.ts'
import { noParams } from '../../../sip/syntax/params.ts'
import { sipUri } from '../../../sip/uri/uri.ts'
import { toneSource } from '../audio/audio-source.ts'
import { readWav } from '../audio/read-wav.ts'
import { receiveCall } from '../call/incoming-call.ts'
import { placeCall } from '../call/outgoing-call.ts'
import { openSipEndpoint } from '../signalling/sip-endpoint.ts'
import { domain, type Exchange, openExchange } from '../testing/exchange.ts'
import { createSoftphone, type PhoneEvent } from './softphone.ts'
import type { SoftphoneSettings } from './softphone-settings.ts'

const host = '127.0.0.1'
const log = { warn() {}, error() {} }
const timers = systemTimers
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function open() {
  const exchange = await openExchange()
  closers.push(exchange.stop)
  return exchange
}

type Options = Partial<Omit<SoftphoneSettings, 'server'>>

async function start(exchange: Exchange, { transport = 'udp', ...options }: Options = {}) {
  const events: PhoneEvent[] = []
  const phone = await createSoftphone({
    extension: '1000',
    password: 'right-password',
    domain,
    transport,
    server: { address: host, port: exchange.ports[transport] ?? 0 },
    answer: 'auto',
    play: () => toneSource(440),
    timers,
    log,
    onEvent: (event) => events.push(event),
    ...options,
  })
  let stopped = false
  const stop = async () => {
    if (!stopped) await phone.stop()
    stopped = true
  }
  closers.push(stop)
  const last = (type: PhoneEvent['type']) => events.findLast((event) => event.type === type)
  const emitted = (type: PhoneEvent['type'], count = 1) =>
    vi.waitFor(() => expect(events.filter((event) => event.type === type)).toHaveLength(count), {
      timeout: 30_000,
    })
  return { phone, events, emitted, last, stop }
}

test.each(['udp', 'tcp', 'ws'] as const)(
  'by %s: registers, is called, receives its echo, unregisters',
  async (transport) => {
    const exchange = await open()
    const { phone, emitted, last, stop } = await start(exchange, { transport })
    await emitted('registered')
    const call = await exchange.ring([['X-Call-Id', 'call-1']])
    await emitted('answered')
    expect(last('incoming')).toMatchObject({ number: '1001', name: 'Ana', callId: 'call-1' })
    await vi.waitFor(() => expect(phone.heard()?.soundSeconds).toBeGreaterThan(0.3), { timeout: 30_000 })
    expect(call.heard()?.tone?.hertz).toBe(440)
    call.hangUp()
    await emitted('ended')
    expect(last('ended')).toMatchObject({ why: 'they hung up', heard: { tone: { hertz: 440 } } })
    await stop()
    expect(exchange.events.map(({ type }) => type)).toEqual(['registered', 'unregistered'])
  },
)

test('a wrong password is reported and not retried', async () => {
  const { emitted, last } = await start(await open(), { password: 'wrong-password' })
  await emitted('registrationFailed')
  expect(last('registrationFailed')).toMatchObject({ status: 401 })
  expect(last('registrationFailed')).not.toHaveProperty('retrySeconds')
})

test('a lost connection is opened again', async () => {
  const exchange = await open()
  const { emitted } = await start(exchange, { transport: 'ws' })
  await emitted('registered')
  exchange.cutConnections()
  await emitted('registered', 2)
  expect(exchange.isRegistered()).toBe(true)
})

test('a displaced phone does not register again (D76)', async () => {
  const exchange = await open()
  const older = await start(exchange, { transport: 'ws' })
  await older.emitted('registered')
  const newer = await start(exchange)
  await newer.emitted('registered')
  await older.emitted('registrationFailed')
  expect(older.last('registrationFailed')).toMatchObject({ status: 403 })
  expect(older.last('registrationFailed')).not.toHaveProperty('retrySeconds')
  await older.stop()
  expect(exchange.isRegistered()).toBe(true)
})

test.each([
  ['busy', 486],
  ['refuse', 603],
] as const)('%s answers %d', async (answer, status) => {
  const exchange = await open()
  const { emitted } = await start(exchange, { answer })
  await emitted('registered')
  expect(await (await exchange.ring()).ended).toMatchObject({ why: 'they refused', status })
})

test('with `ask` it rings until it is answered or refused', async () => {
  const exchange = await open()
  const { phone, emitted, events } = await start(exchange, { answer: 'ask' })
  await emitted('registered')
  expect(phone.hangUp()).toBe(false)
  expect(await phone.answer()).toBe(false)

  const refused = await exchange.ring()
  await emitted('incoming')
  const second = await exchange.ring()
  expect(await second.ended).toMatchObject({ status: 486 })
  expect(phone.refuse()).toBe(true)
  expect(await refused.ended).toMatchObject({ status: 603 })
  await emitted('ended')

  const answered = await exchange.ring()
  await emitted('incoming', 2)
  expect(await phone.answer()).toBe(true)
  phone.press('12')
  await vi.waitFor(() => expect(answered.heard()?.digits).toBe('12'), { timeout: 30_000 })
  expect(phone.hangUp()).toBe(true)
  expect(await answered.ended).toMatchObject({ why: 'they hung up' })
  expect(events.filter(({ type }) => type === 'answered')).toHaveLength(1)
})

test('a cancelled call is reported', async () => {
  const exchange = await open()
  const { emitted, last, phone } = await start(exchange, { answer: 'ask' })
  await emitted('registered')
  const call = await exchange.ring()
  await emitted('incoming')
  call.hangUp()
  await emitted('ended')
  expect(last('ended')).toMatchObject({ why: 'they gave up' })
  expect(phone.refuse()).toBe(false)
})

test('it places calls, receives digits, records, and hangs up after its time', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'phone-'))
  closers.unshift(() => rm(folder, { recursive: true }))
  const record = join(folder, 'heard.wav')
  const exchange = await open()
  exchange.userAgent.onInvite((leg) => {
    const call = receiveCall(leg, { host, timers, log })
    call.ring()
    void call.answer(toneSource(1000)).then(() => call.press('7'))
  })
  const { phone, emitted, last } = await start(exchange, { record, hangUpAfterSeconds: 2 })
  await emitted('registered')
  expect(await phone.call('551133334444')).toBe(true)
  expect(await phone.call('551133334444')).toBe(false)
  await emitted('digit')
  expect(last('progress')).toEqual({ type: 'progress', status: 180 })
  await emitted('ended')
  expect(last('ended')).toMatchObject({ why: 'we hung up', heard: { digits: '7', tone: { hertz: 1000 } } })
  expect(readWav(await readFile(record)).length).toBeGreaterThan(4000)
})

test('it refuses calls that do not come from its server', async () => {
  const exchange = await open()
  const { emitted, events } = await start(exchange, { transport: 'udp' })
  await emitted('registered')
  const registered = exchange.events[0]
  const state = registered?.type === 'registered' ? registered.registration.state : undefined
  const [, port = ''] = /127\.0\.0\.1:(\d+)/.exec(state ?? '') ?? []
  const stranger = await openSipEndpoint({ host: '127.0.0.2', product: 'scanner', timers, log })
  closers.push(stranger.stop)
  const uri = sipUri({ user: '1000', host, port: Number(port) })
  const who = { name: undefined, uri, params: noParams }
  const target = { transport: 'udp', remote: { address: host, port: Number(port) } } as const
  const deps = { userAgent: stranger.userAgent, host: '127.0.0.2', timers, log }
  const call = await placeCall(deps, { uri, target, from: who, to: who }, { play: toneSource(440) })
  expect(await call.ended).toMatchObject({ why: 'they refused', status: 403 })
  expect(events.some(({ type }) => type === 'incoming')).toBe(false)
})
