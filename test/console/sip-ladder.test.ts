/** The ladder of SIP messages (D660): participants, arrows, retransmissions, and what two processes both recorded. */
import { expect, test } from 'vitest'
import { buildLadder } from '../../console/operator/sip/ladder.ts'
import type { OperatorSipMessage } from '../../src/contract/operator-sip-trace.ts'

type Sketch = Partial<OperatorSipMessage> & { cseq?: string; branch?: string; headers?: string[] }

function message({
  cseq = '1 INVITE',
  branch = 'z9hG4bK1',
  headers = [],
  ...given
}: Sketch): OperatorSipMessage {
  const { firstLine = 'INVITE sip:1000@192.0.2.7 SIP/2.0' } = given
  const lines = [firstLine, `Via: SIP/2.0/UDP 198.51.100.4;branch=${branch}`, `CSeq: ${cseq}`, ...headers]
  return {
    at: '2026-11-18T12:00:00.000Z',
    afterMs: 0,
    direction: 'received',
    side: 'extension',
    party: 'extension',
    node: 'a',
    transport: 'udp',
    local: '198.51.100.4:5060',
    remote: '192.0.2.7:5062',
    firstLine,
    text: [...lines, '', ''].join('\r\n'),
    ...given,
  }
}

const ofCarrier = { side: 'other', party: 'carrier', remote: '203.0.113.9:5060' } as const

test('the phone, the service and the trunk stand from left to right, also in a call from outside', () => {
  const { participants, steps } = buildLadder([
    message({ ...ofCarrier }),
    message({ direction: 'sent', branch: 'z9hG4bK2' }),
    message({ firstLine: 'SIP/2.0 180 Ringing', branch: 'z9hG4bK2' }),
    message({ ...ofCarrier, direction: 'sent', firstLine: 'SIP/2.0 180 Ringing' }),
  ])
  expect(participants).toEqual([
    { role: 'extension', address: '192.0.2.7:5062' },
    { role: 'node', address: '198.51.100.4:5060', node: 'a' },
    { role: 'carrier', address: '203.0.113.9:5060' },
  ])
  expect(steps.map(({ from, to }) => [from, to])).toEqual([
    [2, 1],
    [1, 0],
    [0, 1],
    [1, 2],
  ])
})

test('two phones have a lane each, in a call of two extensions on both sides of the service', () => {
  const { participants } = buildLadder([
    message({}),
    message({ direction: 'sent', side: 'other', remote: '192.0.2.8:5062' }),
    message({ direction: 'sent', side: 'other', remote: '192.0.2.8:49152', branch: 'z9hG4bK2' }),
  ])
  expect(participants.map(({ role, address }) => `${role} ${address}`)).toEqual([
    'extension 192.0.2.7:5062',
    'node 198.51.100.4:5060',
    'extension 192.0.2.8:5062',
    'extension 192.0.2.8:49152',
  ])
})

test.each([
  ['the same request', {}, true],
  ['one of another transaction', { branch: 'z9hG4bK2' }, false],
  ['one with the next number', { cseq: '2 INVITE' }, false],
  ['the same, to another phone', { remote: '192.0.2.8:5062' }, false],
  ['its response', { direction: 'sent', firstLine: 'SIP/2.0 100 Trying' }, false],
  ['the same with short names of headers', { text: short('v', 'z9hG4bK1') }, true],
  ['another with short names of headers', { text: short('v', 'z9hG4bK3') }, false],
] satisfies [string, Sketch, boolean][])('%s: is it a retransmission?', (_title, second, expected) => {
  const { steps } = buildLadder([message({}), message(second)])
  expect(steps.map(({ isRetransmission }) => isRetransmission)).toEqual([false, expected])
})

function short(via: string, branch: string) {
  return `INVITE sip:1000@192.0.2.7 SIP/2.0\r\n${via}:SIP/2.0/UDP 198.51.100.4; Branch=${branch};rport\r\ncseq : 1 INVITE\r\n\r\n`
}

test('a response has its status and reason, and the method of its request', () => {
  const { steps } = buildLadder([
    message({ headers: ['Content-Type: application/sdp'] }),
    message({ direction: 'sent', firstLine: 'SIP/2.0 407 Proxy Authentication Required' }),
    message({ firstLine: 'ACK sip:1000@192.0.2.7 SIP/2.0', cseq: '1 ACK' }),
    message({ direction: 'sent', firstLine: 'SIP/2.0 200 ', cseq: '2 BYE' }),
  ])
  expect(steps.map(({ method, response, hasSdp }) => ({ method, response, hasSdp }))).toEqual([
    { method: 'INVITE', response: undefined, hasSdp: true },
    { method: 'INVITE', response: { status: 407, reason: 'Proxy Authentication Required' }, hasSdp: false },
    { method: 'ACK', response: undefined, hasSdp: false },
    { method: 'BYE', response: { status: 200, reason: '' }, hasSdp: false },
  ])
})

test('of a message between two processes there is one arrow, and a second if it was sent again', () => {
  const atA = { node: 'a', local: '198.51.100.4:5060', side: 'other', party: 'node' } as const
  const atB = { node: 'b', local: '198.51.100.5:5060', side: 'extension', party: 'node' } as const
  const { participants, steps } = buildLadder([
    message({}),
    message({ ...atA, direction: 'sent', remote: '198.51.100.5:5060', branch: 'z9hG4bK2' }),
    message({ ...atA, direction: 'sent', remote: '198.51.100.5:5060', branch: 'z9hG4bK2' }),
    message({ ...atB, remote: '198.51.100.4:5060', branch: 'z9hG4bK2' }),
    message({
      ...ofCarrier,
      node: 'b',
      local: '198.51.100.5:5060',
      direction: 'sent',
      branch: 'z9hG4bK3',
    }),
  ])
  expect(participants.map(({ role, node }) => node ?? role)).toEqual(['extension', 'a', 'b', 'carrier'])
  expect(steps.map(({ from, to, isRetransmission }) => [from, to, isRetransmission])).toEqual([
    [0, 1, false],
    [1, 2, false],
    [1, 2, true],
    [2, 3, false],
  ])
})

test('a process whose messages are missing has a lane by its address', () => {
  const { participants, steps } = buildLadder([
    message({}),
    message({ direction: 'sent', side: 'other', party: 'node', remote: '198.51.100.5:5060' }),
  ])
  expect(participants.at(-1)).toEqual({ role: 'node', address: '198.51.100.5:5060' })
  expect(steps.map(({ from, to }) => [from, to])).toEqual([
    [0, 1],
    [1, 2],
  ])
})

test('a call without messages has an empty ladder', () => {
  expect(buildLadder([])).toEqual({ participants: [], steps: [] })
})
