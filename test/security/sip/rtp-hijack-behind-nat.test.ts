/** A third party sends RTP to the ports of a call whose phone is behind NAT, to be taken for the phone. */
import { expect, test } from 'vitest'
import { keep, openEngineSetup, soon } from '../../sip/engine/engine-setup.ts'
import { openCarrier } from '../../sip/engine/test-carrier.ts'
import { audioPortIn, openRawPhone, sdpOf } from './raw-phone.ts'
import { openRtp } from './raw-rtp.ts'

test('D174: a stranger who sends RTP first hears nothing; the phone behind NAT does', async (t) => {
  const carrier = await openCarrier(t, { answers: true })
  const office = keep(t, await openEngineSetup(carrier.port))
  const phone = keep(t, await openRawPhone(office.port))
  expect(await phone.register()).toMatch(/^SIP\/2\.0 200/)
  const [audio, stranger] = [await openRtp(t, '127.0.0.1'), await openRtp(t, '127.0.0.9')]

  const call = office.place()
  // The SDP of a phone behind NAT: an address that is not the one it signals from.
  const invite = await phone.answer(sdpOf('192.168.1.50', 40_000))
  const port = audioPortIn(invite)
  const attack = setInterval(() => stranger.speak(port, 5), 10)
  t.onTestFinished(() => clearInterval(attack))
  await call.until('extensionAnswered')
  await call.until('answered')
  await soon(() => {
    audio.speak(port)
    expect(audio.received()).toBeGreaterThan(50)
  })
  expect(stranger.received()).toBe(0)
})
