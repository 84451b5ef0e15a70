/** The messages of RFC 4475 against the running engine: over TCP, where every response arrives, and over UDP. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { torture, tortureMessage } from '../../../src/sip/testing/torture/messages.ts'
import { keep, soon } from '../engine/engine-setup.ts'
import { openTestHost } from '../engine/test-host.ts'
import { openConnection, openStranger, writeRequest } from '../peers/stranger.ts'

/**
 * What each is answered with. `nothing`: a response, or a request whose Via leads nowhere. After a `+` nobody can know
 * where the next message begins, and the connection is cut; after `…` more of the message is waited for.
 */
const expected: Record<string, string> = {
  '3.1.1.1 wsinv': '481',
  '3.1.1.2 intmeth': '405',
  '3.1.1.3 esc01': '407',
  '3.1.1.4 escnull': '401',
  '3.1.1.5 esc02': '405',
  '3.1.1.6 lwsdisp': '200',
  '3.1.1.7 longreq': '407',
  // What follows it in the packet is another request on a stream, and that is broken.
  '3.1.1.8 dblreq': '401 407 400+',
  '3.1.1.9 semiuri': '200',
  '3.1.1.10 transports': '200',
  '3.1.1.11 mpart01': '405',
  '3.1.1.12 unreason': 'nothing',
  '3.1.1.13 noreason': 'nothing',
  '3.1.2.1 badinv01': 'nothing',
  '3.1.2.2 clerr': '…',
  '3.1.2.3 ncl': '400+',
  '3.1.2.4 scalar02': '400',
  '3.1.2.5 scalarlg': 'nothing',
  '3.1.2.6 quotbal': '400',
  '3.1.2.7 ltgtruri': '400',
  '3.1.2.8 lwsruri': '400',
  '3.1.2.9 lwsstart': '400',
  '3.1.2.10 trws': '400',
  '3.1.2.11 escruri': '400',
  '3.1.2.12 baddate': '407',
  '3.1.2.13 regbadct': '400',
  '3.1.2.14 badaspec': '400',
  '3.1.2.15 baddn': '400',
  // Its Via is of that version, too.
  '3.1.2.16 badvers': 'nothing',
  '3.1.2.17 mismatch01': '400',
  '3.1.2.18 mismatch02': '400',
  '3.1.2.19 bigcode': 'nothing',
  '3.2.1 badbranch': '200',
  '3.3.1 insuf': 'nothing',
  '3.3.2 unkscm': '416',
  '3.3.3 novelsc': '416',
  '3.3.4 unksm2': '401',
  '3.3.5 bext01': '420',
  // Authentication comes before the body (RFC 3261, 8.2).
  '3.3.6 invut': '407',
  '3.3.7 regaut01': '401',
  '3.3.8 multi01': '400+',
  '3.3.9 mcl01': '400+',
  '3.3.10 bcast': 'nothing',
  '3.3.11 zeromf': '200',
  '3.3.12 cparam01': '401',
  '3.3.13 cparam02': '401',
  '3.3.14 regescrt': '401',
  '3.3.15 sdp01': '407',
  // Without a Content-Length there is no end to it on a stream.
  '3.4.1 inv2543': '400+',
}

let testHost: Awaited<ReturnType<typeof openTestHost>>
beforeAll(async () => {
  testHost = await openTestHost()
})
afterAll(() => testHost.stop())

test('every torture message has an expected response here', () => {
  expect([...torture.keys()]).toEqual(Object.keys(expected))
})

test.concurrent.for(Object.entries(expected))(
  '%s over TCP is answered with %s',
  async ([name, wanted], t) => {
    const { write, text, isOver } = keep(t, await openConnection(testHost.port))
    write(tortureMessage(name))
    write(writeRequest({ transport: 'TCP', callId: 'after-it' }))
    if (wanted === '…') return
    const cut = wanted.endsWith('+')
    await soon(() => expect(cut ? isOver() : text().includes('after-it')).toBe(true))
    const statuses = [...text().matchAll(/^SIP\/2\.0 (\d{3}) /gm)].map(([, status]) => status)
    if (!cut) statuses.pop()
    expect(statuses.join(' ') || 'nothing').toBe(wanted.replace('+', ''))
  },
)

test('all of them over UDP leave the engine as it was', async (t) => {
  const stranger = keep(t, await openStranger(testHost.port))
  for (let round = 0; round < 20; round += 1) {
    for (const message of torture.values()) stranger.send(message)
    expect(await stranger.ask()).toMatch(/^SIP\/2\.0 200/)
  }
  expect(testHost.engine.metrics()).toMatchObject({ calls: 0, sip_legs: 0, registrations: 0, media_calls: 0 })
  expect(testHost.engine.metrics().sip_failed_total ?? 0).toBe(0)
  expect([testHost.calls, testHost.phones, testHost.incomingCalls]).toEqual([[], [], []])
})
