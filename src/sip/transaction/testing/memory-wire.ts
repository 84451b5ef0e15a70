/** Transports without sockets: records what is sent, and receives what the test gives it. */
import type { SipMessage, SipRequest, SipResponse } from '../../message/message.ts'
import { parseMessage } from '../../parser/parse.ts'
import type { Flow, Target, Transport } from '../../transport/flow.ts'
import type { TransportListener } from '../../transport/inbox.ts'
import type { Wire } from '../../transport/transports.ts'

export const peer = { address: '192.0.2.7', port: 5070 }
const local = { address: '192.0.2.1', port: 5060 }

export function flowBy(transport: Transport, connection?: number): Flow {
  const flow = { transport, local, remote: peer }
  return transport === 'udp' ? flow : { ...flow, connection: connection ?? 1 }
}

export function createMemoryWire() {
  const sent: { message: SipMessage; bytes: Buffer; target: Target; failed: (() => void) | undefined }[] = []
  const statelessStatuses: number[] = []
  const closedFlows: Flow[] = []
  let listener: TransportListener | undefined
  let connections = 100
  let reachable = true

  const wire: Wire = {
    ports: () => ({ udp: 5060, tcp: 5060 }),
    sentBy: () => ({ host: 'ramal.example', port: 5060 }),
    send(bytes, target, { onFailed } = {}) {
      if (!reachable) return undefined
      sent.push({ message: parseMessage(bytes), bytes, target, failed: onFailed })
      if (target.transport === 'udp') return flowBy('udp')
      if ('connection' in target) return target
      connections += 1
      return flowBy(target.transport, connections)
    },
    answer: (_request, _flow, { status }) => void statelessStatuses.push(status),
    close: (flow) => void closedFlows.push(flow),
    listen(newListener) {
      listener = newListener
    },
  }

  return {
    wire,
    sent,
    statelessStatuses,
    closedFlows,
    /** From now on every send fails. */
    makeUnreachable() {
      reachable = false
    },
    receive: (message: SipMessage, flow = flowBy('udp')) => listener?.onMessage(message, flow),
    lose: (connection: number, wasOpen = true) => listener?.onClosed(flowBy('tcp', connection), wasOpen),
    lastConnection: () => connections,
    /** Start lines, short: `INVITE`, `200`. */
    lines: () => sent.map(({ message }) => lineOf(message)),
  }
}

function lineOf(message: SipMessage): string {
  return message.kind === 'request' ? message.method : String(message.status)
}

export function requestOf(message: SipMessage | undefined): SipRequest {
  if (message?.kind !== 'request') throw new Error('no request')
  return message
}

export function responseOf(message: SipMessage | undefined): SipResponse {
  if (message?.kind !== 'response') throw new Error('no response')
  return message
}
