/** Web phones on bad networks, over IPv6, and one that is not the one of its SDP (D238). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isDtls } from '../../../src/media/dtls/record.ts'
import { programMissing } from '../../helpers/programs/programs.ts'
import { type EngineSetup, keep, openEngineSetup, soon, type TestScope } from '../engine/engine-setup.ts'
import { openCarrier } from '../engine/test-carrier.ts'
import { domain, passwordOf } from '../engine/test-host.ts'
import { startBrowser, type TestBrowser } from '../peers/browser/browser.ts'
import type { WebPhone } from '../peers/browser/site.ts'
import { chance, startLossyProxy } from '../peers/lossy-proxy.ts'

const microphoneHertz = 440
const carrierHertz = 1000

describe.skipIf(programMissing('chromium'))('a web phone', { timeout: 90_000 }, () => {
  let browser: TestBrowser

  beforeAll(async () => {
    browser = await startBrowser(microphoneHertz)
  }, 90_000)
  afterAll(() => browser?.stop())

  async function openPhone(t: TestScope, { engine }: EngineSetup, extension = '1000', host = '127.0.0.1') {
    const url = `ws://${host}:${engine.ports().ws}`
    const page = keep(t, await browser.openPhone({ url, domain, extension, password: passwordOf(extension) }))
    await page.until('registered')
    return page
  }

  const expectTone = (page: WebPhone, hertz: number) =>
    soon(async () => {
      const peak = await page.peak()
      expect(Math.abs(peak.hertz - hertz)).toBeLessThan(25)
      expect(peak.level).toBeGreaterThan(-60)
    }, 30_000)

  test('gets its keys through 15 % loss, and talks through 10 % with replayed and late packets', async (t) => {
    const carrier = await openCarrier(t, { answers: true })
    const office = keep(t, await openEngineSetup(carrier.port))
    const page = await openPhone(t, office)
    const call = office.place()
    const { request = '' } = await page.until('incoming')
    const port = Number(/m=audio (\d+)/.exec(request)?.[1])
    const handshake = chance({ loss: 0.15, duplication: 0.1, reordering: 0.1, seed: 3 })
    const sound = chance({ loss: 0.1, duplication: 0.05, reordering: 0.05, seed: 4 })
    const lost = { handshake: 0, sound: 0 }
    const network = keep(
      t,
      await startLossyProxy({
        target: port,
        fate(datagram, direction) {
          const kind = isDtls(datagram) ? 'handshake' : 'sound'
          // The first flight of each end is lost for certain.
          const isFirst = kind === 'handshake' && lost.handshake === 0
          const fate = isFirst ? 'lost' : (kind === 'handshake' ? handshake : sound)(datagram, direction)
          if (fate === 'lost') lost[kind] += 1
          return fate
        },
      }),
    )
    await page.edit('remote', `(a=candidate:.* )${port}( typ host)`, `$1${network.port}$2`)
    await page.answer()
    await call.until('answered')
    await expectTone(page, carrierHertz)
    const { call: theirs } = await carrier.incoming(call.callId)
    await soon(() => {
      const { tone } = theirs.heard() ?? {}
      expect(Math.abs((tone?.hertz ?? 0) - microphoneHertz)).toBeLessThan(25)
    }, 30_000)
    await soon(() => expect(lost.sound).toBeGreaterThan(20), 30_000)
    expect(lost.handshake).toBeGreaterThan(0)
    await page.hangUp()
    expect(await call.ended()).toMatchObject({ cause: 'NORMAL_CLEARING', by: 'extension' })
    await office.isAtRest()
  })

  test('whose certificate is not the one of its SDP gets no sound: its call ends', async (t) => {
    const carrier = await openCarrier(t, { answers: true })
    const office = keep(t, await openEngineSetup(carrier.port))
    const page = await openPhone(t, office)
    await page.edit('local', '(a=fingerprint:sha-256 )..:..:..', '$100:11:22')
    const call = office.place()
    await page.until('incoming')
    await page.answer()
    expect(await call.ended(20_000)).toMatchObject({ cause: 'INCOMPATIBLE_DESTINATION' })
    expect((await page.statistics().catch(() => ({ received: 0 }))).received ?? 0).toBe(0)
    await office.isAtRest()
  })

  test('talks over IPv6, with another one', async (t) => {
    const office = keep(
      t,
      await openEngineSetup(0, { trunks: [], settings: { host: '::1', publicHost: '::1' } }),
    )
    const first = await openPhone(t, office, '1000', '[::1]')
    const second = await openPhone(t, office, '1001', '[::1]')
    const call = office.place({ destination: { extension: { domain, number: '1001' } } })
    const { request = '' } = await first.until('incoming')
    expect(request).toMatch(/^a=candidate:1 1 udp \d+ ::1 \d+ typ host\r$/m)
    await first.answer()
    await second.until('incoming')
    await second.answer()
    await call.until('answered')
    await expectTone(first, microphoneHertz)
    await expectTone(second, microphoneHertz)
    await second.hangUp()
    expect(await call.ended()).toMatchObject({ cause: 'NORMAL_CLEARING', by: 'other' })
  })
})
