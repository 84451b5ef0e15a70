/** A phone names the address of somebody else in its SDP, so that we send sound to that victim. */
import { expect, test } from 'vitest'
import { keep, openEngineSetup, soon } from '../../sip/engine/engine-setup.ts'
import { openCarrier } from '../../sip/engine/test-carrier.ts'
import { domain } from '../../sip/engine/test-host.ts'
import { audioPortIn, openRawPhone, sdpOf } from './raw-phone.ts'
import { openRtp } from './raw-rtp.ts'

const limits = { ring: 20, answer: 20, talk: 60 }

test('D175: an address that never sends gets five seconds of sound, however fast and however often it is named', async (t) => {
  const carrier = await openCarrier(t)
  const accepted = {
    callId: 'to-a-victim',
    destination: { extension: { domain, number: '1001' } },
    presented: undefined,
    record: false,
    limits,
  }
  const office = keep(t, await openEngineSetup(carrier.port, { admit: () => accepted }))
  const caller = keep(t, await openRawPhone(office.port))
  const accomplice = keep(t, await openRawPhone(office.port, { number: '1001' }))
  for (const phone of [caller, accomplice]) expect(await phone.register()).toMatch(/^SIP\/2\.0 200/)
  const [audio, victim] = [await openRtp(t, '127.0.0.1'), await openRtp(t, '127.0.0.77')]

  const answering = accomplice.answer(sdpOf('127.0.0.77', victim.port))
  const dialled = await caller.dial('1001', { sdp: sdpOf('127.0.0.1', audio.port) })
  const invite = await answering
  expect(dialled.response).toMatch(/^SIP\/2\.0 200/)
  const ours = { caller: audioPortIn(dialled.response), callee: audioPortIn(invite) }
  expect(ours.callee).toBeGreaterThan(0)
  // Twenty seconds of sound at ten times its speed.
  for (let n = 0; n < 1_000; n += 10) {
    audio.speak(ours.caller, 10)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await soon(() => expect(victim.received()).toBeGreaterThan(200))
  expect(victim.received()).toBeLessThan(270)
})
