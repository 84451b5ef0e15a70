/** An INVITE with a forged source address is answered many times over, at the expense of the owner of that address. */
import { expect, test } from 'vitest'
import { keep, openEngineSetup } from '../../sip/engine/engine-setup.ts'
import { openCarrier } from '../../sip/engine/test-carrier.ts'
import { destination, domain } from '../../sip/engine/test-host.ts'
import { writeRequest } from '../../sip/peers/stranger.ts'
import { openRawPhone } from './raw-phone.ts'

const isThisMachine = (address: string) => address === '127.0.0.1'
const fake = `Digest username="1000", realm="${domain}", nonce="x", uri="sip:a", response="0"`

test.for([
  ['without credentials', {}],
  ['with invented credentials', { headers: [`Proxy-Authorization: ${fake}`] }],
  ['of a dialog that does not exist', { to: `<sip:1000@${domain}>;tag=x` }],
] as const)('D179: an INVITE %s that is never acknowledged gets one response', async ([, change], t) => {
  const carrier = await openCarrier(t)
  const setup = keep(t, await openEngineSetup(carrier.port, { isThisMachine }))
  const victim = keep(t, await openRawPhone(setup.port, { address: '127.0.0.41' }))
  const from = `<sip:1000@${domain}>;tag=f`
  const parts = { method: 'INVITE', uri: `sip:${destination}@${domain}`, from, address: '127.0.0.41' }
  const invite = writeRequest({
    ...parts,
    port: victim.port,
    branch: 'z9hG4bKonce',
    ...change,
    headers: [...('headers' in change ? change.headers : [])],
  })
  victim.send(invite)
  await victim.until((text) => text.startsWith('SIP/2.0 4'))
  await setup.pass(40)
  expect(await victim.ask({ method: 'OPTIONS', uri: 'sip:ramal.test' })).toMatch(/^SIP\/2\.0 200/)
  const answers = victim.heard.filter((text) => text.startsWith('SIP/2.0 4'))
  expect(answers).toHaveLength(1)
  expect(answers[0]?.length).toBeLessThan(2 * invite.length)
  expect(setup.engine.metrics()).toMatchObject({ sip_legs: 0 })

  // A retransmission gets the very same response.
  victim.send(invite)
  victim.send(invite)
  await victim.until((text) => text.startsWith('SIP/2.0 4'), { after: victim.heard.length })
  await victim.ask({ method: 'OPTIONS', uri: 'sip:ramal.test' })
  const [first, second] = victim.heard.filter((text) => text.startsWith('SIP/2.0 4')).slice(-2)
  expect(first).toBe(second)
})
