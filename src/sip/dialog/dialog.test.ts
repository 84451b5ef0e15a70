import { describe, expect, test } from 'vitest'
import { values } from '../message/message.ts'
import { parseUri } from '../uri/parse.ts'
import { formatUri } from '../uri/uri.ts'
import { createScenes } from '../user-agent/testing/scenes.ts'
import { described, settle } from '../user-agent/testing/test-agents.ts'
import { dependsOnConnection, nextHopTarget } from './next-hop.ts'

const { openScene } = createScenes()

/** What the ACK and BYE look like after an answer with these headers. */
async function afterAnswer(...headers: [string, string][]) {
  const made = openScene()
  const far = made.scriptedPeer()
  const leg = made.near.call()
  await settle()
  far.answer(far.last('INVITE'), 180, { headers: [['Record-Route', '<sip:old.test;lr>']] })
  far.answer(far.last('INVITE'), 200, { ...described(20), headers: [...described(20).headers, ...headers] })
  await settle()
  leg.hangUp()
  await settle()
  return ['ACK', 'BYE'].map((method) => {
    const { request } = far.last(method)
    return [formatUri(request.uri), ...values(request, 'Route')]
  })
}

test('the route set is the Record-Route of the 2xx, reversed; that of the 180 is replaced', async () => {
  const [ack, bye] = await afterAnswer(
    ['Record-Route', '<sip:b.test;lr>, <sip:a.test;lr;x=1>'],
    ['Record-Route', '<sip:us.test;lr>'],
  )
  const expected = ['sip:far@192.0.2.2:5070', '<sip:us.test;lr>', '<sip:a.test;lr;x=1>', '<sip:b.test;lr>']
  expect([ack, bye]).toEqual([expected, expected])
})

test('a strict router is put into the Request-URI, and the remote target last in the route', async () => {
  const [ack] = await afterAnswer(['Record-Route', '<sip:b.test>, <sip:a.test>'])
  expect(ack).toEqual(['sip:a.test', '<sip:b.test>', '<sip:far@192.0.2.2:5070>'])
})

test('without a route set, requests go to the remote target', async () => {
  const [ack] = await afterAnswer()
  expect(ack).toEqual(['sip:far@192.0.2.2:5070'])
})

describe('the next hop', () => {
  const local = { address: '203.0.113.1', port: 5060 }
  const flowOf = (transport: 'udp' | 'tcp' | 'tls' | 'wss', address: string) => ({
    transport,
    local,
    remote: { address, port: 4000 },
    connection: 7,
  })
  const to = (transport: 'udp' | 'tcp' | 'tls' | 'wss', address: string, next: string) => {
    const { remote } = nextHopTarget(flowOf(transport, address), parseUri(next))
    return `${remote.address}:${remote.port}`
  }

  test.each([
    ['a phone behind a NAT', 'udp', '198.51.100.7', 'sip:a@192.168.0.9:5060', '198.51.100.7:4000'],
    ['a phone seen through an inner NAT', 'udp', '172.17.0.1', 'sip:a@192.168.0.9', '172.17.0.1:4000'],
    [
      'a phone that knows its address, not its port',
      'udp',
      '198.51.100.7',
      'sip:a@198.51.100.7',
      '198.51.100.7:4000',
    ],
    ['a name', 'udp', '198.51.100.7', 'sip:gateway.test', '198.51.100.7:4000'],
    ['a carrier whose proxy stepped aside', 'udp', '198.51.100.7', 'sip:198.51.100.8', '198.51.100.8:5060'],
    ['the same by TCP', 'tcp', '198.51.100.7', 'sip:198.51.100.8:5080;transport=tcp', '198.51.100.8:5080'],
    ['one who wants another transport', 'tcp', '198.51.100.7', 'sip:198.51.100.8', '198.51.100.7:4000'],
    ['an encrypted connection', 'tls', '198.51.100.7', 'sip:198.51.100.8;transport=tls', '198.51.100.7:4000'],
    ['a browser', 'wss', '198.51.100.7', 'sip:x@abc.invalid;transport=ws', '198.51.100.7:4000'],
    ['IPv6', 'udp', '2001:db8::1', 'sip:[2001:db8::2]:5070', '2001:db8::2:5070'],
    ['IPv6 of the inside', 'udp', '2001:db8::1', 'sip:[fd00::2]:5070', '2001:db8::1:4000'],
  ] as const)('to %s', (_, transport, address, next, expected) => {
    expect(to(transport, address, next)).toBe(expected)
  })

  test('only a browser is lost with its connection', () => {
    const gone = (transport: 'tcp' | 'wss', connection: number) =>
      dependsOnConnection(flowOf(transport, '198.51.100.7'), {
        ...flowOf(transport, '198.51.100.7'),
        connection,
      })
    expect([gone('wss', 7), gone('wss', 8), gone('tcp', 7)]).toEqual([true, false, false])
  })
})
