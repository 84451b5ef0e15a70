/** Chromium with JsSIP and SIP.js as phones of ours (D238): WebRTC, with sound measured at every end. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AcceptedCall } from '../../../src/engine/port.ts'
import { programMissing } from '../../helpers/programs/programs.ts'
import { keep, openEngineSetup, soon, type TestScope } from '../engine/engine-setup.ts'
import { openCarrier } from '../engine/test-carrier.ts'
import { destination, domain, passwordOf } from '../engine/test-host.ts'
import { startBrowser, type TestBrowser } from '../peers/browser/browser.ts'
import type { Library, WebPhone } from '../peers/browser/site.ts'

const callId = 'dialled-on-the-page'
const microphoneHertz = 440
const carrierHertz = 1000
const admit = (): AcceptedCall => ({
  callId,
  destination: { number: destination },
  presented: undefined,
  record: true,
  limits: { ring: 20, answer: 20, talk: 60 },
})

describe.skipIf(programMissing('chromium'))('a web phone', { timeout: 90_000 }, () => {
  let browser: TestBrowser

  beforeAll(async () => {
    browser = await startBrowser(microphoneHertz)
  }, 90_000)
  afterAll(() => browser?.stop())

  async function openPage(t: TestScope, url: string, library: Library, extension: string) {
    const password = passwordOf(extension)
    const page = keep(t, await browser.openPhone({ library, url, domain, extension, password }))
    await page.until('registered')
    return page
  }

  async function setUp(t: TestScope, library: Library, called = admit) {
    const carrier = await openCarrier(t, { answers: true })
    const office = keep(t, await openEngineSetup(carrier.port, { admit: called }))
    const page = await openPage(t, office.webSocket, library, '1000')
    return { ...office, carrier, page }
  }

  const expectTone = (page: WebPhone, hertz: number) =>
    soon(async () => {
      const peak = await page.peak()
      expect(Math.abs(peak.hertz - hertz)).toBeLessThan(25)
      expect(peak.level).toBeGreaterThan(-60)
    }, 20_000)

  test.for(['jssip', 'sip.js'] as const)(
    'of %s is rung by a placed call, marked as such (D77), hears and is heard',
    async (library, t) => {
      const { page, carrier, place, isAtRest } = await setUp(t, library)
      const call = place({ record: true })
      const { request = '' } = await page.until('incoming')
      expect(request).toContain('UDP/TLS/RTP/SAVPF')
      expect(request).toMatch(/^X-Api4comintegratedcall: true\r$/m)
      expect(request).toContain(`X-Call-Id: ${call.callId}\r\n`)
      await page.answer()
      await call.until('answered')
      await expectTone(page, carrierHertz)
      const { call: theirs } = await carrier.incoming(call.callId)
      await soon(() => expect(theirs.heard()?.tone?.hertz).toBe(microphoneHertz), 20_000)
      expect(await page.statistics()).toMatchObject({
        codec: 'audio/PCMA',
        srtp: 'SRTP_AES128_CM_HMAC_SHA1_80',
      })
      await page.hangUp()
      expect(await call.ended()).toMatchObject({ cause: 'NORMAL_CLEARING', by: 'extension' })
      await isAtRest()
    },
  )

  test.for(['jssip', 'sip.js'] as const)('of %s dials, hears and is heard', async (library, t) => {
    const { page, carrier, until, isAtRest } = await setUp(t, library)
    await page.dial(destination)
    await until(callId, 'answered')
    await expectTone(page, carrierHertz)
    const { call: theirs } = await carrier.incoming(callId)
    await soon(() => expect(theirs.heard()?.tone?.hertz).toBe(microphoneHertz), 20_000)
    await page.hangUp()
    expect(await until(callId, 'ended')).toMatchObject({ cause: 'NORMAL_CLEARING', by: 'extension' })
    await isAtRest()
  })

  test('D274: talks to another web phone in Opus', async (t) => {
    const colleague = { extension: { domain, number: '1001' } }
    const toColleague = () => ({ ...admit(), destination: colleague })
    const { page, until, webSocket } = await setUp(t, 'jssip', toColleague)
    const other = await openPage(t, webSocket, 'sip.js', '1001')
    await page.dial('1001')
    await other.until('incoming')
    await other.answer()
    await until(callId, 'answered')
    for (const one of [page, other]) {
      await expectTone(one, microphoneHertz)
      expect(await one.statistics()).toMatchObject({ codec: 'audio/opus' })
    }
    await page.hangUp()
    await until(callId, 'ended')
  })

  test('holds and resumes, presses a key, and reconnects by an ICE restart', async (t) => {
    const { page, carrier, until } = await setUp(t, 'jssip')
    await page.dial(destination)
    await until(callId, 'answered')
    await expectTone(page, carrierHertz)
    await page.hold()
    await page.until('hold')
    await soon(async () => expect((await page.peak()).level).toBeLessThan(-80), 20_000)
    await page.resume()
    await page.until('unhold')
    await expectTone(page, carrierHertz)
    await page.press('7')
    const { call: theirs } = await carrier.incoming(callId)
    await soon(() => expect(theirs.heard()?.digits).toContain('7'))
    await page.restartIce()
    const before = await page.statistics()
    await soon(async () => {
      const { received } = await page.statistics()
      expect(Number(received)).toBeGreaterThan(Number(before.received) + 100)
    }, 20_000)
    await expectTone(page, carrierHertz)
  })

  test('is hung up by the destination, and by the service', async (t) => {
    const { page, carrier, engine, place, isAtRest } = await setUp(t, 'jssip')
    for (const by of ['other', 'service'] as const) {
      const seen = (await page.events()).length
      const call = place()
      await page.until('incoming', seen)
      await page.answer()
      await call.until('answered')
      await page.until('confirmed', seen)
      if (by === 'service') engine.hangUp(call.callId)
      else (await carrier.incoming(call.callId)).call.hangUp()
      expect(await call.ended()).toMatchObject({ cause: 'NORMAL_CLEARING', by })
      expect(await page.until('ended', seen)).toMatchObject({ by: 'remote' })
    }
    await isAtRest()
  })

  test('that is closed during a call is gone, and so is its call', async (t) => {
    const { page, place, engine, carrier, phones, isAtRest } = await setUp(t, 'jssip')
    const call = place()
    await page.until('incoming')
    await page.answer()
    await call.until('answered')
    await page.stop()
    expect(await call.ended()).toMatchObject({ cause: 'RECOVERY_ON_TIMER_EXPIRE', by: 'extension' })
    const extension = { domain, number: '1000' }
    await soon(() => expect(engine.registration(extension)).toBeUndefined())
    expect(phones.at(-1)).toEqual({ type: 'unregistered', extension })
    await soon(() => expect(carrier.legs()).toBe(0))
    await isAtRest()
  })
})
