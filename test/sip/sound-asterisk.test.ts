/** Who hears whom when Asterisk is the carrier: early media, keys, transcoding, many calls at once. */
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest'
import type { AcceptedCall } from '../../src/engine/port.ts'
import { programMissing } from '../helpers/programs.ts'
import { destination, domain, openHouse, passwordOf, placing } from './house.ts'
import { hurryTimers } from './hurry-timers.ts'
import { keep } from './office.ts'
import { type Asterisk, asteriskMissing, startAsterisk } from './witnesses/asterisk.ts'
import type { Baresip } from './witnesses/baresip.ts'
import { secondsOfTone } from './witnesses/tones.ts'
import { checkRecording, hears, spanOfTone } from './worlds/ears.ts'
import {
  bothTones,
  carrierHertz,
  phoneHertz,
  pickUp,
  ringbackHertz,
  startPhone,
} from './worlds/two-baresips.ts'

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

  async function open(context: TestContext, arrival?: AcceptedCall, carrier = asterisk) {
    after = carrier.events.length
    const house = keep(
      context,
      await openHouse({
        trunks: [{ name: 'carrier', address: `sip:127.0.0.1:${carrier.port}`, qualifySeconds: 0 }],
        ...(arrival && { arrival: () => arrival }),
      }),
    )
    const phone = keep(context, await startPhone(house.server, '1000', { hertz: phoneHertz }))
    await house.registered('1000')
    return { house, phone }
  }

  const heardAt = async (number: string) => {
    const { Uniqueid = '' } = await asterisk.arrival(number, after)
    return await asterisk.heard(Uniqueid)
  }

  test('what is played before the answer is heard by the extension that waits, and not recorded', async (context) => {
    const { house, phone } = await open(context)
    const wish = placing({ record: true, destination: { number: early.number } })
    house.engine.place(wish)
    await pickUp(phone)
    await hears(phone.heard, carrierHertz)
    await phone.hangUp()
    await house.until(wish.callId, 'ended')
    const heard = await phone.heard()
    expect(secondsOfTone(heard, early.hertz)).toBeGreaterThan(0.4)
    expect(secondsOfTone(heard, ringbackHertz)).toBe(0)
    expect(secondsOfTone(await heardAt(early.number), phoneHertz)).toBeGreaterThan(0.4)
    const never = [ringbackHertz, early.hertz]
    await checkRecording({ calls: house.calls, callId: wish.callId }, { ...bothTones, never })
  })

  test('what is played before the answer is heard by a phone that dials', async (context) => {
    const wish: AcceptedCall = placing({ record: true, destination: { number: early.number } })
    const { house, phone } = await open(context, wish)
    await phone.dial('48999990001')
    await phone.until('CALL_PROGRESS')
    await hears(phone.heard, early.hertz, 0.3)
    expect(phone.events.map(({ type }) => type)).not.toContain('CALL_ESTABLISHED')
    await hears(phone.heard, carrierHertz)
    await phone.hangUp()
    await house.until(wish.callId, 'ended')
    await checkRecording({ calls: house.calls, callId: wish.callId }, { ...bothTones, never: [early.hertz] })
  })

  test('keys pass both ways', async (context) => {
    const { house, phone } = await open(context)
    const wish = placing({ destination: { number: presses.number } })
    house.engine.place(wish)
    await pickUp(phone)
    await expect.poll(() => keysAt(phone), { timeout: 10_000 }).toBe(presses.keys)
    await phone.press('8')
    await asterisk.until(({ Event, Digit }) => Event === 'DTMFEnd' && Digit === '8', { after })
    house.engine.hangUp(wish.callId)
    await house.until(wish.callId, 'ended')
  })

  test('a carrier that wants a password, speaks µ-law only and insists on session timers', async (context) => {
    const timers = hurryTimers()
    const address = `sip:127.0.0.1:${strict.port};transport=tcp`
    const trunk = { name: 'strict', address, ...login, qualifySeconds: 0 }
    const house = keep(context, await openHouse({ timers, trunks: [trunk] }))
    const phone = keep(
      context,
      await startPhone(house.server, '1000', { hertz: phoneHertz, codecs: ['PCMA'], transport: 'tcp' }),
    )
    await house.registered('1000')
    const wish = placing({ record: true, limits: { ring: 60, answer: 60, talk: 36_000 } })
    house.engine.place(wish)
    await pickUp(phone)
    await hears(phone.heard, carrierHertz)
    // A session of half an hour, of which we owe a sign of life at half time.
    for (const seconds of [920, 920, 920]) {
      const { sip_received_tcp_total: before = 0 } = house.engine.metrics()
      await timers.pass(seconds)
      await expect
        .poll(() => house.engine.metrics().sip_received_tcp_total, { timeout: 10_000 })
        .toBeGreaterThan(before)
    }
    expect(house.engine.liveCalls()).toEqual([wish.callId])
    await phone.hangUp()
    await house.until(wish.callId, 'ended')
    const { Uniqueid = '' } = await strict.arrival(destination)
    expect(secondsOfTone(await strict.heard(Uniqueid), phoneHertz)).toBeGreaterThan(0.4)
    await checkRecording({ calls: house.calls, callId: wish.callId }, bothTones)
  })

  test('calls at the same time do not hear each other', async (context) => {
    const { house } = await open(context)
    const phone = keep(
      context,
      await startAsterisk({
        acts: { desk: { hertz: phoneHertz } },
        lines: [
          {
            username: '1001',
            password: passwordOf('1001'),
            domain,
            server: house.server,
            answersAs: 'desk',
          },
        ],
      }),
    )
    await house.registered('1001')
    const talks = crowd.map(async ({ number, hertz }) => {
      const extension = { domain, number: '1001' }
      const wish = placing({ record: true, extension, destination: { number } })
      house.engine.place(wish)
      await house.until(wish.callId, 'ended')
      const told = { calls: house.calls, callId: wish.callId }
      const { right } = await checkRecording(told, { left: phoneHertz, right: hertz })
      const others = crowd.filter((other) => other.number !== number)
      for (const other of others) expect(secondsOfTone(right, other.hertz)).toBe(0)
      // Two tones at once would be neither.
      const { from, to } = spanOfTone(right, hertz)
      expect(secondsOfTone(right, hertz)).toBeGreaterThan(0.7 * (to - from))
    })
    await Promise.all(talks)
    await phone.allEnded()
  })

  test('a call from a carrier shows who calls, and its keys reach the phone though they are sent as INFO', async (context) => {
    const wish: AcceptedCall = placing({
      record: true,
      destination: { extension: { domain, number: '1000' } },
    })
    const { house, phone } = await open(context, wish, strict)
    const caller = { name: 'Ana Ribeiro', number: '5511988887777' }
    const to = `sip:554830001000@${house.server}`
    const channel = await strict.originate({ from: 'carrier', to, thenActs: 'talk', caller })
    await pickUp(phone)
    await hears(phone.heard, carrierHertz)
    expect(keysAt(phone)).toBe(presses.keys)
    expect(house.arrivals).toEqual([
      { from: { trunk: 'carrier', callerId: caller }, dialled: '554830001000' },
    ])
    await phone.hangUp()
    expect(await strict.ended(channel)).toBe(16)
    await house.until(wish.callId, 'ended')
    expect(secondsOfTone(await strict.heard(channel), phoneHertz)).toBeGreaterThan(0.4)
    await checkRecording({ calls: house.calls, callId: wish.callId }, bothTones)
  })
})
