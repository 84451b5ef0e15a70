/** Credentials that were signed for one number are used to dial another. */
import { expect, test } from 'vitest'
import { keep, openEngineSetup } from '../../sip/engine/engine-setup.ts'
import { openCarrier } from '../../sip/engine/test-carrier.ts'
import { destination, domain } from '../../sip/engine/test-host.ts'
import { openRawPhone } from './raw-phone.ts'

test('D180: the number in the digest must be the one that is dialled', async (t) => {
  const carrier = await openCarrier(t)
  const setup = keep(t, await openEngineSetup(carrier.port))
  const phone = keep(t, await openRawPhone(setup.port))
  expect(await phone.register()).toMatch(/^SIP\/2\.0 200/)
  const other = await phone.dial('900442012345678', { digestUri: `sip:${destination}@${domain}` })
  expect(other.response).toMatch(/^SIP\/2\.0 407/)
  expect(setup.incomingCalls).toEqual([])
  // The host and parameters may differ.
  const same = await phone.dial(destination, { digestUri: `sip:${destination}@127.0.0.1:5060;transport=udp` })
  expect(same.response).toMatch(/^SIP\/2\.0 404/)
  expect(setup.incomingCalls.map(({ dialled }) => dialled)).toEqual([destination])
})
