/** Sound, checked by tones at each side and in the recording. */
import { describe, expect, test } from 'vitest'
import type { AcceptedCall } from '../../../src/engine/port.ts'
import { programMissing } from '../../helpers/programs/programs.ts'
import { keep } from '../engine/engine-setup.ts'
import { callRequest, destination, domain } from '../engine/test-host.ts'
import type { Baresip } from '../peers/baresip.ts'
import { secondsOfTone } from '../peers/tones.ts'
import { checkRecording, expectTone, secondsWithTrace, spanOfTone } from '../worlds/tone-checks.ts'
import {
  bothTones,
  carrierHertz,
  openTwo,
  phoneHertz,
  pickUp,
  ringbackHertz,
  startPhone,
  type Two,
} from '../worlds/two-baresips.ts'

/** Each side hears the other, and not itself. */
async function bothHear(phone: Baresip, other: Baresip) {
  await expectTone(phone.heard, carrierHertz)
  await expectTone(other.heard, phoneHertz)
  expect(secondsWithTrace(await other.heard(), carrierHertz)).toBe(0)
}

/** Click to call, up to the talk. */
async function place({ testHost, phone, carrier }: Two, request = callRequest({ record: true })) {
  testHost.engine.place(request)
  await pickUp(phone)
  await pickUp(carrier)
  await testHost.until(request.callId, 'answered')
  return request.callId
}

describe.skipIf(programMissing('baresip'))('between two baresips', () => {
  test.for(['udp', 'tcp'] as const)(
    'over %s, click to call: ringback while the destination rings, then each hears the other, and keys pass',
    async (transport, context) => {
      const { testHost, phone, carrier } = keep(context, await openTwo({ transport }))
      const request = callRequest({ record: true })
      testHost.engine.place(request)
      await pickUp(phone)
      await carrier.incoming()
      await expectTone(phone.heard, ringbackHertz)
      await carrier.accept()
      await bothHear(phone, carrier)

      await phone.press('5')
      expect(await carrier.until('CALL_DTMF_START')).toMatchObject({ param: '5' })
      await carrier.press('9')
      expect(await phone.until('CALL_DTMF_START')).toMatchObject({ param: '9' })

      await carrier.hangUp()
      await testHost.until(request.callId, 'ended')
      await phone.closed()
      const heard = await phone.heard()
      expect(spanOfTone(heard, ringbackHertz).to).toBeLessThanOrEqual(spanOfTone(heard, carrierHertz).from)
      expect(secondsOfTone(heard, phoneHertz)).toBe(0)
      const { left } = await checkRecording({ calls: testHost.calls, callId: request.callId }, bothTones)
      // The extension talks already when the destination answers; a busy machine may delay its first packets.
      expect(secondsOfTone(left.subarray(0, 12_000), phoneHertz)).toBeGreaterThan(0.3)
    },
  )

  test('a phone that dials authenticates, and is on the left channel', async (context) => {
    const request: AcceptedCall = callRequest({ record: true })
    const { testHost, phone, carrier } = keep(context, await openTwo({ accepted: request }))
    await phone.dial('48999998888')
    await pickUp(carrier)
    await bothHear(phone, carrier)
    await phone.hangUp()
    expect(await testHost.until(request.callId, 'ended')).toMatchObject({
      cause: 'NORMAL_CLEARING',
      by: 'extension',
    })
    await carrier.closed()
    expect(testHost.incomingCalls).toEqual([
      { from: { extension: { domain, number: '1000' } }, dialled: '48999998888' },
    ])
    await checkRecording({ calls: testHost.calls, callId: request.callId }, bothTones)
  })

  test('a call from the carrier rings the extension, which is on the left channel too', async (context) => {
    const request: AcceptedCall = callRequest({
      record: true,
      destination: { extension: { domain, number: '1000' } },
    })
    const { testHost, phone, carrier } = keep(context, await openTwo({ accepted: request }))
    await carrier.dial(`sip:554830001000@${testHost.server}`)
    await pickUp(phone)
    await bothHear(phone, carrier)
    await phone.hangUp()
    await testHost.until(request.callId, 'ended')
    await carrier.closed()
    expect(testHost.incomingCalls).toEqual([
      { from: { trunk: 'carrier', callerId: { number: destination } }, dialled: '554830001000' },
    ])
    await checkRecording({ calls: testHost.calls, callId: request.callId }, bothTones)
  })

  test('one extension calls another', async (context) => {
    const request: AcceptedCall = callRequest({
      record: true,
      destination: { extension: { domain, number: '1001' } },
    })
    const { testHost, phone } = keep(context, await openTwo({ accepted: request }))
    const colleague = keep(context, await startPhone(testHost.server, '1001', { hertz: carrierHertz }))
    await testHost.registered('1001')
    await phone.dial('1001')
    await pickUp(colleague)
    await bothHear(phone, colleague)
    await colleague.hangUp()
    await testHost.until(request.callId, 'ended')
    await phone.closed()
    await checkRecording({ calls: testHost.calls, callId: request.callId }, bothTones)
  })

  test.for([
    ['PCMA', 'PCMU'],
    ['PCMU', 'PCMA'],
  ] as const)(
    'a phone that knows %s only and a carrier that knows %s only hear each other',
    async ([mine, theirs], context) => {
      const { testHost, phone, carrier } = keep(
        context,
        await openTwo({ phoneCodecs: [mine], carrierCodecs: [theirs] }),
      )
      const request = callRequest({ record: true })
      testHost.engine.place(request)
      await pickUp(phone)
      await expectTone(phone.heard, ringbackHertz, 0.3)
      await pickUp(carrier)
      await bothHear(phone, carrier)
      testHost.engine.hangUp(request.callId)
      await testHost.until(request.callId, 'ended')
      await Promise.all([phone.closed(), carrier.closed()])
      await checkRecording({ calls: testHost.calls, callId: request.callId }, bothTones)
    },
  )

  test.for(['phone', 'carrier'] as const)(
    'a %s that holds is heard again when it resumes',
    async (who, context) => {
      const two = keep(context, await openTwo())
      const [holder, other] = who === 'phone' ? [two.phone, two.carrier] : [two.carrier, two.phone]
      const hertz = who === 'phone' ? phoneHertz : carrierHertz
      const callId = await place(two)
      await bothHear(two.phone, two.carrier)
      for (const order of [holder.hold, holder.resume]) {
        const seen = holder.events.length
        await order()
        await holder.until('CALL_REMOTE_SDP', { after: seen })
      }
      const before = secondsOfTone(await other.heard(), hertz)
      await expectTone(other.heard, hertz, before + 0.5)
      // Its ear is kept up to the hold only; keys reach it all the same.
      await other.press('7')
      expect(await holder.until('CALL_DTMF_START')).toMatchObject({ param: '7' })
      two.testHost.engine.hangUp(callId)
      await two.testHost.until(callId, 'ended')
      await Promise.all([two.phone.closed(), two.carrier.closed()])
      await checkRecording({ calls: two.testHost.calls, callId }, bothTones)
    },
  )
})
