/** JsSIP as a phone over WebSocket, with plain RTP instead of a browser's WebRTC: its signalling, and what it dials. */
import { describe, expect, test } from 'vitest'
import type { AcceptedCall } from '../../../src/engine/port.ts'
import { keep, openEngineSetup, soon, type TestScope } from '../engine/engine-setup.ts'
import { openCarrier } from '../engine/test-carrier.ts'
import { destination, domain, passwordOf } from '../engine/test-host.ts'
import { startJsSip } from '../peers/jssip.ts'
import { secondsOfTone } from '../peers/tones.ts'

const extension = { domain, number: '1000' }
const limits = { ring: 20, answer: 20, talk: 60 }
const callId = 'dialled-on-the-page'
const admit = (): AcceptedCall => ({
  callId,
  destination: { number: destination },
  presented: undefined,
  record: false,
  limits,
})

async function setUp(t: TestScope) {
  const carrier = await openCarrier(t, { answers: true })
  const office = keep(t, await openEngineSetup(carrier.port, { admit }))

  async function openPage(password = passwordOf('1000')) {
    const url = office.webSocket
    return keep(t, await startJsSip({ url, domain, extension: '1000', password, hertz: 440 }))
  }
  async function openRegistered() {
    const page = await openPage()
    page.register()
    await page.until('registered')
    return page
  }
  return { ...office, carrier, openPage, openRegistered }
}

/** So many seconds of what the carrier says. */
const expectTone = (page: Awaited<ReturnType<typeof startJsSip>>, seconds = 0.4) =>
  soon(async () => expect(secondsOfTone(await page.heard(), 1000)).toBeGreaterThan(seconds))

describe('a web phone', { concurrent: true, timeout: 60_000 }, () => {
  test('registers and leaves', async (t) => {
    const { openRegistered, engine, phones } = await setUp(t)
    const page = await openRegistered()
    expect(engine.registration(extension)?.userAgent).toMatch(/^JsSIP/)
    page.unregister()
    await page.until('unregistered')
    expect(phones.map(({ type }) => type)).toEqual(['registered', 'unregistered'])
  })

  test('with a wrong password is refused', async (t) => {
    const { openPage, engine } = await setUp(t)
    const page = await openPage('a guess')
    page.register()
    expect(await page.until('registrationFailed')).toMatchObject({ status: 401 })
    expect(engine.metrics().registrations).toBe(0)
  })

  test('refuses a call, or its call is cancelled while it rings', async (t) => {
    const { openRegistered, engine, place, isAtRest } = await setUp(t)
    const page = await openRegistered()
    const refused = place()
    await page.until('incoming')
    page.refuse(486)
    expect(await refused.ended()).toMatchObject({ cause: 'USER_BUSY', by: 'extension' })
    await page.until('failed')
    const seen = page.events.length
    const left = place()
    await page.until('incoming', seen)
    await left.until('ringing')
    engine.hangUp(left.callId)
    expect(await left.ended()).toMatchObject({ cause: 'ORIGINATOR_CANCEL', by: 'service' })
    expect(await page.until('failed', seen)).toMatchObject({ by: 'remote', cause: 'Canceled' })
    await isAtRest()
  })

  test('dials, holds, resumes, presses a key, and hangs up', async (t) => {
    const { openRegistered, incomingCalls, carrier, until, isAtRest } = await setUp(t)
    const page = await openRegistered()
    page.call(destination)
    await until(callId, 'answered')
    await page.until('confirmed')
    expect(incomingCalls).toEqual([{ from: { extension }, dialled: destination }])
    await expectTone(page)
    page.hold()
    await page.until('hold')
    // It takes back only what it has been answered to.
    await soon(() => {
      page.resume()
      expect(page.events.some(({ type }) => type === 'unhold')).toBe(true)
    })
    page.press('5')
    await expectTone(page, 0.8)
    page.hangUp()
    expect(await until(callId, 'ended')).toMatchObject({ cause: 'NORMAL_CLEARING', by: 'extension' })
    await soon(() => expect(carrier.legs()).toBe(0))
    await isAtRest()
  })

  test('dials, and the destination hangs up', async (t) => {
    const { openRegistered, carrier, until, isAtRest } = await setUp(t)
    const page = await openRegistered()
    page.call(destination)
    await until(callId, 'answered')
    ;(await carrier.incoming(callId)).call.hangUp()
    expect(await until(callId, 'ended')).toMatchObject({ cause: 'NORMAL_CLEARING', by: 'other' })
    expect(await page.until('ended')).toMatchObject({ by: 'remote' })
    await isAtRest()
  })

  test('whose page is closed while it rings is gone, and so is its call', async (t) => {
    const { openRegistered, carrier, engine, place, phones, isAtRest } = await setUp(t)
    const page = await openRegistered()
    const call = place()
    await page.until('incoming')
    await call.until('ringing')
    await page.stop()
    expect(await call.ended()).toMatchObject({ cause: 'SUBSCRIBER_ABSENT', by: 'extension' })
    await soon(() => expect(engine.registration(extension)).toBeUndefined())
    expect(phones.at(-1)).toEqual({ type: 'unregistered', extension })
    await soon(() => expect(carrier.legs()).toBe(0))
    expect(await place().ended()).toMatchObject({ cause: 'USER_NOT_REGISTERED' })
    await isAtRest()
  })

  test('that another page displaces loses its connection (D76)', async (t) => {
    const { openRegistered, engine, place, phones } = await setUp(t)
    const older = await openRegistered()
    const newer = await openRegistered()
    await older.until('disconnected')
    expect(phones.map(({ type }) => type)).toEqual(['registered', 'displaced', 'registered'])
    expect(engine.metrics()).toMatchObject({ registrations: 1, registrations_displaced_total: 1 })
    const call = place()
    await newer.until('incoming')
    newer.refuse(486)
    expect(await call.ended()).toMatchObject({ cause: 'USER_BUSY' })
    expect(older.events.some(({ type }) => type === 'incoming')).toBe(false)
  })
})
