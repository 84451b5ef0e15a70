/** D282: a phone at extension 1000 transfers a call with the carrier to extension 1001: baresip blindly, JsSIP after asking. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { toneSource } from '../../../src/engine/endpoint/audio/audio-source.ts'
import type { AcceptedCall, IncomingCall } from '../../../src/engine/port.ts'
import { programMissing } from '../../helpers/programs/programs.ts'
import { keep, openEngineSetup, soon, startDeskPhone } from '../engine/engine-setup.ts'
import { openCarrier } from '../engine/test-carrier.ts'
import { callRequest, destination, domain, passwordOf } from '../engine/test-host.ts'
import { startBrowser } from '../peers/browser/browser.ts'
import { expectTone } from '../worlds/tone-checks.ts'
import { carrierHertz, openTwo, pickUp, startPhone } from '../worlds/two-baresips.ts'

const colleagueHertz = 700

describe.skipIf(programMissing('baresip'))('a phone that transfers', () => {
  test('leaves; the other two hear each other, and the end of one ends both calls', async (context) => {
    const second: AcceptedCall = {
      callId: randomUUID(),
      destination: { extension: { domain, number: '1001' } },
      presented: undefined,
      record: false,
      limits: { ring: 20, answer: 20, talk: 60 },
    }
    const { testHost, phone, carrier } = keep(context, await openTwo({ accepted: second }))
    const colleague = keep(context, await startPhone(testHost.server, '1001', { hertz: colleagueHertz }))
    await testHost.registered('1001')
    const request = callRequest({ record: true })
    testHost.engine.place(request)
    await pickUp(phone)
    await pickUp(carrier)
    await testHost.until(request.callId, 'answered')
    await phone.transfer(`sip:1001@${domain}`)
    // D641: it shows whom it will talk to.
    expect((await colleague.incoming()).peeruri).toBe(`sip:${destination}@${domain}`)
    await colleague.accept()
    await testHost.until(request.callId, 'transferred')
    await phone.closed()
    expect(testHost.incomingCalls).toEqual([
      { from: { extension: { domain, number: '1000' } }, dialled: '1001', transferOf: request.callId },
    ])
    await expectTone(colleague.heard, carrierHertz)
    await expectTone(carrier.heard, colleagueHertz)
    await colleague.hangUp()
    const [first, last] = await Promise.all([
      testHost.until(request.callId, 'ended'),
      testHost.until(second.callId, 'ended'),
    ])
    expect([first, last]).toMatchObject([{ cause: 'NORMAL_CLEARING' }, { cause: 'NORMAL_CLEARING' }])
    expect('recording' in first && first.recording?.seconds).toBeGreaterThan(0.5)
    expect(testHost.engine.liveCalls()).toEqual([])
  })
})

describe.skipIf(programMissing('chromium'))(
  'a web phone that transfers after asking',
  { timeout: 90_000 },
  () => {
    test('names its second call by Replaces, and leaves both; the other two hear each other', async (context) => {
      const colleague = { extension: { domain, number: '1001' } }
      const ids = { carrier: randomUUID(), colleague: randomUUID() }
      const admit = ({ dialled }: IncomingCall): AcceptedCall => ({
        ...callRequest(),
        callId: dialled === '1001' ? ids.colleague : ids.carrier,
        destination: dialled === '1001' ? colleague : { number: destination },
      })
      const carrier = await openCarrier(context, { answers: true })
      const office = keep(context, await openEngineSetup(carrier.port, { admit }))
      const play = () => toneSource(colleagueHertz)
      const desk = keep(context, await startDeskPhone(office, { number: '1001', play }))
      const browser = keep(context, await startBrowser(440))
      const page = keep(
        context,
        await browser.openPhone({
          url: office.webSocket,
          domain,
          extension: '1000',
          password: passwordOf('1000'),
        }),
      )
      await page.until('registered')
      await page.dial(destination)
      await office.until(ids.carrier, 'answered')
      // Before, JsSIP holds nothing.
      await page.until('confirmed')
      await page.hold()
      await page.until('hold')
      await page.dial('1001')
      await office.until(ids.colleague, 'answered')
      await page.until(
        'confirmed',
        (await page.events()).findIndex(({ type }) => type === 'hold'),
      )
      await page.connectCalls()
      await page.until('transferred')
      const { call: theirs } = await carrier.incoming(ids.carrier)
      await soon(() => expect(theirs.heard()?.tone?.hertz).toBe(colleagueHertz), 20_000)
      await soon(() => expect(desk.heard()?.tone?.hertz).toBe(carrierHertz), 20_000)
      theirs.hangUp()
      for (const id of [ids.carrier, ids.colleague])
        expect(await office.until(id, 'ended')).toMatchObject({ cause: 'NORMAL_CLEARING' })
      await office.isAtRest()
    })
  },
)
