/** SIP messages of a call as a voice node stores them, which no test phone would exchange at will. */
import type { TracedMessage } from '../../../src/engine/port.ts'
import type { Database } from '../../../src/store/database.ts'
import { packTrace } from '../../../src/voice/sip-traces/packed-trace.ts'
import { insertTraces } from '../../../src/voice/sip-traces/sip-traces-store.ts'

type Trace = { callId: string; node: string; messages: TracedMessage[]; leftOut?: number }

export async function insertTrace(db: Database, { callId, node, messages, leftOut = 0 }: Trace) {
  const packed = await packTrace({ messages, leftOut })
  await insertTraces(db, [{ callId, node, storedAt: new Date(), messages: packed }])
}

type Sketch = Pick<TracedMessage, 'direction' | 'side' | 'party'> & {
  afterMs: number
  firstLine: string
  cseq: string
  branch: string
}

const ports = { extension: 5062, carrier: 5080, node: 5090 }

/** A message with the headers that every message has. */
export function sketchMessage(start: Date, sketch: Sketch): TracedMessage {
  const { direction, side, party } = sketch
  const lines = [
    sketch.firstLine,
    `Via: SIP/2.0/UDP 198.51.100.4:5060;branch=${sketch.branch};rport`,
    'From: "Maria Fernanda Albuquerque Cavalcanti de Oliveira" <sip:1000@clinica.ramal.localhost>;tag=5d1e',
    'To: <sip:5548999998888@clinica.ramal.localhost>;tag=a1b2',
    `Call-ID: ${side}`,
    `CSeq: ${sketch.cseq}`,
    'Content-Length: 0',
    '',
    '',
  ]
  return {
    at: new Date(start.getTime() + sketch.afterMs),
    direction,
    side,
    party,
    transport: 'udp',
    local: { address: '198.51.100.4', port: 5060 },
    remote: { address: '203.0.113.107', port: ports[party] },
    text: lines.join('\r\n'),
  }
}
