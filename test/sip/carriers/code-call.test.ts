/** D188: calls in which the callee types a code, with baresip, SIPp and Asterisk as the carrier. */
import { describe, expect, type TestContext, test } from 'vitest'
import { programMissing } from '../../helpers/programs/programs.ts'
import { keep } from '../engine/engine-setup.ts'
import { codeCallRequest, destination, openTestHost } from '../engine/test-host.ts'
import { asteriskMissing, startAsterisk } from '../peers/asterisk.ts'
import { startBaresip } from '../peers/baresip.ts'
import { startSipp } from '../peers/sipp.ts'
import { expectTone } from '../worlds/tone-checks.ts'

const code = '482193'
const promptHertz = 950
const acceptedHertz = 1400

async function openHost(context: TestContext, port: number) {
  const trunk = { name: 'carrier', address: `sip:127.0.0.1:${port}`, qualifySeconds: 0 }
  const { engine } = keep(context, await openTestHost({ trunks: [trunk] }))
  return engine
}

describe('a callee who types the code', () => {
  test.skipIf(programMissing('baresip'))(
    'gets a prompt, and another tone when it was right',
    async (context) => {
      const carrier = keep(
        context,
        await startBaresip({ domain: 'carrier.test', extension: destination, hertz: 1000 }),
      )
      const engine = await openHost(context, carrier.port)
      const result = engine.callForCode(codeCallRequest({ code }))
      await carrier.incoming()
      await carrier.accept()
      await expectTone(carrier.heard, promptHertz, 0.3)
      for (const key of code) await carrier.press(key)
      expect(await result).toMatchObject({ outcome: 'typed', cause: 'NORMAL_CLEARING' })
      await carrier.closed()
      await expectTone(carrier.heard, acceptedHertz, 0.2)
    },
  )

  test.skipIf(programMissing('sipp'))('may send the keys as INFO', async (context) => {
    const carrier = keep(context, await startSipp({ scenario: 'callee-presses-by-info' }))
    const engine = await openHost(context, carrier.port)
    // The scenario presses one key.
    const result = await engine.callForCode(codeCallRequest({ code: '5' }))
    expect(result).toMatchObject({ outcome: 'typed', cause: 'NORMAL_CLEARING' })
    await carrier.success()
  })

  test.skipIf(asteriskMissing()).for(['rfc4733', 'info', 'inband'])(
    'may be at an Asterisk that sends %s',
    async (dtmf_mode, context) => {
      const acts = { [destination]: { presses: code } }
      const carrier = keep(context, await startAsterisk({ acts, settings: { dtmf_mode } }))
      const engine = await openHost(context, carrier.port)
      expect(await engine.callForCode(codeCallRequest({ code }))).toMatchObject({ outcome: 'typed' })
    },
  )
})
