/** Datagrams that claim to come from an office, sent by somebody else, to have the office silenced. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { keep, openEngineSetup, soon } from '../../sip/engine/engine-setup.ts'
import { openCarrier } from '../../sip/engine/test-carrier.ts'
import { domain } from '../../sip/engine/test-host.ts'
import { openConnection, writeRequest } from '../../sip/peers/stranger.ts'
import { openRawPhone } from './raw-phone.ts'

const isThisMachine = (address: string) => address === '127.0.0.1'
const office = '127.0.0.31'

test('D112: they block neither its phones nor its connections, whether it is known or not', async (t) => {
  const carrier = await openCarrier(t)
  const { port, engine, ...setup } = keep(t, await openEngineSetup(carrier.port, { isThisMachine }))
  // On loopback nothing needs to be forged: the sender has that address, and never reads what is answered.
  const forger = createSocket('udp4').bind(0, office)
  await once(forger, 'listening')
  t.onTestFinished(() => void forger.close())
  const wrong = `Digest username="1000", realm="${domain}", nonce="x", uri="sip:a", response="0", qop=auth, cnonce="c", nc=00000001`
  const register = { method: 'REGISTER', uri: `sip:${domain}`, to: `<sip:1000@${domain}>` }
  const forged = [
    () => writeRequest({ headers: ['User-Agent: friendly-scanner'], address: office }),
    () => 'nonsense\r\n\r\n',
    () => writeRequest({ ...register, address: office, headers: [`Authorization: ${wrong}`] }),
  ]
  async function forge() {
    const before = engine.metrics().guard_failures_total ?? 0
    for (let n = 0; n < 45; n += 1) forger.send(forged[n % 3]?.() ?? '', port, '127.0.0.1')
    await soon(() => expect(engine.metrics().guard_failures_total).toBeGreaterThanOrEqual(before + 25))
  }

  await forge()
  const phone = keep(t, await openRawPhone(port, { address: office }))
  expect(await phone.register()).toMatch(/^SIP\/2\.0 200/)
  await forge()
  expect(await phone.register()).toMatch(/^SIP\/2\.0 200/)
  const connection = keep(t, await openConnection(port, office))
  connection.write(writeRequest({ transport: 'TCP', address: office }))
  await soon(() => expect(connection.text()).toContain('SIP/2.0 200'))
  expect(engine.metrics().guard_silences_total).toBe(0)
  expect(setup.phones.map(({ type }) => type)).toContain('registered')
})
