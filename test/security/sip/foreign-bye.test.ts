/** Somebody who has overheard the tags of a call ends it or takes its sound over, from another address. */
import { expect, test } from 'vitest'
import { keep, openEngineSetup, type TestScope } from '../../sip/engine/engine-setup.ts'
import { openCarrier } from '../../sip/engine/test-carrier.ts'
import { destination, domain } from '../../sip/engine/test-host.ts'
import { openStranger } from '../../sip/peers/stranger.ts'
import { openRawPhone, sdpOf } from './raw-phone.ts'

const callId = 'a-call'
const limits = { ring: 20, answer: 20, talk: 60 }

async function talking(t: TestScope) {
  const carrier = await openCarrier(t, { answers: true })
  const accepted = {
    callId,
    destination: { number: destination },
    presented: undefined,
    record: false,
    limits,
  }
  const setup = keep(t, await openEngineSetup(carrier.port, { admit: () => accepted }))
  const phone = keep(t, await openRawPhone(setup.port, { address: '127.0.0.51' }))
  expect(await phone.register()).toMatch(/^SIP\/2\.0 200/)
  const dialled = await phone.dial(destination)
  expect(dialled.response).toMatch(/^SIP\/2\.0 200/)
  const within = {
    uri: `sip:127.0.0.1:${setup.port}`,
    callId: dialled.callId,
    from: dialled.from,
    to: dialled.to,
  }
  return { ...setup, phone, within }
}

test('D183: neither BYE nor re-INVITE from another address is taken', async (t) => {
  const { port, within, phone, engine, until } = await talking(t)
  const stranger = keep(t, await openStranger(port, '127.0.0.66'))
  const sdp = { headers: ['Content-Type: application/sdp'], body: sdpOf('127.0.0.66', stranger.port) }
  for (const request of [{ method: 'BYE' }, { method: 'INVITE', ...sdp }, { method: 'UPDATE', ...sdp }]) {
    expect(await stranger.ask({ ...within, ...request, cseq: 90 })).toMatch(/^SIP\/2\.0 407/)
  }
  // With the right password, but of another extension.
  const colleague = keep(t, await openRawPhone(port, { address: '127.0.0.66', number: '1001' }))
  const own = { from: within.from.replace('1000', '1001'), to: within.to }
  expect(await colleague.ask({ ...within, ...own, method: 'BYE' })).toMatch(/^SIP\/2\.0 481/)
  expect(engine.liveCalls()).toEqual([callId])
  expect(await phone.ask({ ...within, method: 'BYE' })).toMatch(/^SIP\/2\.0 200/)
  expect(await until(callId, 'ended')).toMatchObject({ by: 'extension' })
})

test('D183: a phone that has changed its address is the peer again once it authenticates', async (t) => {
  const { port, within, until } = await talking(t)
  const moved = keep(t, await openRawPhone(port, { address: '127.0.0.52' }))
  moved.skip(10)
  expect(await moved.ask({ ...within, method: 'BYE' })).toMatch(/^SIP\/2\.0 200/)
  expect(await until(callId, 'ended')).toMatchObject({ by: 'extension' })
})

test('D183: and so it is once it has registered from there', async (t) => {
  const { port, within, until } = await talking(t)
  const moved = keep(t, await openRawPhone(port, { address: '127.0.0.52' }))
  expect(await moved.register()).toMatch(/^SIP\/2\.0 200/)
  const bye = { ...within, method: 'BYE', uri: `sip:${domain}`, cseq: 80 }
  expect(await (await openOn(t, port)).ask(bye)).toMatch(/^SIP\/2\.0 200/)
  expect(await until(callId, 'ended')).toMatchObject({ by: 'extension' })
})

const openOn = async (t: TestScope, port: number) => keep(t, await openStranger(port, '127.0.0.52'))
