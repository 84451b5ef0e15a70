/** linphone over TLS, with SRTP mandatory: registers, is rung, dials; sound is compared at both ends and in the recording. */
import { describe, expect, test } from 'vitest'
import type { AcceptedCall } from '../../../src/engine/port.ts'
import { programMissing } from '../../helpers/programs/programs.ts'
import { keep, openEngineSetup, soon, type TestScope } from '../engine/engine-setup.ts'
import { openCarrier } from '../engine/test-carrier.ts'
import { callRequest, destination, domain, passwordOf } from '../engine/test-host.ts'
import { startLinphone } from '../peers/linphone.ts'
import { writeTlsFiles } from '../peers/tls-files.ts'
import { checkRecording, expectTone } from '../worlds/tone-checks.ts'

const phoneHertz = 440
const carrierHertz = 1000

async function setUp(t: TestScope, accepted: AcceptedCall) {
  const carrier = await openCarrier(t, { answers: true })
  const { cert, key } = keep(t, await writeTlsFiles())
  const settings = { tlsPort: 0, tlsFiles: { cert, key } }
  const office = keep(t, await openEngineSetup(carrier.port, { settings, admit: () => accepted }))
  const phone = keep(
    t,
    await startLinphone({
      port: office.engine.ports().tls ?? 0,
      domain,
      extension: '1000',
      password: passwordOf('1000'),
      hertz: phoneHertz,
    }),
  )
  await office.registered('1000')
  return { office, phone, carrier }
}

describe.skipIf(programMissing('linphonec'))('linphone with SRTP mandatory', () => {
  test('is rung over TLS, hears, is heard, is recorded and hangs up', async (t) => {
    const request = callRequest({ record: true })
    const { office, phone, carrier } = await setUp(t, request)
    office.engine.place(request)
    await office.until(request.callId, 'ringing')
    phone.accept()
    await office.until(request.callId, 'answered')
    await expectTone(phone.heard, carrierHertz)
    const { call: theirs } = await carrier.incoming(request.callId)
    await soon(() => expect(theirs.heard()?.tone?.hertz).toBe(phoneHertz))
    phone.hangUp()
    await office.until(request.callId, 'ended')
    await checkRecording(
      { calls: office.calls, callId: request.callId },
      { left: phoneHertz, right: carrierHertz },
    )
  })

  test('dials over TLS, hears and is heard', async (t) => {
    const accepted: AcceptedCall = callRequest()
    const { office, phone, carrier } = await setUp(t, accepted)
    phone.dial(`sip:${destination}@${domain}`)
    await office.until(accepted.callId, 'answered')
    await expectTone(phone.heard, carrierHertz)
    const { call: theirs } = await carrier.incoming(accepted.callId)
    await soon(() => expect(theirs.heard()?.tone?.hertz).toBe(phoneHertz))
    office.engine.hangUp(accepted.callId)
    await office.until(accepted.callId, 'ended')
  })
})
