/** The SIP messages of a call, as JSON and as a capture file (D660). */
import { refuse } from '../../../../contract/errors.ts'
import { type OperatorSipMessage, OperatorSipTrace } from '../../../../contract/operator-sip-trace.ts'
import type { OperatorCalls } from '../../../../placing/operator-calls.ts'
import { formatHostPort } from '../../../../sip/uri/host.ts'
import { writePcap } from '../../../../voice/sip-traces/pcap.ts'
import type { SipTraces } from '../../../../voice/sip-traces/sip-traces.ts'
import { Download } from '../../../entry.ts'
import { type AnyOperatorEntry, operatorEntry } from '../operator-entry.ts'
import { absences, type Sentence } from './sip-trace-absences.ts'

export type SipTraceDeps = {
  sipTraces: Pick<SipTraces, 'days' | 'read' | 'wasSwept'>
  operatorCalls: Pick<OperatorCalls, 'find'>
}

const params = { id: '0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d' }
const media = 'application/vnd.tcpdump.pcap'

export function sipTraceEntries({ sipTraces, operatorCalls }: SipTraceDeps): AnyOperatorEntry[] {
  async function read(id: string) {
    const found = await sipTraces.read(id)
    if (!found) throw refuse('ROUTE_NOT_FOUND', { message: await absenceOf(id) })
    return found
  }

  /** Why there are no messages. */
  async function absenceOf(id: string): Promise<Sentence> {
    const { days, wasSwept } = sipTraces
    if (days === 0) return absences.off
    const call = await operatorCalls.find(id)
    if (!call) return absences.noCall
    if (call.ended_at === null) return absences.live
    return wasSwept(call.ended_at) ? absences.swept(days) : absences.none
  }

  return [
    operatorEntry({
      method: 'GET',
      path: '/calls/:id/sip',
      about: 'Read the SIP messages of a call',
      notes:
        'Of a call that is over, from some seconds after its end until `SIP_TRACE_DAYS` later. Credentials, keys of encrypted sound, passwords of ICE and keys that were pressed are overwritten by x, of the same length.',
      params,
      reply: OperatorSipTrace,
      errors: ['ROUTE_NOT_FOUND'],
      async run({ params: { id = '' } }) {
        const { messages, leftOut } = await read(id)
        const first = messages[0]?.at ?? new Date(0)
        return { id: id.toLowerCase(), messages: messages.map((message) => present(message, first)), leftOut }
      },
    }),
    operatorEntry({
      method: 'GET',
      path: '/calls/:id/sip.pcap',
      about: 'Download the SIP messages of a call as a capture file',
      notes:
        'For Wireshark, tcpdump or sngrep. Each message is one UDP packet between the addresses it was exchanged by, also if it was carried by TCP, TLS or WebSocket.',
      params,
      media,
      errors: ['ROUTE_NOT_FOUND'],
      async run({ params: { id = '' } }) {
        const { messages } = await read(id)
        const headers = {
          'Content-Type': media,
          'Content-Disposition': `attachment; filename="call-${id.toLowerCase()}.pcap"`,
        }
        return new Download(200, headers, writePcap(messages))
      },
    }),
  ]
}

type Message = NonNullable<Awaited<ReturnType<SipTraces['read']>>>['messages'][number]

function present({ at, text, local, remote, ...message }: Message, first: Date): OperatorSipMessage {
  const shown = Buffer.from(text, 'latin1').toString('utf8')
  return {
    at: at.toISOString(),
    afterMs: at.getTime() - first.getTime(),
    direction: message.direction,
    side: message.side,
    party: message.party,
    node: message.node,
    transport: message.transport,
    local: addressOf(local),
    remote: addressOf(remote),
    firstLine: shown.split('\r\n', 1)[0] ?? '',
    text: shown,
  }
}

const addressOf = ({ address, port }: Message['local']) => formatHostPort({ host: address, port })
