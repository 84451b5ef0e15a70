/** Firefox with its default settings, JsSIP and SIP.js as phones of ours (D238): its ClientHello comes in fragments, and its ICE is another. */
import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AcceptedCall } from '../../../src/engine/port.ts'
import { programMissing } from '../../helpers/programs/programs.ts'
import { keep, openEngineSetup, soon, type TestScope } from '../engine/engine-setup.ts'
import { openCarrier } from '../engine/test-carrier.ts'
import { destination, domain, passwordOf } from '../engine/test-host.ts'
import { startFirefoxPhone } from '../peers/browser/firefox.ts'
import type { Library, WebPhone } from '../peers/browser/site.ts'
import { checkRecording } from '../worlds/tone-checks.ts'

type Carrier = Awaited<ReturnType<typeof openCarrier>>

const callId = 'dialled-on-the-page'
const admit = (): AcceptedCall => ({
  callId,
  destination: { number: destination },
  presented: undefined,
  record: false,
  limits: { ring: 20, answer: 20, talk: 60 },
})
const microphoneHertz = 440
const carrierHertz = 1000
/** Firefox finds no way to loopback addresses: it is given another one of this machine, as SIP_PUBLIC_HOST. */
const publicHost = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address

const isMissing = programMissing('firefox-esr') || publicHost === undefined

describe.skipIf(isMissing)('a web phone in Firefox', { timeout: 90_000 }, () => {
  let browser: Awaited<ReturnType<typeof startFirefoxPhone>>

  beforeAll(async () => {
    browser = await startFirefoxPhone(microphoneHertz)
  }, 120_000)
  afterAll(() => browser?.stop())

  async function setUp(t: TestScope, library: Library) {
    const carrier = await openCarrier(t, { answers: true })
    const settings = { host: '0.0.0.0', publicHost: publicHost ?? '' }
    const office = keep(t, await openEngineSetup(carrier.port, { settings, admit }))
    const account = { domain, extension: '1000', password: passwordOf('1000') }
    const page = keep(t, await browser.openPhone({ library, url: office.webSocket, ...account }))
    await page.until('registered')
    return { office, carrier, page }
  }

  /** Both ends of the call have the tone of the other one. */
  async function expectSound(page: WebPhone, { call }: Awaited<ReturnType<Carrier['incoming']>>) {
    await soon(async () => {
      const { hertz, level } = await page.peak()
      expect(Math.abs(hertz - carrierHertz)).toBeLessThan(25)
      expect(level).toBeGreaterThan(-60)
    }, 20_000)
    await soon(() => expect(call.heard()?.tone?.hertz).toBe(microphoneHertz), 20_000)
  }

  test.for(['jssip', 'sip.js'] as const)(
    'of %s is rung, hears and is heard, and its call is recorded',
    async (library, t) => {
      const { office, carrier, page } = await setUp(t, library)
      const call = office.place({ record: true })
      await page.until('incoming')
      await page.answer()
      await call.until('answered')
      await expectSound(page, await carrier.incoming(call.callId))
      await page.hangUp()
      expect(await call.ended()).toMatchObject({ cause: 'NORMAL_CLEARING', by: 'extension' })
      const { calls } = office
      await checkRecording({ calls, callId: call.callId }, { left: microphoneHertz, right: carrierHertz })
      await office.isAtRest()
    },
  )

  // Its offer has mDNS names where addresses are expected.
  test.for(['jssip', 'sip.js'] as const)('of %s dials, hears and is heard', async (library, t) => {
    const { office, carrier, page } = await setUp(t, library)
    await page.dial(destination)
    await office.until(callId, 'answered')
    await expectSound(page, await carrier.incoming(callId))
    await page.hangUp()
    expect(await office.until(callId, 'ended')).toMatchObject({ cause: 'NORMAL_CLEARING', by: 'extension' })
    await office.isAtRest()
  })
})
