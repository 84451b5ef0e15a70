/** D421: phones that do not ask for `rport` (RFC 3581). */
import { describe, expect, test } from 'vitest'
import { openRawPhone, sdpOf } from '../../security/sip/raw-phone.ts'
import { keep, type TestScope } from '../engine/engine-setup.ts'
import { callRequest, domain, openTestHost } from '../engine/test-host.ts'
import { openStranger } from '../peers/stranger.ts'

/** What a phone takes for its own address behind a router, which sends its datagrams from another one. */
const behindRouter = { sentBy: '192.168.0.10:5060', asksForRport: false }
const carrierAddress = '127.0.0.9'

async function setUp(t: TestScope) {
  const trunks = [{ name: 'carrier', address: `sip:${carrierAddress}`, qualifySeconds: 0 }]
  return keep(t, await openTestHost({ trunks }))
}

describe('over UDP and without rport', { concurrent: true }, () => {
  test('a phone behind a router registers, and is rung', async (t) => {
    const office = await setUp(t)
    const phone = keep(t, await openRawPhone(office.port))
    const uri = `sip:${domain}`
    const headers = ['Expires: 3600']
    expect(await phone.ask({ method: 'REGISTER', uri, headers, ...behindRouter })).toMatch(/^SIP\/2\.0 200 /)
    const call = callRequest()
    office.engine.place(call)
    await phone.answer(sdpOf('127.0.0.1', phone.port))
    await office.until(call.callId, 'extensionAnswered')
  })

  test('a request that cannot be read is answered at the port it came from', async (t) => {
    const office = await setUp(t)
    const phone = keep(t, await openStranger(office.port))
    phone.send(phone.request({ ...behindRouter, method: 'OPTIONS' }).replace('CSeq: 1 OPTIONS', 'CSeq: one'))
    expect(await phone.until((text) => text.startsWith('SIP/2.0 400'))).toContain(`rport=${phone.port}`)
  })

  test('a carrier is answered at the port of its Via', async (t) => {
    const office = await setUp(t)
    const listening = keep(t, await openStranger(office.port, carrierAddress))
    const sending = keep(t, await openStranger(office.port, carrierAddress))
    const sentBy = `${carrierAddress}:${listening.port}`
    sending.send(sending.request({ sentBy, asksForRport: false }))
    expect(await listening.until((text) => text.startsWith('SIP/2.0 200'))).toContain(sentBy)
    expect(sending.heard).toEqual([])
  })
})
