/** What baresip hears while the other side holds, and after its call has failed. */
import { describe, expect, test } from 'vitest'
import { programMissing } from '../../helpers/programs/programs.ts'
import { keep } from '../engine/engine-setup.ts'
import { callRequest } from '../engine/test-host.ts'
import { secondsOfTone } from '../peers/tones.ts'
import { writeSound } from '../worlds/sound-files.ts'
import { expectTone } from '../worlds/tone-checks.ts'
import { carrierHertz, openTwo, phoneHertz, pickUp } from '../worlds/two-baresips.ts'

const musicHertz = 650
const busyHertz = 425

describe.skipIf(programMissing('baresip'))('baresip', () => {
  test('D269: hears the music of the operator while the other side holds, whatever their codecs', async (t) => {
    const { path } = await writeSound(t, 'music.wav', musicHertz)
    const settings = { holdMusic: path }
    const two = keep(t, await openTwo({ phoneCodecs: ['PCMA'], carrierCodecs: ['PCMU'], settings }))
    const request = callRequest()
    two.testHost.engine.place(request)
    await pickUp(two.phone)
    await pickUp(two.carrier)
    await expectTone(two.carrier.heard, phoneHertz)
    await two.phone.hold()
    // The file lasts a second: it is repeated.
    await expectTone(two.carrier.heard, musicHertz, 1.4)
    await two.phone.resume()
    const before = secondsOfTone(await two.carrier.heard(), phoneHertz)
    await expectTone(two.carrier.heard, phoneHertz, before + 0.5)
    two.testHost.engine.hangUp(request.callId)
    await two.testHost.until(request.callId, 'ended')
  })

  test('D270: hears that the destination is busy before it is hung up; the call is over at once', async (t) => {
    const { folder } = await writeSound(t, 'CALL_REJECTED.wav', musicHertz)
    const settings = { failureToneSeconds: 2, announcements: folder }
    const { testHost, phone, carrier } = keep(t, await openTwo({ settings }))
    const request = callRequest()
    testHost.engine.place(request)
    await pickUp(phone)
    await carrier.incoming()
    await carrier.hangUp()
    const { cause } = (await testHost.until(request.callId, 'ended')) as { cause?: string }
    expect([testHost.engine.liveCalls(), phone.events.some(({ type }) => type === 'CALL_CLOSED')]).toEqual([
      [],
      false,
    ])
    // Versions of baresip refuse differently.
    await expectTone(phone.heard, cause === 'CALL_REJECTED' ? musicHertz : busyHertz, 0.4)
    await phone.closed()
    expect(secondsOfTone(await phone.heard(), carrierHertz)).toBe(0)
  })
})
