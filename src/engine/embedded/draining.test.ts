import { expect, test } from 'vitest'
import { createTestTimers } from '../../kit/testing/test-timers.ts'
import type { SipResponse } from '../../sip/message/message.ts'
import { buildRequest } from '../../sip/message/request.ts'
import type { Flow } from '../../sip/transport/flow.ts'
import { parseUri } from '../../sip/uri/parse.ts'
import { createDraining } from './draining.ts'
import {
  createPhone,
  createTestRegistrar,
  domain,
  extension,
  header,
  settle,
  type TestRegistrar,
  udp,
} from './registrar/testing/test-registrar.ts'

test('draining closes idle connections of phones, also of a web phone at the address of a carrier (D248)', () => {
  const timers = createTestTimers()
  const at = (connection: number, transport: Flow['transport'], address: string): Flow => ({
    transport,
    local: { address: '192.0.2.1', port: 5060 },
    remote: { address, port: 40_000 + connection },
    connection,
  })
  const flows = [
    at(1, 'tcp', '192.0.2.1'),
    at(3, 'ws', '192.0.2.1'),
    at(5, 'wss', '203.0.113.1'),
    at(7, 'tcp', '203.0.113.1'),
    at(9, 'ws', '203.0.113.1'),
  ]
  const closed: (number | undefined)[] = []
  const draining = createDraining({
    timers,
    flows: () => flows,
    connectionsInUse: () => new Set([9]),
    isShared: (address) => address === '192.0.2.1',
    isFromNode: () => false,
    close: ({ connection }) => closed.push(connection),
    extensionOf: () => undefined,
    keepRegistration() {},
    isElsewhere: async () => false,
    register() {},
  })
  draining.set(true)
  timers.advance(1_000)
  expect(closed).toEqual([3, 5, 7])
})

/** A registrar whose node drains from now on; what phones send it comes to `draining` first. */
function drain(server: TestRegistrar) {
  const { send } = server
  const elsewhere = new Set<string>()
  /** Answers that came after a question to the other nodes. */
  const late: number[] = []
  const draining = createDraining({
    timers: server.timers,
    flows: () => [],
    connectionsInUse: () => new Set(),
    isShared: () => false,
    isFromNode: () => false,
    close() {},
    extensionOf: server.registrar.named,
    keepRegistration: server.registrar.prolong,
    isElsewhere: async ({ number }) => elsewhere.has(number),
    register: ({ request, flow, respond }) => send(request, flow).forEach(respond),
  })
  draining.set(true)
  server.events.splice(0)
  server.send = (request, flow) => {
    const answers: SipResponse[] = []
    const respond = (response: SipResponse) => {
      answers.push(response)
      late.push(response.status)
    }
    draining.refuses({ request, flow, respond, repeat() {}, onCancel() {} })
    return answers
  }
  return {
    /** The phone has registered at another node. */
    move() {
      server.registrar.forget(extension)
      elsewhere.add(extension.number)
    },
    async lastAnswer() {
      await settle()
      return late.at(-1)
    },
  }
}

test('a phone with one server is reachable until it comes back, and is registered then (D502)', async () => {
  const server = createTestRegistrar()
  const phone = createPhone(server)
  expect(phone.register(60)?.status).toBe(200)
  const { lastAnswer } = drain(server)
  server.pass(55)
  const refusal = phone.register(60)
  expect([refusal?.status, header(refusal, 'Retry-After')]).toEqual([503, '5'])
  expect(server.emitted()).toEqual(['prolonged'])
  // It would have expired long ago.
  server.pass(60)
  expect(server.registrar.find(extension)).toBeDefined()
  phone.register(60)
  expect(await lastAnswer()).toBe(401)
})

test('nobody else prolongs the registration of a phone', () => {
  const server = createTestRegistrar()
  const phone = createPhone(server)
  phone.register(60)
  drain(server)
  server.pass(55)
  const stranger = createPhone(server)
  const elsewhere = createPhone(server, { callId: phone.phone.callId, flow: udp('203.0.113.7') })
  expect([stranger.status(), elsewhere.status()]).toEqual([503, 503])
  server.pass(6)
  expect(server.registrar.find(extension)).toBeUndefined()
})

test('a phone that is registered at another node is refused whenever a proxy tries this node first (D502)', async () => {
  const server = createTestRegistrar()
  const phone = createPhone(server)
  phone.register(60)
  const { move, lastAnswer } = drain(server)
  for (let refresh = 0; refresh < 3; refresh += 1) {
    server.pass(50)
    phone.register(60)
    expect(await lastAnswer()).toBe(503)
    move()
  }
})

test('a retransmission is not a return (D502)', () => {
  const server = createTestRegistrar()
  drain(server)
  const request = buildRequest({
    method: 'REGISTER',
    uri: parseUri(`sip:${domain}`),
    headers: [
      ['Via', 'SIP/2.0/UDP 10.0.0.1:5060;branch=z9hG4bK1'],
      ['From', `<sip:1000@${domain}>;tag=a`],
      ['To', `<sip:1000@${domain}>`],
      ['Call-ID', 'one'],
      ['CSeq', '1 REGISTER'],
      ['Contact', '<sip:1000@10.0.0.1>'],
    ],
  })
  const ask = () => server.send(request, udp('198.51.100.1')).map(({ status }) => status)
  expect(ask()).toEqual([503])
  server.pass(20)
  expect(ask()).toEqual([503])
})
