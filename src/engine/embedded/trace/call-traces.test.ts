import { expect, test } from 'vitest'
import { createTestTimers } from '../../../kit/testing/test-timers.ts'
import { parseMessage } from '../../../sip/parser/parse.ts'
import type { SipTrace } from '../../port.ts'
import { createCallTraces, lingerMs } from './call-traces.ts'

const callId = '0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d'
const flow = {
  transport: 'udp' as const,
  local: { address: '0.0.0.0', port: 5060 },
  remote: { address: '192.0.2.7', port: 5062 },
}
const bounds = { messages: 4, bytes: 4_000, unknownBytes: 1_000, unknownDialogs: 4, totalBytes: 6_000 }

function start() {
  const timers = createTestTimers()
  const handed: SipTrace[] = []
  const traces = createCallTraces({
    clock: { now: () => new Date(timers.now()) },
    timers,
    onTrace: (trace) => void handed.push(trace),
    address: '198.51.100.4',
    bounds,
  })
  return { timers, handed, traces }
}

function bytesOf(firstLine: string, dialog: string, filler = 0) {
  const method = firstLine.startsWith('SIP/2.0') ? 'INVITE' : firstLine.split(' ', 1)[0]
  const head = [
    firstLine,
    'Via: SIP/2.0/UDP 192.0.2.7;branch=z9hG4bK1',
    'From: <sip:a@ramal.test>;tag=1',
    'To: <sip:b@ramal.test>',
    `Call-ID: ${dialog}`,
    `CSeq: 1 ${method}`,
    `X-Filler: ${'f'.repeat(filler)}`,
    'Content-Length: 0',
  ]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n`)
}
const invite = 'INVITE sip:b@ramal.test SIP/2.0'

type Traces = ReturnType<typeof createCallTraces>
const send = ({ tap }: Traces, line: string, dialog: string, filler?: number) =>
  tap.onSent(bytesOf(line, dialog, filler), flow)
function receive({ tap }: Traces, line: string, dialog: string) {
  const bytes = bytesOf(line, dialog)
  tap.onReceived(parseMessage(bytes), flow, bytes)
}
const firstLines = (trace: SipTrace | undefined) =>
  trace?.messages.map(({ text }) => text.split('\r\n', 1)[0])

test('messages of both dialogs of a call are handed over in order, some seconds after its end', () => {
  const { traces, handed, timers } = start()
  receive(traces, invite, 'a')
  send(traces, 'SIP/2.0 407 Proxy Authentication Required', 'a')
  timers.advance(10)
  send(traces, invite, 'b')
  traces.addDialog(callId, 'b', { side: 'other', party: 'carrier' })
  traces.addDialog(callId, 'a', { side: 'extension', party: 'extension' })
  traces.end(callId)
  timers.advance(lingerMs - 1)
  receive(traces, 'SIP/2.0 487 Request Terminated', 'b')
  expect(handed).toEqual([])
  timers.advance(1)
  const [trace] = handed
  expect(firstLines(trace)).toEqual([
    invite,
    'SIP/2.0 407 Proxy Authentication Required',
    invite,
    'SIP/2.0 487 Request Terminated',
  ])
  expect(trace).toMatchObject({ callId, leftOut: 0 })
  expect(trace?.messages[0]).toMatchObject({
    direction: 'received',
    side: 'extension',
    party: 'extension',
    local: { address: '198.51.100.4', port: 5060 },
    remote: flow.remote,
  })
  expect(trace?.messages[2]).toMatchObject({ direction: 'sent', side: 'other', party: 'carrier' })
  expect(traces.metrics().sip_trace_bytes).toBe(0)
})

test('a call keeps its first messages, and says how many it left out', () => {
  const { traces, handed } = start()
  send(traces, invite, 'a')
  traces.addDialog(callId, 'a', { side: 'other', party: 'carrier' })
  for (let count = 0; count < 5; count++) receive(traces, 'SIP/2.0 180 Ringing', 'a')
  traces.stop()
  expect(handed[0]?.messages).toHaveLength(4)
  expect(handed[0]?.leftOut).toBe(2)
})

test('the bytes of a call, and of all calls, are limited', () => {
  const { traces, handed } = start()
  const keep = (id: string, dialog: string) => {
    send(traces, invite, dialog)
    traces.addDialog(id, dialog, { side: 'other', party: 'carrier' })
    send(traces, 'ACK sip:b@ramal.test SIP/2.0', dialog, 3_000)
    send(traces, 'ACK sip:b@ramal.test SIP/2.0', dialog, 3_000)
  }
  keep('one', 'a')
  keep('two', 'b')
  expect(traces.metrics()).toEqual({
    sip_trace_bytes: expect.any(Number),
    sip_trace_messages_left_out_total: 3,
  })
  expect(traces.metrics().sip_trace_bytes).toBeLessThanOrEqual(bounds.totalBytes)
  traces.stop()
  expect(handed.map(({ leftOut }) => leftOut)).toEqual([1, 2])
})

test('other requests are not collected, and INVITEs of strangers are forgotten', () => {
  const { traces, handed } = start()
  receive(traces, 'OPTIONS sip:b@ramal.test SIP/2.0', 'o')
  traces.addDialog('options', 'o', { side: 'other', party: 'carrier' })
  for (const stranger of ['a', 'b', 'c', 'd', 'e']) receive(traces, invite, stranger)
  traces.addDialog('late', 'a', { side: 'other', party: 'carrier' })
  traces.addDialog('soon', 'e', { side: 'other', party: 'carrier' })
  traces.stop()
  expect(handed.map(({ callId, messages }) => [callId, messages.length])).toEqual([
    ['options', 0],
    ['late', 0],
    ['soon', 1],
  ])
})
