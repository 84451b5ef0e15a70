/** Two ends of transactions joined without sockets: what is lost or late is the test's to say. */
import { randomBase62 } from '../../../../kit/ids.ts'
import type { Timer, Timers } from '../../../../kit/timers.ts'
import { newBranch, via } from '../../headers/via.ts'
import type { SipMessage, SipRequest, SipResponse } from '../../message/message.ts'
import { buildResponse } from '../../message/response.ts'
import { serialise } from '../../message/serialise.ts'
import { parseMessage } from '../../parser/parse.ts'
import type { IncomingRequest, ResponseListener, Transactions } from '../../transaction/transactions.ts'
import type { Flow, Peer, Target, Transport } from '../../transport/flow.ts'

export type End = 'near' | 'far'
export type Passing = { from: End; message: SipMessage; target: Target | undefined }
/** A lost request is one whose repetitions were lost as well; of 2xx and ACK each one counts for itself. */
export type Fate = 'pass' | 'lose' | 'hold'

type Client = {
  listener: ResponseListener
  request: SipRequest
  state: 'waiting' | 'proceeding' | 'accepted' | 'over'
  timer: Timer
  cancel?: () => void
}
type Server = { last?: SipResponse; onCancel?: (cancel: SipRequest) => void; incoming: IncomingRequest }

export const places: Record<End, Peer> = {
  near: { address: '192.0.2.1', port: 5060 },
  far: { address: '192.0.2.2', port: 5070 },
}
const patience = 32_000

export function createLine(timers: Timers, { transport = 'udp' as Transport } = {}) {
  const passed: Passing[] = []
  const held: (() => void)[] = []
  const ends = { near: createEnd('near'), far: createEnd('far') }
  let fate: (passing: Passing) => Fate = () => 'pass'

  function flowAt(end: End): Flow {
    const connection = transport === 'udp' ? {} : { connection: 1 }
    return { transport, local: places[end], remote: places[end === 'near' ? 'far' : 'near'], ...connection }
  }

  /** As bytes, so that nothing passes that could not be written and read. */
  function carry(from: End, message: SipMessage, target?: Target) {
    const passing = { from, message, target }
    passed.push(passing)
    const bytes = serialise(message)
    const deliver = () => ends[from === 'near' ? 'far' : 'near'].receive(parseMessage(bytes))
    const what = fate(passing)
    if (what === 'pass') queueMicrotask(deliver)
    else if (what === 'hold') held.push(deliver)
  }

  function createEnd(end: End) {
    const clients = new Map<string, Client>()
    const servers = new Map<string, Server>()
    let onRequest: (incoming: IncomingRequest) => void = () => {}
    let onClosed: (flow: Flow) => void = () => {}

    function request(bare: SipRequest, target: Target, listener: ResponseListener) {
      const branch = newBranch(randomBase62(12))
      const request = withVia(bare, branch)
      const fail = () => {
        clients.delete(branch)
        client.state = 'over'
        listener.onFailed('timeout')
      }
      const client: Client = { listener, request, state: 'waiting', timer: timers.after(patience, fail) }
      clients.set(branch, client)
      carry(end, request, target)
      return {
        request: () => request,
        cancel(headers: readonly (readonly [string, string])[] = []) {
          const send = () => {
            client.timer.cancel()
            client.timer = timers.after(patience, fail)
            const more = headers.map(([name, value]) => ({ name, value }))
            carry(end, { ...asCancel(request), headers: [...asCancel(request).headers, ...more] })
          }
          if (client.state === 'proceeding') send()
          else if (client.state === 'waiting') client.cancel ??= send
        },
      }
    }

    function withVia(bare: SipRequest, branch: string): SipRequest {
      const { address, port } = places[end]
      const value = `SIP/2.0/${transport.toUpperCase()} ${address}:${port};branch=${branch};rport`
      return { ...bare, headers: [{ name: 'Via', value }, ...bare.headers] }
    }

    function receive(message: SipMessage) {
      if (message.kind === 'response') answered(message)
      else if (message.method === 'CANCEL') cancelled(message)
      else asked(message)
    }

    function answered(response: SipResponse) {
      const branch = via(response).params.get('branch') ?? ''
      const client = clients.get(branch)
      if (!client || client.state === 'over') return
      const invite = client.request.method === 'INVITE'
      if (response.status < 200) {
        if (client.state === 'waiting') {
          client.state = 'proceeding'
          if (invite) client.timer.cancel()
          client.cancel?.()
        }
        client.listener.onProvisional?.(response, flowAt(end))
        return
      }
      if (client.state === 'accepted' && response.status >= 300) return
      client.timer.cancel()
      client.state = invite && response.status < 300 ? 'accepted' : 'over'
      client.listener.onFinal(response, flowAt(end))
    }

    function cancelled(cancel: SipRequest) {
      const server = servers.get(via(cancel).params.get('branch') ?? '')
      if (server && (server.last?.status ?? 100) < 200) server.onCancel?.(cancel)
    }

    function asked(request: SipRequest) {
      const server: Server = {
        incoming: {
          request,
          flow: flowAt(end),
          respond(response) {
            if ((server.last?.status ?? 100) >= 200) return
            server.last = response
            carry(end, response)
          },
          repeat() {
            if (server.last) carry(end, server.last)
          },
          onCancel(listener) {
            server.onCancel = listener
          },
        },
      }
      if (request.method !== 'ACK') servers.set(via(request).params.get('branch') ?? '', server)
      if (request.method === 'INVITE') server.incoming.respond(buildResponse(request, 100))
      onRequest(server.incoming)
    }

    const transactions: Transactions = {
      request,
      send(bare, target) {
        const send = () => carry(end, withVia(bare, newBranch(randomBase62(12))), target)
        send()
        return send
      },
      onRequest(listener) {
        onRequest = listener
      },
      onClosed(listener) {
        onClosed = listener
      },
      close() {},
    }
    return { transactions, receive, closed: () => onClosed(flowAt(end)) }
  }

  return {
    near: ends.near.transactions,
    far: ends.far.transactions,
    /** From now on. */
    let(rule: (passing: Passing) => Fate) {
      fate = rule
    },
    /** What was held comes at last, in the order given. */
    release(reversed = false) {
      fate = () => 'pass'
      const late = held.splice(0)
      for (const deliver of reversed ? late.reverse() : late) queueMicrotask(deliver)
    },
    close() {
      for (const end of [ends.near, ends.far]) end.closed()
    },
    /** Past all transactions: another fork's answer. */
    say: (from: End, message: SipMessage) => carry(from, message),
    passed,
    /** The start lines of one end's messages, in short: `INVITE`, `180 INVITE`. */
    said: (from: End) =>
      passed
        .filter((one) => one.from === from && !isTrying(one.message))
        .map(({ message }) => brief(message)),
  }
}

const isTrying = (message: SipMessage) => message.kind === 'response' && message.status === 100

/** What a message is, for rules and expectations. */
export function brief(message: SipMessage): string {
  if (message.kind === 'request') return message.method
  const sequence = message.headers.find(({ name }) => name === 'CSeq')?.value ?? ''
  return `${message.status} ${sequence.split(' ')[1]}`
}

/** RFC 3261, 9.1. */
function asCancel(request: SipRequest): SipRequest {
  const kept = new Set(['Via', 'From', 'To', 'Call-ID', 'Max-Forwards', 'Route'])
  const headers = request.headers
    .filter(({ name }) => kept.has(name) || name === 'CSeq')
    .map((header) =>
      header.name === 'CSeq' ? { ...header, value: header.value.replace('INVITE', 'CANCEL') } : header,
    )
  return { ...request, method: 'CANCEL', headers, body: Buffer.alloc(0) }
}
