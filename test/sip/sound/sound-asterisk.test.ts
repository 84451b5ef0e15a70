/** Sound with Asterisk as the carrier: early media, DTMF, transcoding, concurrent calls. */
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest'
import type { AcceptedCall } from '../../../src/engine/port.ts'
import { programMissing } from '../../helpers/programs/programs.ts'
import { keep } from '../engine/engine-setup.ts'
import { createFastForwardTimers } from '../engine/fast-forward-timers.ts'
import { callRequest, destination, domain, openTestHost, passwordOf } from '../engine/test-host.ts'
import { type Asterisk, asteriskMissing, startAsterisk } from '../peers/asterisk.ts'
import type { Baresip } from '../peers/baresip.ts'
import { secondsOfTone } from '../peers/tones.ts'
import { checkRecording, expectTone, spanOfTone } from '../worlds/tone-checks.ts'
import {
  bothTones,
  carrierHertz,
  phoneHertz,
  pickUp,
  ringbackHertz,
  startPhone,
} from '../worlds/two-baresips.ts'

const early = { number: '5548999990001', hertz: 620 }
const presses = { number: '5548999990002', keys: '42' }
const login = { username: 'ramal', password: 'a-secret-of-ten' }

const crowd = [600, 700, 800, 900, 1100, 1200, 1300, 1400].map((hertz) => ({
  number: `554899999${hertz.toString().padStart(4, '0')}`,
  hertz,
}))

const keysAt = ({ events }: Baresip) =>
  events.map(({ type, param }) => (type === 'CALL_DTMF_START' ? param : '')).join('')

describe.skipIf(programMissing('baresip') || asteriskMissing())('between a baresip and Asterisk', () => {
  let asterisk: Asterisk
  /** Wants a password, speaks µ-law only, insists on session timers, and sends keys as INFO. */
  let strict: Asterisk
  /** Its events of the test before are over. */
  let after = 0

  beforeAll(async () => {
    const talk = { hertz: carrierHertz, records: true }
    const starting = [
      startAsterisk({
        acts: {
          [early.number]: { rings: 0.8, earlyHertz: early.hertz, ...talk },
          [presses.number]: { presses: presses.keys, ...talk },
          ...Object.fromEntries(crowd.map(({ number, hertz }) => [number, { hertz, talks: 1 }])),
        },
      }),
      startAsterisk({
        challenge: login,
        codecs: ['ulaw'],
        settings: { timers: 'required', dtmf_mode: 'info', send_pai: 'yes', trust_id_outbound: 'yes' },
        acts: { [destination]: talk, talk: { presses: presses.keys, ...talk } },
      }),
    ] as const
    ;[asterisk, strict] = await Promise.all(starting)
  })
  afterAll(() => Promise.all([asterisk?.stop(), strict?.stop()]))

  async function open(context: TestContext, accepted?: AcceptedCall, carrier = asterisk) {
    after = carrier.events.length
    const testHost = keep(
      context,
      await openTestHost({
        trunks: [{ name: 'carrier', address: `sip:127.0.0.1:${carrier.port}`, qualifySeconds: 0 }],
        ...(accepted && { admit: () => accepted }),
      }),
    )
    const phone = keep(context, await startPhone(testHost.server, '1000', { hertz: phoneHertz }))
    await testHost.registered('1000')
    return { testHost, phone }
  }

  const heardAt = async (number: string) => {
    const { Uniqueid = '' } = await asterisk.arrival(number, after)
    return await asterisk.heard(Uniqueid)
  }

  test('early media is heard by the waiting extension, and not recorded', async (context) => {
    const { testHost, phone } = await open(context)
    const request = callRequest({ record: true, destination: { number: early.number } })
    testHost.engine.place(request)
    await pickUp(phone)
    await expectTone(phone.heard, carrierHertz)
    await phone.hangUp()
    await testHost.until(request.callId, 'ended')
    const heard = await phone.heard()
    expect(secondsOfTone(heard, early.hertz)).toBeGreaterThan(0.4)
    // The ringback is played until the first packet of the early media comes.
    expect(spanOfTone(heard, ringbackHertz).to).toBeLessThanOrEqual(spanOfTone(heard, early.hertz).from)
    expect(secondsOfTone(await heardAt(early.number), phoneHertz)).toBeGreaterThan(0.4)
    const never = [ringbackHertz, early.hertz]
    await checkRecording({ calls: testHost.calls, callId: request.callId }, { ...bothTones, never })
  })

  test('early media is heard by a phone that dials', async (context) => {
    const request: AcceptedCall = callRequest({ record: true, destination: { number: early.number } })
    const { testHost, phone } = await open(context, request)
    await phone.dial('48999990001')
    await phone.until('CALL_PROGRESS')
    await expectTone(phone.heard, early.hertz, 0.3)
    expect(phone.events.map(({ type }) => type)).not.toContain('CALL_ESTABLISHED')
    await expectTone(phone.heard, carrierHertz)
    await phone.hangUp()
    await testHost.until(request.callId, 'ended')
    await checkRecording(
      { calls: testHost.calls, callId: request.callId },
      { ...bothTones, never: [early.hertz] },
    )
  })

  test('DTMF passes both ways', async (context) => {
    const { testHost, phone } = await open(context)
    const request = callRequest({ destination: { number: presses.number } })
    testHost.engine.place(request)
    await pickUp(phone)
    await expect.poll(() => keysAt(phone), { timeout: 10_000 }).toBe(presses.keys)
    await phone.press('8')
    await asterisk.until(({ Event, Digit }) => Event === 'DTMFEnd' && Digit === '8', { after })
    testHost.engine.hangUp(request.callId)
    await testHost.until(request.callId, 'ended')
  })

  test('a carrier that challenges, supports µ-law only and requires session timers', async (context) => {
    const timers = createFastForwardTimers()
    const address = `sip:127.0.0.1:${strict.port};transport=tcp`
    const trunk = { name: 'strict', address, ...login, qualifySeconds: 0 }
    const testHost = keep(context, await openTestHost({ timers, trunks: [trunk] }))
    const phone = keep(
      context,
      await startPhone(testHost.server, '1000', { hertz: phoneHertz, codecs: ['PCMA'], transport: 'tcp' }),
    )
    await testHost.registered('1000')
    const request = callRequest({ record: true, limits: { ring: 60, answer: 60, talk: 36_000 } })
    testHost.engine.place(request)
    await pickUp(phone)
    await expectTone(phone.heard, carrierHertz)
    // A session of half an hour, of which we owe a sign of life at half time.
    const steps = [920, 920, 920]
    for (const seconds of steps) {
      const { sip_received_tcp_total: before = 0 } = testHost.engine.metrics()
      await timers.pass(seconds)
      await expect
        .poll(() => testHost.engine.metrics().sip_received_tcp_total, { timeout: 10_000 })
        .toBeGreaterThan(before)
    }
    expect(testHost.engine.liveCalls()).toEqual([request.callId])
    await phone.hangUp()
    await testHost.until(request.callId, 'ended')
    const { Uniqueid = '' } = await strict.arrival(destination)
    expect(secondsOfTone(await strict.heard(Uniqueid), phoneHertz)).toBeGreaterThan(0.4)
    const skippedSeconds = steps.reduce((sum, seconds) => sum + seconds)
    await checkRecording({ calls: testHost.calls, callId: request.callId, skippedSeconds }, bothTones)
  })

  test('concurrent calls do not hear each other', async (context) => {
    const { testHost } = await open(context)
    const phone = keep(
      context,
      await startAsterisk({
        acts: { desk: { hertz: phoneHertz } },
        lines: [
          {
            username: '1001',
            password: passwordOf('1001'),
            domain,
            server: testHost.server,
            answersAs: 'desk',
          },
        ],
      }),
    )
    await testHost.registered('1001')
    const talks = crowd.map(async ({ number, hertz }) => {
      const extension = { domain, number: '1001' }
      const request = callRequest({ record: true, extension, destination: { number } })
      testHost.engine.place(request)
      await testHost.until(request.callId, 'ended')
      const recorded = { calls: testHost.calls, callId: request.callId }
      const { right } = await checkRecording(recorded, { left: phoneHertz, right: hertz })
      const others = crowd.filter((other) => other.number !== number)
      for (const other of others) expect(secondsOfTone(right, other.hertz)).toBe(0)
      // Two tones at once would be neither.
      const { from, to } = spanOfTone(right, hertz)
      expect(secondsOfTone(right, hertz)).toBeGreaterThan(0.7 * (to - from))
    })
    await Promise.all(talks)
    await phone.allEnded()
  })

  test('a call from a carrier shows the caller, and DTMF sent as INFO reaches the phone', async (context) => {
    const request: AcceptedCall = callRequest({
      record: true,
      destination: { extension: { domain, number: '1000' } },
    })
    const { testHost, phone } = await open(context, request, strict)
    const caller = { name: 'Ana Ribeiro', number: '5511988887777' }
    const to = `sip:554830001000@${testHost.server}`
    const channel = await strict.originate({ from: 'carrier', to, thenActs: 'talk', caller })
    await pickUp(phone)
    await expectTone(phone.heard, carrierHertz)
    expect(keysAt(phone)).toBe(presses.keys)
    expect(testHost.incomingCalls).toEqual([
      { from: { trunk: 'carrier', callerId: caller }, dialled: '554830001000' },
    ])
    await phone.hangUp()
    expect(await strict.ended(channel)).toBe(16)
    await testHost.until(request.callId, 'ended')
    expect(secondsOfTone(await strict.heard(channel), phoneHertz)).toBeGreaterThan(0.4)
    await checkRecording({ calls: testHost.calls, callId: request.callId }, bothTones)
  })
})
