/** D274: phones with other codecs than G.711: two that have the same, and one whose carrier has G.711 only. */
import { describe, test } from 'vitest'
import type { AcceptedCall } from '../../../src/engine/port.ts'
import { programMissing } from '../../helpers/programs/programs.ts'
import { keep } from '../engine/engine-setup.ts'
import { callRequest, domain } from '../engine/test-host.ts'
import { writeSound } from '../worlds/sound-files.ts'
import { checkRecording, expectTone } from '../worlds/tone-checks.ts'
import {
  bothTones,
  carrierHertz,
  openTwo,
  phoneHertz,
  pickUp,
  ringbackHertz,
  startPhone,
} from '../worlds/two-baresips.ts'

const musicHertz = 650
/** As baresip names them. */
const codecs = ['G722/16000/1', 'opus/48000/2']

describe.skipIf(programMissing('baresip'))('a phone without G.711', () => {
  test.for(codecs)(
    'with %s talks to a colleague, is held with music, and is recorded',
    async (codec, context) => {
      const { path: holdMusic } = await writeSound(context, 'music.wav', musicHertz)
      const request: AcceptedCall = callRequest({
        record: true,
        destination: { extension: { domain, number: '1001' } },
      })
      const { testHost, phone } = keep(
        context,
        await openTwo({ accepted: request, phoneCodecs: [codec], settings: { holdMusic } }),
      )
      const colleague = keep(
        context,
        await startPhone(testHost.server, '1001', { hertz: carrierHertz, codecs: [codec] }),
      )
      await testHost.registered('1001')
      await phone.dial('1001')
      await pickUp(colleague)
      await expectTone(phone.heard, carrierHertz)
      await expectTone(colleague.heard, phoneHertz)
      await colleague.hold()
      await expectTone(phone.heard, musicHertz, 0.4)
      await phone.hangUp()
      await testHost.until(request.callId, 'ended')
      await checkRecording({ calls: testHost.calls, callId: request.callId }, bothTones)
    },
  )

  test.for(codecs)('with %s talks through a carrier that has PCMA only', async (codec, context) => {
    const { testHost, phone, carrier } = keep(
      context,
      await openTwo({ phoneCodecs: [codec], carrierCodecs: ['PCMA'] }),
    )
    const request = callRequest({ record: true })
    testHost.engine.place(request)
    await pickUp(phone)
    await expectTone(phone.heard, ringbackHertz, 0.3)
    await pickUp(carrier)
    await expectTone(phone.heard, carrierHertz)
    await expectTone(carrier.heard, phoneHertz)
    testHost.engine.hangUp(request.callId)
    await testHost.until(request.callId, 'ended')
    await Promise.all([phone.closed(), carrier.closed()])
    await checkRecording({ calls: testHost.calls, callId: request.callId }, bothTones)
  })
})
