/** Firefox with JsSIP and SIP.js as phones of ours (D238): its ClientHello comes in fragments, and its ICE is another. */
import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { programMissing } from '../helpers/programs.ts'
import { keep, openEngineSetup, soon } from './engine-setup.ts'
import { startFirefox } from './peers/browser/firefox.ts'
import { openCarrier } from './test-carrier.ts'
import { domain, passwordOf } from './test-host.ts'
import { checkRecording } from './worlds/tone-checks.ts'

const microphoneHertz = 440
const carrierHertz = 1000
/** Firefox finds no way to loopback addresses: it is given another one of this machine, as SIP_PUBLIC_HOST. */
const publicHost = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address

const isMissing = programMissing('firefox-esr') || publicHost === undefined

describe.skipIf(isMissing)('a web phone in Firefox', { timeout: 90_000 }, () => {
  let browser: Awaited<ReturnType<typeof startFirefox>>

  beforeAll(async () => {
    browser = await startFirefox(microphoneHertz)
  }, 120_000)
  afterAll(() => browser?.stop())

  test.for(['jssip', 'sip.js'] as const)(
    'of %s is rung, hears and is heard, and its call is recorded',
    async (library, t) => {
      const carrier = await openCarrier(t, { answers: true })
      const office = keep(
        t,
        await openEngineSetup(carrier.port, { settings: { host: '0.0.0.0', publicHost: publicHost ?? '' } }),
      )
      const page = keep(
        t,
        await browser.openPhone({
          library,
          url: office.webSocket,
          domain,
          extension: '1000',
          password: passwordOf('1000'),
        }),
      )
      await page.until('registered')
      const call = office.place({ record: true })
      await page.until('incoming')
      await page.answer()
      await call.until('answered')
      await soon(async () => {
        const { hertz, level } = await page.peak()
        expect(Math.abs(hertz - carrierHertz)).toBeLessThan(25)
        expect(level).toBeGreaterThan(-60)
      }, 20_000)
      const { call: theirs } = await carrier.incoming(call.callId)
      await soon(() => expect(theirs.heard()?.tone?.hertz).toBe(microphoneHertz), 20_000)
      await page.hangUp()
      expect(await call.ended()).toMatchObject({ cause: 'NORMAL_CLEARING', by: 'extension' })
      const { calls } = office
      await checkRecording({ calls, callId: call.callId }, { left: microphoneHertz, right: carrierHertz })
      await office.isAtRest()
    },
  )
})
