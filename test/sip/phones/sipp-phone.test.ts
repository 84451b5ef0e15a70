/** SIPp as a phone of ours: registers, is rung, dials; and as a carrier that brings calls to a phone. */
import { describe, expect, test } from 'vitest'
import type { Cause } from '../../../src/contract/calls/causes.ts'
import type { AcceptedCall, Side } from '../../../src/engine/port.ts'
import { programMissing } from '../../helpers/programs/programs.ts'
import {
  type EngineSetup,
  keep,
  openEngineSetup,
  soon,
  startDeskPhone,
  type TestScope,
} from '../engine/engine-setup.ts'
import { destination, domain, passwordOf } from '../engine/test-host.ts'
import { freeNeighbours } from '../peers/ports.ts'
import { runSipp, startSipp } from '../peers/sipp.ts'

type Played = Parameters<typeof startSipp>[0]

const extension = { domain, number: '1000' }
const proof = { username: '1000', password: passwordOf('1000') }
const limits = { ring: 20, answer: 20, talk: 60 }
const accepted = (callId: string, change: Partial<AcceptedCall> = {}): AcceptedCall => ({
  callId,
  destination: { number: destination },
  presented: undefined,
  record: false,
  limits,
  ...change,
})

async function setUp(t: TestScope, options: Parameters<typeof openEngineSetup>[1] = {}) {
  const carrierPort = await freeNeighbours(8)
  const office = keep(t, await openEngineSetup(carrierPort, options))
  const remote = `127.0.0.1:${office.port}`
  return {
    ...office,
    carrierPort,
    /** The keys of the SIPp scenario. */
    phone: (scenario: string, more: Partial<Played> = {}): Played => ({
      scenario,
      remote,
      ...proof,
      service: destination,
      ...more,
      keys: { caller: '1000', ...more.keys },
    }),
  }
}

/** The port of the phone, where SIPp is then called. */
async function register({ phone }: Pick<Awaited<ReturnType<typeof setUp>>, 'phone'>, more?: Partial<Played>) {
  return (await runSipp(phone('phone-registers', more))).port
}

const kinds = ({ phones }: EngineSetup) => phones.map(({ type }) => type)
const withoutSipp = programMissing('sipp')

describe.skipIf(withoutSipp)('a phone that registers', { concurrent: true }, () => {
  test('with its password is registered until it unregisters', async (t) => {
    const office = await setUp(t)
    const port = await register(office, { keys: { agent: 'Desk 7' } })
    expect(office.engine.registration(extension)).toMatchObject({ extension, userAgent: 'Desk 7' })
    await register(office, { port, keys: { expires: 0 } })
    expect(office.engine.registration(extension)).toBeUndefined()
    expect(kinds(office)).toEqual(['registered', 'unregistered'])
  })

  test('over TCP is registered as long as its connection', async (t) => {
    const office = await setUp(t)
    await register(office, { transport: 'tcp' })
    await soon(() => expect(kinds(office)).toEqual(['registered', 'unregistered']))
    expect(office.engine.registration(extension)).toBeUndefined()
  })

  test('and removes all contacts (Contact: *) is unregistered', async (t) => {
    const office = await setUp(t)
    await register(office)
    await runSipp(office.phone('phone-clears'))
    expect(office.engine.registration(extension)).toBeUndefined()
    expect(kinds(office)).toEqual(['registered', 'unregistered'])
  })

  test('and does not refresh is unregistered when it expires', async (t) => {
    const office = await setUp(t)
    await register(office, { keys: { expires: 60 } })
    await office.pass(58)
    expect(office.engine.registration(extension)).toBeDefined()
    await office.pass(4)
    await soon(() => expect(kinds(office)).toEqual(['registered', 'unregistered']))
    expect(await office.place().ended()).toMatchObject({ cause: 'USER_NOT_REGISTERED', by: 'service' })
  })

  test('with a wrong password, an unknown number, or too short an expiry is refused', async (t) => {
    const { phone, engine, phones } = await setUp(t)
    await runSipp(phone('phone-is-refused', { password: 'a guess', keys: { status: 401 } }))
    await runSipp(phone('phone-is-refused', { keys: { status: 401, domain: 'nobody.test' } }))
    await runSipp(phone('phone-is-refused', { keys: { status: 423, expires: 59 } }))
    expect(engine.registration(extension)).toBeUndefined()
    expect(phones).toEqual([])
    expect(engine.metrics()).toMatchObject({ register_failures_total: 2, register_refusals_total: 1 })
  })

  test('displaces the one before, whose refreshes are refused (D76)', async (t) => {
    const office = await setUp(t)
    const { phone, engine, phones } = office
    const older = { callId: `older-${Math.random()}` }
    const port = await register(office, { ...older, keys: { agent: 'Older' } })
    await register(office, { keys: { agent: 'Newer' } })
    expect(phones.map(({ type }) => type)).toEqual(['registered', 'displaced', 'registered'])
    expect(phones[1]).toMatchObject({ registration: { userAgent: 'Older' }, by: { userAgent: 'Newer' } })
    const keys = { first: 3, second: 4, status: 403 }
    await runSipp(phone('phone-is-refused', { ...older, port, keys }))
    expect(engine.registration(extension)?.userAgent).toBe('Newer')
    expect(engine.metrics()).toMatchObject({ registrations: 1, registrations_displaced_total: 1 })

    // Its user acts: a new Call-ID.
    await register(office, { port, keys: { agent: 'Older' } })
    expect(engine.registration(extension)?.userAgent).toBe('Older')
  })
})

describe.skipIf(withoutSipp)('a phone that is rung', { concurrent: true }, () => {
  test.for<[number, Cause]>([
    [404, 'UNALLOCATED_NUMBER'],
    [480, 'NO_ANSWER'],
    [486, 'USER_BUSY'],
    [488, 'INCOMPATIBLE_DESTINATION'],
    [500, 'NETWORK_OUT_OF_ORDER'],
    [503, 'NORMAL_TEMPORARY_FAILURE'],
    [603, 'CALL_REJECTED'],
  ])('and refuses with %i ends the call with %s', async ([status, cause], t) => {
    const office = await setUp(t)
    const port = await register(office)
    // D236: a phone that refuses the offer of plain RTP gets another one, of DTLS.
    const calls = status === 488 ? 2 : 1
    const phone = keep(t, await startSipp({ scenario: 'callee-refuses', port, keys: { status }, calls }))
    expect(await office.place().ended()).toMatchObject({
      events: ['ended'],
      cause,
      by: 'extension',
    })
    await phone.success()
    await office.isAtRest()
  })

  test('gets the id of the call and the mark of a placed call (D77)', async (t) => {
    const office = await setUp(t)
    const port = await register(office)
    const phone = keep(t, await startSipp({ scenario: 'callee-refuses', port }))
    const { callId, ended } = office.place({ shown: { number: '554833334444', name: 'João "JJ"' } })
    await ended()
    const { messages } = await phone.success()
    expect(messages).toMatch(/^X-Api4comintegratedcall: true\s*$/im)
    expect(messages).toContain(`X-Call-Id: ${callId}`)
    expect(messages).toMatch(/^From: "João \\"JJ\\"" <sip:554833334444@ramal\.test>;tag=/m)
  })

  test('and does not answer rings until the ring limit', async (t) => {
    const office = await setUp(t)
    const port = await register(office)
    const phone = keep(t, await startSipp({ scenario: 'callee-never-answers', port }))
    const call = office.place()
    await call.until('ringing')
    await office.pass(20)
    expect(await call.ended()).toMatchObject({
      events: ['ringing', 'ended'],
      cause: 'NO_ANSWER',
      by: 'service',
    })
    await phone.success()
    await office.isAtRest()
  })

  test('and does not respond is an absent subscriber', async (t) => {
    const office = await setUp(t)
    await register(office)
    const call = office.place({ limits: { ...limits, ring: 60 } })
    await soon(() => expect(office.engine.metrics().sip_transactions_client).toBe(1))
    await office.pass(33)
    expect(await call.ended()).toMatchObject({ cause: 'SUBSCRIBER_ABSENT', by: 'extension' })
    await office.isAtRest()
  })

  test('and hangs up before the destination answers cancels the call', async (t) => {
    const office = await setUp(t)
    const port = await register(office)
    const phone = keep(t, await startSipp({ scenario: 'callee-hangs-up', port, pause: 300 }))
    const callee = { scenario: 'callee-never-answers', port: office.carrierPort }
    const carrier = keep(t, await startSipp(callee))
    expect(await office.place().ended()).toMatchObject({
      events: ['ringing', 'extensionAnswered', 'progress', 'ended'],
      cause: 'ORIGINATOR_CANCEL',
      by: 'extension',
    })
    await Promise.all([phone.success(), carrier.success()])
    await office.isAtRest()
  })

  test('is hung up when the destination hangs up', async (t) => {
    const office = await setUp(t)
    const port = await register(office)
    const phone = keep(t, await startSipp({ scenario: 'callee-answers', port }))
    const carrier = keep(t, await startSipp({ scenario: 'callee-hangs-up', port: office.carrierPort }))
    expect(await office.place().ended()).toMatchObject({
      events: ['ringing', 'extensionAnswered', 'progress', 'answered', 'ended'],
      cause: 'NORMAL_CLEARING',
      by: 'other',
    })
    await Promise.all([phone.success(), carrier.success()])
    await office.isAtRest()
  })
})

describe.skipIf(withoutSipp)('a phone that dials', { concurrent: true }, () => {
  const callId = 'a-call-that-came'
  const admit = () => accepted(callId)

  test('authenticates (407), is connected and hangs up', async (t) => {
    const office = await setUp(t, { admit })
    const port = await register(office)
    const carrier = keep(t, await startSipp({ scenario: 'callee-answers', port: office.carrierPort }))
    await runSipp(office.phone('phone-dials', { port, pause: 300 }))
    expect(office.incomingCalls).toEqual([{ from: { extension }, dialled: destination }])
    await office.until(callId, 'ended')
    expect(office.calls.map(({ type }) => type)).toEqual([
      'extensionAnswered',
      'progress',
      'answered',
      'ended',
    ])
    expect(office.calls.at(-1)).toMatchObject({ cause: 'NORMAL_CLEARING', by: 'extension' })
    await carrier.success()
    await office.isAtRest()
  })

  test.for<[number, Cause]>([
    [404, 'UNALLOCATED_NUMBER'],
    [486, 'USER_BUSY'],
    [603, 'CALL_REJECTED'],
    [500, 'NETWORK_OUT_OF_ORDER'],
  ])('is refused as the destination refuses: %i', async ([status, cause], t) => {
    const office = await setUp(t, { admit })
    const port = await register(office)
    const callee = { scenario: 'callee-refuses', port: office.carrierPort, keys: { status } }
    const carrier = keep(t, await startSipp(callee))
    await runSipp(office.phone('phone-dials-in-vain', { port, keys: { status } }))
    expect(await office.until(callId, 'ended')).toMatchObject({ cause, by: 'other' })
    await carrier.success()
    await office.isAtRest()
  })

  test('and hangs up while it rings cancels the call', async (t) => {
    const office = await setUp(t, { admit })
    const port = await register(office)
    const callee = { scenario: 'callee-never-answers', port: office.carrierPort }
    const carrier = keep(t, await startSipp(callee))
    await runSipp(office.phone('phone-gives-up', { port }))
    expect(await office.until(callId, 'ended')).toMatchObject({ cause: 'ORIGINATOR_CANCEL', by: 'extension' })
    await carrier.success()
    await office.isAtRest()
  })

  test('a barred number is refused', async (t) => {
    const office = await setUp(t, { admit: () => ({ rejected: 'OUTGOING_CALL_BARRED' }) })
    const port = await register(office)
    await runSipp(office.phone('phone-dials-in-vain', { port, keys: { status: 403 } }))
    expect(office.calls).toEqual([])
    await office.isAtRest()
  })

  test('without a registration, or with a wrong password, is refused', async (t) => {
    const office = await setUp(t, { admit })
    await runSipp(office.phone('phone-dials-in-vain', { keys: { status: 403 } }))
    const port = await register(office)
    const guess = { port, password: 'a guess', keys: { status: 407 } }
    await runSipp(office.phone('phone-dials-in-vain', guess))
    expect(office.incomingCalls).toEqual([])
    expect(office.engine.metrics().guard_failures_total).toBe(1)
    await office.isAtRest()
  })
})

describe.skipIf(withoutSipp)('a carrier that brings a call', { concurrent: true }, () => {
  const callId = 'a-call-from-outside'
  const admit = () => accepted(callId, { destination: { extension }, presented: { number: '5511900000001' } })
  const expected = ['ringing', 'answered', 'ended']

  async function setUpDesk(t: TestScope, answer: 'auto' | 'ask' = 'auto') {
    const office = await setUp(t, { admit })
    const desk = keep(t, await startDeskPhone(office, { answer }))
    const call = (scenario: string, more: Partial<Played> = {}): Played => ({
      scenario,
      remote: `127.0.0.1:${office.port}`,
      port: office.carrierPort,
      service: '554830001000',
      ...more,
    })
    return { ...office, desk, call }
  }

  type Row = [string, string, { cause: Cause; by: Side; leaves?: boolean }]

  test.for<Row>([
    ['is put through, and hangs up', 'caller-calls', { cause: 'NORMAL_CLEARING', by: 'other' }],
    [
      'is put through, and is hung up on',
      'caller-waits',
      { cause: 'NORMAL_CLEARING', by: 'extension', leaves: true },
    ],
  ])('%s', async ([, scenario, { leaves, ...end }], t) => {
    const { call, desk, incomingCalls, until, calls, isAtRest } = await setUpDesk(t)
    const caller = keep(t, await startSipp(call(scenario, { pause: 1500 })))
    await until(callId, 'answered')
    await soon(() => expect(desk.heard()?.tone?.hertz).toBe(1000))
    if (leaves) desk.hangUp()
    expect(await until(callId, 'ended')).toMatchObject(end)
    expect(calls.map(({ type }) => type)).toEqual(expected)
    const from = { trunk: 'carrier', callerId: { number: '5511900000001', name: '5511900000001' } }
    expect(incomingCalls).toEqual([{ from, dialled: '554830001000' }])
    await caller.success()
    await isAtRest()
  })

  test.for([
    ['hangs up while it rings', 'caller-gives-up'],
    ['requires 100rel, and hangs up while it rings (D271)', 'caller-requires-100rel'],
  ] as const)('and %s cancels the call', async ([, scenario], t) => {
    const { call, desk, until, isAtRest } = await setUpDesk(t, 'ask')
    await runSipp(call(scenario))
    expect(await until(callId, 'ended')).toMatchObject({ cause: 'ORIGINATOR_CANCEL', by: 'other' })
    await desk.until(({ type }) => type === 'ended')
    await isAtRest()
  })

  test('gets the refusal of the phone', async (t) => {
    const { call, desk, until, isAtRest } = await setUpDesk(t, 'ask')
    const caller = keep(t, await startSipp(call('caller-is-refused', { keys: { status: 486 } })))
    await desk.until(({ type }) => type === 'incoming')
    desk.refuse(486)
    const end = { cause: 'USER_BUSY', by: 'extension' }
    expect(await until(callId, 'ended')).toMatchObject(end)
    await caller.success()
    await isAtRest()
  })

  test('and never sends ACK is hung up after our answer was retransmitted', async (t) => {
    const { call, desk, until, pass, isAtRest } = await setUpDesk(t)
    const caller = keep(t, await startSipp(call('caller-never-acks')))
    await until(callId, 'answered')
    await soon(async () => expect(await caller.received('SIP/2.0 200')).toBeGreaterThan(1))
    await pass(33)
    expect(await until(callId, 'ended')).toMatchObject({
      cause: 'RECOVERY_ON_TIMER_EXPIRE',
      by: 'other',
    })
    await desk.until(({ type }) => type === 'ended')
    await caller.success()
    await isAtRest()
  })

  test('to an unassigned number is refused', async (t) => {
    const { phone, carrierPort, isAtRest } = await setUp(t)
    const keys = { status: 404, caller: '5511900000001' }
    await runSipp({ ...phone('caller-is-refused', { port: carrierPort }), keys })
    await isAtRest()
  })
})
