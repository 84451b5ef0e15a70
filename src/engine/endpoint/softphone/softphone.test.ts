import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { systemTimers } from '../../../kit/timers.ts'
import { noParams } from '../../sip/syntax/params.ts'
import { sipUri } from '../../sip/uri/uri.ts'
import { playTone } from '../audio/audio-source.ts'
import { readWav } from '../audio/read-wav.ts'
import { receiveCall } from '../call/incoming-call.ts'
import { placeCall } from '../call/outgoing-call.ts'
import { openStation } from '../signalling/sip-endpoint.ts'
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

type Wish = Partial<Omit<SoftphoneSettings, 'server'>>

async function start(exchange: Exchange, { transport = 'udp', ...wish }: Wish = {}) {
  const events: PhoneEvent[] = []
  const phone = await createSoftphone({
    extension: '1000',
    password: 'right-password',
    domain,
    transport,
    server: { address: host, port: exchange.ports[transport] ?? 0 },
    answer: 'auto',
    play: () => playTone(440),
    timers,
    log,
    tell: (event) => events.push(event),
    ...wish,
  })
  let stopped = false
  const stop = async () => {
    if (!stopped) await phone.stop()
    stopped = true
  }
  closers.push(stop)
  const last = (type: PhoneEvent['type']) => events.findLast((event) => event.type === type)
  const told = (type: PhoneEvent['type'], count = 1) =>
    vi.waitFor(() => expect(events.filter((event) => event.type === type)).toHaveLength(count), {
      timeout: 8000,
    })
  return { phone, events, told, last, stop }
}

test.each(['udp', 'tcp', 'ws'] as const)(
  'by %s: registers, is called, hears itself, says goodbye',
  async (transport) => {
    const exchange = await open()
    const { phone, told, last, stop } = await start(exchange, { transport })
    await told('registered')
    const call = await exchange.ring([['X-Call-Id', 'call-1']])
    await told('answered')
    expect(last('incoming')).toMatchObject({ number: '1001', name: 'Ana', callId: 'call-1' })
    await vi.waitFor(() => expect(phone.heard()?.soundSeconds).toBeGreaterThan(0.3), { timeout: 8000 })
    expect(call.heard()?.tone?.hertz).toBe(440)
    call.hangUp()
    await told('ended')
    expect(last('ended')).toMatchObject({ why: 'they hung up', heard: { tone: { hertz: 440 } } })
    await stop()
    expect(exchange.events.map(({ type }) => type)).toEqual(['registered', 'unregistered'])
  },
)

test('a wrong password is told and not tried again', async () => {
  const { told, last } = await start(await open(), { password: 'wrong-password' })
  await told('registrationFailed')
  expect(last('registrationFailed')).toMatchObject({ status: 401 })
  expect(last('registrationFailed')).not.toHaveProperty('retrySeconds')
})

test('a connection that was lost is made anew', async () => {
  const exchange = await open()
  const { told } = await start(exchange, { transport: 'ws' })
  await told('registered')
  exchange.cutConnections()
  await told('registered', 2)
  expect(exchange.isRegistered()).toBe(true)
})

test('a phone that another one displaced stays out (D76)', async () => {
  const exchange = await open()
  const older = await start(exchange, { transport: 'ws' })
  await older.told('registered')
  const newer = await start(exchange)
  await newer.told('registered')
  await older.told('registrationFailed')
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
  const { told } = await start(exchange, { answer })
  await told('registered')
  expect(await (await exchange.ring()).ended).toMatchObject({ why: 'they refused', status })
})

test('asked, it rings until told what to do', async () => {
  const exchange = await open()
  const { phone, told, events } = await start(exchange, { answer: 'ask' })
  await told('registered')
  expect(phone.hangUp()).toBe(false)
  expect(await phone.answer()).toBe(false)

  const refused = await exchange.ring()
  await told('incoming')
  const second = await exchange.ring()
  expect(await second.ended).toMatchObject({ status: 486 })
  expect(phone.refuse()).toBe(true)
  expect(await refused.ended).toMatchObject({ status: 603 })
  await told('ended')

  const answered = await exchange.ring()
  await told('incoming', 2)
  expect(await phone.answer()).toBe(true)
  phone.press('12')
  await vi.waitFor(() => expect(answered.heard()?.digits).toBe('12'), { timeout: 8000 })
  expect(phone.hangUp()).toBe(true)
  expect(await answered.ended).toMatchObject({ why: 'they hung up' })
  expect(events.filter(({ type }) => type === 'answered')).toHaveLength(1)
})

test('a caller who gives up is told', async () => {
  const exchange = await open()
  const { told, last, phone } = await start(exchange, { answer: 'ask' })
  await told('registered')
  const call = await exchange.ring()
  await told('incoming')
  call.hangUp()
  await told('ended')
  expect(last('ended')).toMatchObject({ why: 'they gave up' })
  expect(phone.refuse()).toBe(false)
})

test('it places calls, hears keys, records, and hangs up when it is time', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'phone-'))
  closers.unshift(() => rm(folder, { recursive: true }))
  const record = join(folder, 'heard.wav')
  const exchange = await open()
  exchange.userAgent.onInvite((leg) => {
    const call = receiveCall(leg, { host, timers, log })
    call.ring()
    void call.answer(playTone(1000)).then(() => call.press('7'))
  })
  const { phone, told, last } = await start(exchange, { record, hangUpAfterSeconds: 2 })
  await told('registered')
  expect(await phone.call('551133334444')).toBe(true)
  expect(await phone.call('551133334444')).toBe(false)
  await told('digit')
  expect(last('progress')).toEqual({ type: 'progress', status: 180 })
  await told('ended')
  expect(last('ended')).toMatchObject({ why: 'we hung up', heard: { digits: '7', tone: { hertz: 1000 } } })
  expect(readWav(await readFile(record)).length).toBeGreaterThan(4000)
})

test('only its server may call it', async () => {
  const exchange = await open()
  const { told, events } = await start(exchange, { transport: 'udp' })
  await told('registered')
  const registered = exchange.events[0]
  const way = registered?.type === 'registered' ? registered.registration.way : ''
  const [, port = ''] = /127\.0\.0\.1:(\d+)/.exec(way) ?? []
  const stranger = await openStation({ host: '127.0.0.2', product: 'scanner', timers, log })
  closers.push(stranger.stop)
  const uri = sipUri({ user: '1000', host, port: Number(port) })
  const who = { name: undefined, uri, params: noParams }
  const target = { transport: 'udp', remote: { address: host, port: Number(port) } } as const
  const deps = { userAgent: stranger.userAgent, host: '127.0.0.2', timers, log }
  const call = await placeCall(deps, { uri, target, from: who, to: who }, { play: playTone(440) })
  expect(await call.ended).toMatchObject({ why: 'they refused', status: 403 })
  expect(events.some(({ type }) => type === 'incoming')).toBe(false)
})
