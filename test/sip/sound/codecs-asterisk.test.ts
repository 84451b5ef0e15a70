/** D274: Asterisk as a carrier that has G.722 or Opus only, with a phone that has the same codec and with one of G.711. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { programMissing } from '../../helpers/programs/programs.ts'
import { keep } from '../engine/engine-setup.ts'
import { callRequest, destination, openTestHost } from '../engine/test-host.ts'
import { type Asterisk, asteriskMissing, startAsterisk } from '../peers/asterisk.ts'
import { secondsOfTone } from '../peers/tones.ts'
import { checkRecording, expectTone } from '../worlds/tone-checks.ts'
import { bothTones, carrierHertz, phoneHertz, pickUp, startPhone } from '../worlds/two-baresips.ts'

/** Codecs: the carrier's as we name them, the phone's as baresip does. */
const pairs = [
  { carrier: 'G722', phone: 'G722/16000/1' },
  { carrier: 'G722', phone: 'PCMA' },
  { carrier: 'opus', phone: 'opus/48000/2' },
  { carrier: 'opus', phone: 'PCMA' },
] as const

describe.skipIf(programMissing('baresip') || asteriskMissing())('Asterisk as a carrier without G.711', () => {
  let asterisk: Asterisk
  beforeAll(async () => {
    asterisk = await startAsterisk({
      codecs: ['g722', 'opus'],
      acts: { [destination]: { hertz: carrierHertz, records: true } },
    })
  })
  afterAll(() => asterisk?.stop())

  test.for(pairs)('$carrier, with a phone that has $phone', async ({ carrier, phone: codec }, context) => {
    const after = asterisk.events.length
    const address = `sip:127.0.0.1:${asterisk.port}`
    const trunk = { name: 'carrier', address, codecs: [carrier], qualifySeconds: 0 }
    const testHost = keep(context, await openTestHost({ trunks: [trunk] }))
    const phone = keep(
      context,
      await startPhone(testHost.server, '1000', { hertz: phoneHertz, codecs: [codec] }),
    )
    await testHost.registered('1000')
    const request = callRequest({ record: true })
    testHost.engine.place(request)
    await pickUp(phone)
    await expectTone(phone.heard, carrierHertz)
    await phone.hangUp()
    await testHost.until(request.callId, 'ended')
    const { Uniqueid = '' } = await asterisk.arrival(destination, after)
    expect(secondsOfTone(await asterisk.heard(Uniqueid), phoneHertz)).toBeGreaterThan(0.4)
    await checkRecording({ calls: testHost.calls, callId: request.callId }, bothTones)
  })
})
