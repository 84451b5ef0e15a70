/** A request over TCP whose sender hangs up before the response, so that we connect to a port of its choice. */

import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { keep, openEngineSetup, soon } from '../../sip/engine/engine-setup.ts'
import { openCarrier } from '../../sip/engine/test-carrier.ts'
import { domain } from '../../sip/engine/test-host.ts'
import { openConnection, writeRequest } from '../../sip/peers/stranger.ts'
import { openRawPhone } from './raw-phone.ts'

test('D184: a response whose connection is closed is not sent to the port in Via', async (t) => {
  const carrier = await openCarrier(t)
  const { port, engine } = keep(t, await openEngineSetup(carrier.port))
  let connected = 0
  const victim = createServer(() => {
    connected += 1
  }).listen(0, '127.0.0.61')
  await once(victim, 'listening')
  t.onTestFinished(() => void victim.close())
  const address = victim.address()
  const chosen = typeof address === 'object' && address ? address.port : 0

  const attacker = keep(t, await openConnection(port, '127.0.0.61'))
  const register = {
    method: 'REGISTER',
    uri: `sip:${domain}`,
    to: `<sip:1000@${domain}>`,
    from: `<sip:1000@${domain}>;tag=a`,
  }
  attacker.write(writeRequest({ ...register, transport: 'TCP', address: '127.0.0.61', port: chosen }))
  await soon(() => expect(attacker.text()).toContain('nonce='))
  // Wrong credentials are answered late: time enough to hang up.
  const { answerTo } = keep(t, await openRawPhone(port, { password: 'wrong' }))
  const credentials = answerTo(attacker.text(), 'Authorization', { method: 'REGISTER', uri: `sip:${domain}` })
  attacker.write(
    writeRequest({
      ...register,
      transport: 'TCP',
      address: '127.0.0.61',
      port: chosen,
      cseq: 2,
      headers: [credentials],
    }),
  )
  await soon(() => expect(engine.metrics().register_failures_total).toBe(1))
  await attacker.stop()
  await soon(() => expect(engine.metrics().sip_connections).toBe(0))
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  expect(connected).toBe(0)
})
