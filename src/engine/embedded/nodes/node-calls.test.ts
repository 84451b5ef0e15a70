/** D241: an INVITE between nodes counts once, at the node it is for, for a short time, and only as it was signed. */
import { describe, expect, test } from 'vitest'
import { createTestClock } from '../../../../test/helpers/run/test-clock.ts'
import { createTestTimers } from '../../../kit/testing/test-timers.ts'
import type { SipRequest } from '../../../sip/message/message.ts'
import { buildRequest, toHeaders } from '../../../sip/message/request.ts'
import { sipUri } from '../../../sip/uri/uri.ts'
import { createNodeCalls } from './node-calls.ts'

const callId = '019a8a3c-7d11-7c3e-9d52-4f6d3c1f0a11'
const extension = { domain: 'padaria.example', number: '1001' }
const flow = {
  transport: 'udp' as const,
  local: { address: '192.0.2.2', port: 5060 },
  remote: { address: '192.0.2.1', port: 5060 },
}

function startNode(id: string, { key = Buffer.alloc(32, 1), clock = createTestClock() } = {}) {
  return createNodeCalls({
    identity: { id, key: () => key },
    host: { findNode: async () => ({ id: 'b', address: '192.0.2.2:5060' }) },
    clock,
    timers: createTestTimers(),
    resolve: async () => [],
  })
}

/** An INVITE from a node to node b, as it is sent. */
async function inviteFrom(node: ReturnType<typeof startNode>, dialog = 'one'): Promise<SipRequest> {
  const presented = { number: '1000', name: 'Ana' }
  const route = await node.routeTo(extension, { callId, destination: { extension }, presented })
  if (!route) throw new Error('no route')
  const { calling } = route
  const request = buildRequest({
    method: 'INVITE',
    uri: calling.uri,
    headers: [
      ['From', '"Ana" <sip:1000@padaria.example>;tag=a'],
      ['To', '<sip:1001@padaria.example>'],
      ['Call-ID', dialog],
      ['CSeq', '1 INVITE'],
      ...(calling.headers ?? []),
    ],
    body: 'v=0',
  })
  return { ...request, headers: [...request.headers, ...toHeaders(calling.sign?.(request) ?? [])] }
}

describe('an INVITE of another node', () => {
  test('names the call, the phone and who calls', async () => {
    const request = await inviteFrom(startNode('a'))
    const b = startNode('b')
    expect(b.isFromNode(request)).toBe(true)
    expect(b.take({ request, flow })).toEqual({
      callId,
      extension,
      presented: { number: '1000', name: 'Ana' },
    })
    expect(b.isNode('192.0.2.1')).toBe(true)
  })

  test('is taken once: a repetition is a stranger’s', async () => {
    const b = startNode('b')
    const request = await inviteFrom(startNode('a'))
    b.take({ request, flow })
    expect([b.isFromNode(request), b.take({ request, flow })]).toEqual([false, undefined])
    expect(b.isFromNode(await inviteFrom(startNode('a')))).toBe(true)
  })

  test('is refused when anything of it was changed, or it was signed with another key', async () => {
    const b = startNode('b')
    const request = await inviteFrom(startNode('a'))
    const withHeader = (name: string, value: string) => ({
      ...request,
      headers: request.headers.map((header) => (header.name === name ? { ...header, value } : header)),
    })
    const changed: SipRequest[] = [
      { ...request, body: Buffer.from('v=1') },
      { ...request, uri: sipUri({ user: '1002', host: 'padaria.example' }) },
      withHeader('From', '"Ana" <sip:1099@padaria.example>;tag=a'),
      withHeader('X-Call-Id', '019a8a3c-7d11-7c3e-9d52-4f6d3c1f0a12'),
      withHeader('Call-ID', 'two'),
      withHeader('CSeq', '2 INVITE'),
      withHeader('X-Node-Signature', 'from=a;to=b;time=1;nonce=x;mac='),
      withHeader('X-Node-Signature', 'no signature at all'),
      await inviteFrom(startNode('a', { key: Buffer.alloc(32, 2) })),
    ]
    expect(changed.map((one) => b.isFromNode(one))).toEqual(changed.map(() => false))
    expect(b.isNode('192.0.2.1')).toBe(false)
  })

  test('is for one node, and for two minutes', async () => {
    const request = await inviteFrom(startNode('a'))
    expect(startNode('c').isFromNode(request)).toBe(false)
    const clock = createTestClock()
    const b = startNode('b', { clock })
    clock.advance(119)
    expect(b.isFromNode(request)).toBe(true)
    clock.advance(2)
    expect(b.isFromNode(request)).toBe(false)
  })
})
