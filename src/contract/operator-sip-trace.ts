/** The SIP messages of a call, as the operator reads them (D660). */
import { Instant } from './schema/common.ts'
import { type Static, Type } from './schema/type.ts'

const text = (example: string, description?: string) =>
  Type.String({ examples: [example], ...(description !== undefined && { description }) })

const message = [
  'BYE sip:1000@192.0.2.7:5062 SIP/2.0',
  'Via: SIP/2.0/UDP 198.51.100.4:5060;branch=z9hG4bK7f3a',
  'From: <sip:5548999998888@clinica.ramal.localhost>;tag=5d1e',
  'To: <sip:1000@clinica.ramal.localhost>;tag=a1b2',
  'Call-ID: 0b1c2d3e4f',
  'CSeq: 2 BYE',
  'Max-Forwards: 70',
  'Content-Length: 0',
  '',
  '',
].join('\r\n')

const SipMessage = Type.Object({
  at: Instant,
  afterMs: Type.Integer({ description: 'Milliseconds since the first message', examples: [6130] }),
  direction: Type.Enum(['sent', 'received'], { description: 'By the service' }),
  side: Type.Enum(['extension', 'other'], {
    description: 'The side of the call. In a call between two extensions the one that called is `extension`.',
  }),
  party: Type.Enum(['extension', 'carrier', 'node'], {
    description: 'Whom the message was exchanged with; `node` is another process of the service.',
  }),
  node: text('0193a2f4', 'The process that sent or received it'),
  transport: Type.Enum(['udp', 'tcp', 'tls', 'ws', 'wss']),
  local: text('198.51.100.4:5060', 'Address and port of the service'),
  remote: text('192.0.2.7:5062'),
  firstLine: text('BYE sip:1000@192.0.2.7:5062 SIP/2.0'),
  text: text(message, 'The message, with every secret overwritten by x'),
})
export type OperatorSipMessage = Static<typeof SipMessage>

export const OperatorSipTrace = Type.Object(
  {
    id: Type.String({ format: 'uuid', examples: ['0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d'] }),
    messages: Type.Array(SipMessage, { description: 'In the order of time' }),
    leftOut: Type.Integer({
      description:
        'Messages that were not kept: a call has at most 200 of them, and 128 KiB, from each process',
      examples: [0],
    }),
  },
  { $id: 'OperatorSipTrace' },
)
export type OperatorSipTrace = Static<typeof OperatorSipTrace>
