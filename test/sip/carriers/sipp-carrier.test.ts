/** SIPp as the carrier that our calls go to: its behaviour, the events of the call, and that nothing is left behind. */
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Cause } from '../../../src/contract/calls/causes.ts'
import type { Side } from '../../../src/engine/port.ts'
import { programMissing } from '../../helpers/programs/programs.ts'
import {
  type DeskPhone,
  deskHertz,
  type EngineSetup,
  keep,
  openEngineSetup,
  soon,
  startDeskPhone,
  type TestScope,
} from '../engine/engine-setup.ts'
import { freeNeighbours } from '../peers/ports.ts'
import { startSipp } from '../peers/sipp.ts'
import { channelOf, secondsOfTone } from '../peers/tones.ts'

type Played = Parameters<typeof startSipp>[0]
type Scene = EngineSetup & { desk: DeskPhone; carrier: Awaited<ReturnType<typeof startSipp>> }

const login = { username: 'acme', password: 'secret of the trunk' }
/** A carrier that plays the scenario, an office whose trunk leads there, somebody at the desk. */
async function setUp(t: TestScope, played: Played, trunk: object = {}): Promise<Scene> {
  const carrier = keep(t, await startSipp({ pause: 50, ...played }))
  const transport = played.transport === 'tcp' ? ';transport=tcp' : ''
  const address = `sip:127.0.0.1:${carrier.port}${transport}`
  const trunks = [{ name: 'carrier', address, qualifySeconds: 0, ...trunk }]
  const office = keep(t, await openEngineSetup(carrier.port, { trunks }))
  const desk = keep(t, await startDeskPhone(office))
  return { ...office, desk, carrier }
}

const toTheDestination = ['ringing', 'extensionAnswered']
const untilItRang = [...toTheDestination, 'progress']
const untilTheTalk = [...untilItRang, 'answered']

const md5 = (text: string) => createHash('md5').update(text).digest('hex')

const withoutSipp = programMissing('sipp')

describe.skipIf(withoutSipp)('a carrier that refuses', { concurrent: true }, () => {
  test.for<[number, Cause]>([
    [302, 'NORMAL_UNSPECIFIED'],
    [403, 'CALL_REJECTED'],
    [404, 'UNALLOCATED_NUMBER'],
    [480, 'NO_ANSWER'],
    [486, 'USER_BUSY'],
    [488, 'INCOMPATIBLE_DESTINATION'],
    [500, 'NETWORK_OUT_OF_ORDER'],
    [503, 'NORMAL_CIRCUIT_CONGESTION'],
    [603, 'CALL_REJECTED'],
  ])('with %i ends the call with %s (D2)', async ([status, cause], t) => {
    const { place, carrier, isAtRest } = await setUp(t, { scenario: 'callee-refuses', keys: { status } })
    const end = await place().ended()
    expect(end).toMatchObject({ events: [...toTheDestination, 'ended'], cause, by: 'other' })
    await carrier.success()
    await isAtRest()
  })

  test.for<[number, string, Cause]>([
    [480, 'Q.850;cause=17;text="busy"', 'USER_BUSY'],
    [503, 'Q.850 ; cause=1', 'UNALLOCATED_NUMBER'],
    [487, 'SIP;cause=487, Q.850;cause=19', 'NO_ANSWER'],
    [486, 'Q.850;cause=126', 'USER_BUSY'],
    [486, 'SIP;cause=404', 'USER_BUSY'],
    [486, 'Q.850;cause=', 'USER_BUSY'],
  ])('with %i and the reason %s ends the call with %s (D2)', async ([status, reason, cause], t) => {
    const keys = { status, reason }
    const { place, carrier, isAtRest } = await setUp(t, { scenario: 'callee-refuses-with-reason', keys })
    expect(await place().ended()).toMatchObject({ events: [...untilItRang, 'ended'], cause, by: 'other' })
    await carrier.success()
    await isAtRest()
  })

  test('after early media is heard until then, and no other trunk is tried', async (t) => {
    const keys = { status: 503 }
    const scene = await setUp(t, { scenario: 'callee-refuses-after-early-media', keys, pause: 1200 })
    const { place, desk, carrier, isAtRest } = scene
    const call = place()
    await soon(() => expect(desk.heard()?.tone?.hertz).toBe(1000))
    const end = { events: [...untilItRang, 'ended'], cause: 'NORMAL_CIRCUIT_CONGESTION' }
    expect(await call.ended()).toMatchObject(end)
    await carrier.success()
    await isAtRest()
  })

  test('by a redirect is not followed, as the other destination may be expensive', async (t) => {
    const elsewhere = keep(t, await startSipp({ scenario: 'callee-answers' }))
    const keys = { elsewhere: `5511900000002@127.0.0.1:${elsewhere.port}` }
    const { place, carrier, isAtRest } = await setUp(t, { scenario: 'callee-redirects', keys })
    expect(await place().ended()).toMatchObject({ cause: 'NORMAL_UNSPECIFIED' })
    await carrier.success()
    await isAtRest()
    await elsewhere.stop()
    expect((await elsewhere.finished).received('INVITE')).toBe(0)
  })
})

describe.skipIf(withoutSipp)('a carrier that rings', { concurrent: true }, () => {
  test.for(['180 Ringing', '183 Session Progress'])(
    'with %s and no SDP: the agent listens to ringback (425 Hz)',
    async (progress, t) => {
      const scene = await setUp(t, { scenario: 'callee-never-answers', keys: { progress } })
      const { place, desk, carrier, engine, isAtRest } = scene
      const call = place()
      await soon(() => expect(desk.heard()?.tone?.hertz).toBe(425))
      engine.hangUp(call.callId)
      expect(await call.ended()).toMatchObject({ events: [...untilItRang, 'ended'] })
      await carrier.success()
      await isAtRest()
    },
  )
})

type Ending = 'they' | 'desk' | 'we'
type Row = {
  played: Played
  trunk?: object
  /** By default hung up by the desk phone. */
  ends?: Ending
  cause?: Cause
  by?: Side
}

const talks: Record<string, Row> = {
  'answers is talked to': { played: { scenario: 'callee-answers' } },
  'answers over TCP is talked to': { played: { scenario: 'callee-answers', transport: 'tcp' } },
  'answers and is hung up on by us': {
    played: { scenario: 'callee-answers' },
    ends: 'we',
    by: 'service',
  },
  'demands 100rel, and sends another offer before it answers, is talked to (D271)': {
    played: { scenario: 'callee-demands-100rel', pause: 300 },
  },
  'has early media is talked to': { played: { scenario: 'callee-early-media' } },
  'hangs up': { played: { scenario: 'callee-hangs-up' }, ends: 'they' },
  'hangs up for want of a line says so (D2)': {
    played: { scenario: 'callee-hangs-up', keys: { reason: 'Q.850;cause=34' } },
    ends: 'they',
    cause: 'NORMAL_CIRCUIT_CONGESTION',
  },
  'hangs up with a cause nobody knows': {
    played: { scenario: 'callee-hangs-up', keys: { reason: 'Q.850;cause=125' } },
    ends: 'they',
  },
  'hangs up over TCP': { played: { scenario: 'callee-hangs-up', transport: 'tcp' }, ends: 'they' },
  'refreshes the session is let': { played: { scenario: 'callee-refreshes', keys: { expires: 90 } } },
  'sends DTMF by INFO gets 200': { played: { scenario: 'callee-presses-by-info' } },
  'would send us elsewhere in the call is declined': {
    played: { scenario: 'callee-refers', keys: { status: 603 } },
  },
  'sends OPTIONS in the call gets our capabilities': { played: { scenario: 'callee-sends-options' } },
  'rings three phones at once is talked to by the one that answers': { played: { scenario: 'callee-forks' } },
  'loses our ACKs gets them again': { played: { scenario: 'callee-loses-ack', repeats: false } },
  'wants a password gets it, and it is right': {
    played: { scenario: 'callee-verifies-digest', keys: login },
    trunk: login,
  },
  'hangs up in the same moment as we': { played: { scenario: 'callee-crosses-bye' } },
}

describe.skipIf(withoutSipp)('a carrier that', { concurrent: true }, () => {
  test.for(Object.entries(talks))('%s', async ([, { played, trunk, ends = 'desk', cause, by }], t) => {
    const { place, desk, carrier, engine, isAtRest } = await setUp(t, played, trunk)
    const call = place()
    await call.until('answered')
    if (ends !== 'they') await soon(() => expect(desk.heard()?.packets ?? 0).toBeGreaterThan(25))
    if (ends === 'desk') desk.hangUp()
    if (ends === 'we') engine.hangUp(call.callId)
    expect(await call.ended()).toMatchObject({
      events: [...untilTheTalk, 'ended'],
      cause: cause ?? 'NORMAL_CLEARING',
      by: by ?? (ends === 'they' ? 'other' : 'extension'),
    })
    await carrier.success()
    await isAtRest()
  })

  test('challenges every password is not retried endlessly', async (t) => {
    const { place, carrier, isAtRest } = await setUp(t, { scenario: 'callee-keeps-challenging' }, login)
    expect(await place().ended()).toMatchObject({ cause: 'CALL_REJECTED', by: 'other' })
    expect((await carrier.success()).received('INVITE')).toBe(2)
    await isAtRest()
  })

  test('has a proxy that challenges gets credentials, with its quality of protection', async (t) => {
    const { place, desk, carrier, isAtRest } = await setUp(t, { scenario: 'callee-challenges' }, login)
    const call = place()
    await call.until('answered')
    desk.hangUp()
    await call.ended()
    const { messages } = await carrier.success()
    const said = /^Proxy-Authorization: Digest (.*)$/m.exec(messages)?.[1] ?? ''
    const part = (name: string) => new RegExp(`(?:^|[ ,])${name}="?([^",]+)`).exec(said)?.[1] ?? ''
    const [nonce, nc, cnonce, qop] = [part('nonce'), part('nc'), part('cnonce'), part('qop')]
    const who = md5(`${login.username}:carrier.test:${login.password}`)
    expect(part('response')).toBe(md5([who, nonce, nc, cnonce, qop, md5(`INVITE:${part('uri')}`)].join(':')))
    await isAtRest()
  })

  test('challenges although no login is configured counts as a refusal', async (t) => {
    const { place, isAtRest } = await setUp(t, { scenario: 'callee-challenges' })
    expect(await place().ended()).toMatchObject({ cause: 'CALL_REJECTED', by: 'other' })
    await isAtRest()
  })

  test('refuses our password is not tried again', async (t) => {
    const trunk = { ...login, password: 'the wrong one' }
    const { place, isAtRest } = await setUp(t, { scenario: 'callee-verifies-digest', keys: login }, trunk)
    expect(await place().ended()).toMatchObject({ cause: 'CALL_REJECTED', by: 'other' })
    await isAtRest()
  })

  test('only rings is cancelled at the answer limit', async (t) => {
    const { place, carrier, pass, isAtRest } = await setUp(t, { scenario: 'callee-never-answers' })
    const call = place()
    await call.until('progress')
    await pass(20)
    expect(await call.ended()).toMatchObject({
      events: [...untilItRang, 'ended'],
      cause: 'NO_ANSWER',
      by: 'service',
    })
    expect((await carrier.success()).messages).toMatch(/^Reason: Q\.850;cause=19/m)
    await isAtRest()
  })

  test('sends only 100 is cancelled at the answer limit', async (t) => {
    const scene = await setUp(t, { scenario: 'callee-only-trying' })
    const { place, carrier, pass, isAtRest } = scene
    const call = place()
    await call.until('extensionAnswered')
    await soon(async () => expect(await carrier.received('INVITE')).toBe(1))
    await pass(20)
    expect(await call.ended()).toMatchObject({ events: [...toTheDestination, 'ended'], cause: 'NO_ANSWER' })
    await carrier.success()
    await isAtRest()
  })

  test('sends no response is a broken network after 32 s', async (t) => {
    const limits = { ring: 60, answer: 60, talk: 60 }
    const { place, dialled, pass, isAtRest } = await setUp(t, { scenario: 'callee-silent', pause: 20_000 })
    const call = place({ limits })
    await dialled()
    await pass(33)
    expect(await call.ended()).toMatchObject({
      events: [...toTheDestination, 'ended'],
      cause: 'NETWORK_OUT_OF_ORDER',
      by: 'service',
    })
    await isAtRest()
  })

  test('sends no response is abandoned at the answer limit', async (t) => {
    const scene = await setUp(t, { scenario: 'callee-silent', pause: 20_000 })
    const { place, dialled, pass, isAtRest, engine } = scene
    const call = place()
    await dialled()
    await pass(20)
    expect(await call.ended()).toMatchObject({ cause: 'NO_ANSWER', by: 'service' })
    await soon(() => expect(engine.metrics().sip_legs).toBe(1))
    await pass(13)
    await isAtRest()
  })

  test('answers while we cancel is hung up', async (t) => {
    const scene = await setUp(t, { scenario: 'callee-answers-a-cancel' })
    const { place, carrier, engine, isAtRest } = scene
    const call = place()
    await call.until('progress')
    engine.hangUp(call.callId)
    expect(await call.ended()).toMatchObject({
      events: [...untilItRang, 'ended'],
      cause: 'ORIGINATOR_CANCEL',
      by: 'service',
    })
    await carrier.success()
    await isAtRest()
  })

  test('never answers our BYE holds no resource longer than 32 s', async (t) => {
    const { place, desk, engine, pass, isAtRest } = await setUp(t, { scenario: 'callee-deaf', pause: 20_000 })
    const call = place()
    await call.until('answered')
    desk.hangUp()
    expect(await call.ended()).toMatchObject({ cause: 'NORMAL_CLEARING', by: 'extension' })
    const left = { media_calls: 0, trunk_channels_used: 0, sip_legs: 1 }
    await soon(() => expect(engine.metrics()).toMatchObject(left))
    await pass(33)
    await isAtRest()
  })

  test('is unreachable is a broken network', async (t) => {
    const office = keep(t, await openEngineSetup(await freeNeighbours(1)))
    keep(t, await startDeskPhone(office))
    const call = office.place({ limits: { ring: 60, answer: 60, talk: 60 } })
    await office.dialled()
    await office.pass(33)
    expect(await call.ended()).toMatchObject({ cause: 'NETWORK_OUT_OF_ORDER' })
    await office.isAtRest()
  })
})

describe.skipIf(withoutSipp)('after the answer, a carrier', { concurrent: true }, () => {
  test('may hold and resume, and is heard again', async (t) => {
    const scene = await setUp(t, { scenario: 'callee-holds', pause: 400 })
    const { place, desk, carrier, isAtRest } = scene
    const call = place()
    await call.until('answered')
    await soon(async () => expect(await carrier.received('SIP/2.0 200')).toBe(2))
    await soon(() => expect(desk.heard()?.tone?.hertz).toBe(1000))
    desk.hangUp()
    await call.ended()
    await carrier.success()
    await isAtRest()
  })

  test('may request our offer, and is still heard', async (t) => {
    const { place, desk, carrier, isAtRest } = await setUp(t, {
      scenario: 'callee-asks-for-offer',
      pause: 300,
    })
    const call = place()
    await call.until('answered')
    await soon(() => expect(desk.heard()?.soundSeconds ?? 0).toBeGreaterThan(1))
    desk.hangUp()
    await call.ended()
    await carrier.success()
    await isAtRest()
  })

  test.for<[string, string]>([
    ['UPDATE', 'INVITE, ACK, CANCEL, BYE, UPDATE'],
    ['INVITE', 'INVITE, ACK, CANCEL, BYE'],
  ])('that leaves the refreshing to us gets an %s at half time', async ([method, allow], t) => {
    const played = { scenario: 'callee-expects-refresh', keys: { expires: 90, allow } }
    const { place, desk, carrier, pass, isAtRest } = await setUp(t, played)
    const call = place({ limits: { ring: 60, answer: 60, talk: 600 } })
    await call.until('answered')
    await soon(() => expect(desk.heard()?.packets ?? 0).toBeGreaterThan(5))
    await pass(46)
    await soon(() => expect(desk.heard()?.packets ?? 0).toBeGreaterThan(40))
    desk.hangUp()
    expect(await call.ended()).toMatchObject({ cause: 'NORMAL_CLEARING', by: 'extension' })
    const { received } = await carrier.success()
    expect(received(method)).toBe(method === 'INVITE' ? 2 : 1)
    await isAtRest()
  })

  test('that refuses our refresh with 491 gets it again later', async (t) => {
    const played = { scenario: 'callee-offers-glare', keys: { expires: 90 } }
    const { place, desk, carrier, engine, pass, isAtRest } = await setUp(t, played)
    const call = place({ limits: { ring: 60, answer: 60, talk: 600 } })
    await call.until('answered')
    await soon(() => expect(desk.heard()?.packets ?? 0).toBeGreaterThan(5))
    const before = engine.metrics().sip_received_udp_total ?? 0
    await pass(46)
    await soon(() => expect(engine.metrics().sip_received_udp_total).toBeGreaterThan(before))
    // RFC 3261, 14.1: whose Call-ID it is waits 2.1 to 4 s.
    await pass(4)
    await soon(() => expect(engine.metrics().sip_received_udp_total).toBeGreaterThan(before + 1))
    desk.hangUp()
    expect(await call.ended()).toMatchObject({ cause: 'NORMAL_CLEARING', by: 'extension' })
    expect((await carrier.success()).received('INVITE')).toBe(3)
    await isAtRest()
  })

  test('that promised session refreshes and sends none is hung up', async (t) => {
    const { place, carrier, pass, isAtRest } = await setUp(t, {
      scenario: 'callee-promises-refresh',
      keys: { expires: 90 },
    })
    const call = place({ limits: { ring: 60, answer: 60, talk: 600 } })
    await call.until('answered')
    await pass(61)
    expect(await call.ended()).toMatchObject({ cause: 'RECOVERY_ON_TIMER_EXPIRE', by: 'other' })
    await carrier.success()
    await isAtRest()
  })

  test('and the desk phone hear each other, and are recorded on separate channels', async (t) => {
    const { place, desk, carrier, isAtRest } = await setUp(t, { scenario: 'callee-answers' })
    const call = place({ record: true })
    await call.until('answered')
    const before = desk.heard()?.soundSeconds ?? 0
    await soon(() => expect(desk.heard()?.soundSeconds ?? 0).toBeGreaterThan(before + 3))
    expect(desk.heard()?.tone?.hertz).toBe(1000)
    desk.hangUp()
    const { recording } = await call.ended()
    expect(recording?.seconds).toBeGreaterThan(0.8)
    for (const [side, hertz] of [deskHertz, 1000].entries()) {
      const said = await channelOf(recording, side)
      expect(secondsOfTone(said, hertz)).toBeGreaterThan(0.5)
      expect(secondsOfTone(said, hertz === 1000 ? deskHertz : 1000)).toBe(0)
    }
    await carrier.success()
    await isAtRest()
  })
})
