/** D291: a web phone whose network lets no UDP out talks through the TURN server of the operator. */
import { describe, expect, test } from 'vitest'
import { createIceServers } from '../../../src/extensions/phones/ice-servers.ts'
import { programMissing } from '../../helpers/programs/programs.ts'
import { keep, openEngineSetup, soon } from '../engine/engine-setup.ts'
import { openCarrier } from '../engine/test-carrier.ts'
import { domain, passwordOf } from '../engine/test-host.ts'
import { startBrowser } from '../peers/browser/browser.ts'
import { startCoturn } from '../peers/coturn.ts'

const microphoneHertz = 440
const carrierHertz = 1000
const secret = 'shared-with-coturn'
const isMissing = programMissing('chromium') || programMissing('turnserver')

describe.skipIf(isMissing)(
  'a web phone that may only use a TURN server over TCP',
  { timeout: 90_000 },
  () => {
    test('is rung, hears and is heard', async (t) => {
      const coturn = keep(t, await startCoturn(secret))
      const browser = keep(t, await startBrowser(microphoneHertz))
      const carrier = await openCarrier(t, { answers: true })
      const office = keep(t, await openEngineSetup(carrier.port))
      const { iceServers } = createIceServers({ urls: [coturn.url], secret, seconds: 3600 })
      const page = keep(
        t,
        await browser.openPhone({
          url: office.webSocket,
          domain,
          extension: '1000',
          password: passwordOf('1000'),
          connection: { iceServers: iceServers(new Date(), 'ana'), iceTransportPolicy: 'relay' },
        }),
      )
      await page.until('registered')
      const call = office.place()
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
      expect(await page.statistics()).toMatchObject({ candidate: 'relay', relayProtocol: 'tcp' })
      await page.hangUp()
      expect(await call.ended()).toMatchObject({ cause: 'NORMAL_CLEARING', by: 'extension' })
    })
  },
)
