/** From a number that somebody entered to a number that is presented: over real SIP, with keys in RTP. */
import { expect, test } from 'vitest'
import { systemClock } from '../../../src/kit/clock.ts'
import { openAccount } from '../../helpers/service/people.ts'
import { startService } from '../../helpers/service/service.ts'
import { openCarrier } from '../../sip/engine/test-carrier.ts'

const number = '554832224000'

test('an account verifies its number by the call that types the code (D188)', async (t) => {
  const carrier = await openCarrier(t, { answers: true })
  const trunk = {
    name: 'main',
    address: `sip:127.0.0.1:${carrier.port}`,
    qualifySeconds: 0,
    callerId: '551130001000',
  }
  const settings = { SIP_PORT: '0', SIP_WS_PORT: '0', TRUNKS: JSON.stringify([trunk]) }
  const service = await startService(settings, { engine: undefined, clock: systemClock })
  t.onTestFinished(() => service.stop())
  const account = await openAccount(service)

  const { body: claimed } = await service.api.post('/numbers', { number }, account)
  const { body: asked } = await service.api.post(`/numbers/${claimed.id}/verify`, undefined, account)
  expect(asked).toMatchObject({ code: expect.stringMatching(/^\d{6}$/), number: { verified: false } })

  await expect.poll(() => carrier.arrived.length).toBe(1)
  const call = carrier.arrived[0]?.call
  await expect.poll(() => call?.heard()?.packets ?? 0).toBeGreaterThan(10)
  call?.press(asked.code)
  const shown = async () => (await service.api.get(`/numbers/${claimed.id}`, account)).body
  await expect.poll(shown).toMatchObject({ verified: true, proof: 'call', lastCall: { outcome: 'verified' } })
  expect(await call?.ended).toMatchObject({ why: 'they hung up' })

  // The code is good for one call: what was verified stays verified, and nothing rings.
  await service.api.post(`/numbers/${claimed.id}/verify`, undefined, account)
  expect(carrier.arrived).toHaveLength(1)
})
