/** Two transaction layers joined by a wire in memory. The test decides what happens to each message. */
import type { Timers } from '../../../kit/timers.ts'
import { addReceived } from '../../headers/via.ts'
import type { SipMessage } from '../../message/message.ts'
import { serialise } from '../../message/serialise.ts'
import { parseMessage } from '../../parser/parse.ts'
import { createTransactions } from '../../transaction/transaction-layer.ts'
import type { Transactions } from '../../transaction/transactions.ts'
import type { Flow, Peer, Target, Transport } from '../../transport/flow.ts'
import type { TransportListener } from '../../transport/inbox.ts'
import type { Wire as TransactionWire } from '../../transport/transports.ts'

export type End = 'near' | 'far'
type Sent = { from: End; message: SipMessage; target: Target | undefined }
/** A held message arrives when the wire is released. Retransmissions are decided about one by one, like all others. */
type Fate = 'pass' | 'lose' | 'hold' | { delayMs: number }

export const places: Record<End, Peer> = {
  near: { address: '192.0.2.1', port: 5060 },
  far: { address: '192.0.2.2', port: 5070 },
}
const otherEnd = { near: 'far', far: 'near' } as const

export function createWire(timers: Timers, { transport = 'udp' as Transport } = {}) {
  const sent: Sent[] = []
  const held: (() => void)[] = []
  const listeners: Partial<Record<End, TransportListener>> = {}
  let fate: (message: Sent) => Fate = () => 'pass'

  function flowAt(end: End): Flow {
    const connection = transport === 'udp' ? {} : { connection: 1 }
    return { transport, local: places[end], remote: places[otherEnd[end]], ...connection }
  }

  function carry(from: End, bytes: Buffer, target?: Target) {
    const one = { from, message: parseMessage(bytes), target }
    sent.push(one)
    const deliver = () => receive(otherEnd[from], parseMessage(bytes))
    const decided = fate(one)
    if (decided === 'pass') queueMicrotask(deliver)
    else if (decided === 'hold') held.push(deliver)
    else if (decided !== 'lose') timers.after(decided.delayMs, deliver)
  }

  function receive(end: End, message: SipMessage) {
    const flow = flowAt(end)
    listeners[end]?.onMessage(message.kind === 'request' ? addReceived(message, flow.remote) : message, flow)
  }

  function createLayer(end: End): Transactions {
    const { address, port } = places[end]
    const transports: TransactionWire = {
      ports: () => ({ [transport]: port }),
      sentBy: () => ({ host: address, port }),
      send(bytes, target) {
        carry(end, bytes, target)
        return flowAt(end)
      },
      answer() {},
      close() {},
      listen(listener) {
        listeners[end] = listener
      },
    }
    return createTransactions({ transports, timers, log: { error() {} } })
  }

  return {
    near: createLayer('near'),
    far: createLayer('far'),
    /** Decides about every message from now on. */
    let(rule: (message: Sent) => Fate) {
      fate = rule
    },
    /** From now on everything passes; held messages arrive in the order they were sent, or in reverse. */
    release(reversed = false) {
      fate = () => 'pass'
      const late = held.splice(0)
      for (const deliver of reversed ? late.reverse() : late) queueMicrotask(deliver)
    },
    /** Both ends lose the connection. */
    close() {
      for (const end of ['near', 'far'] as const) listeners[end]?.onClosed(flowAt(end), true)
    },
    /** Sends a message past the transaction layer, such as the answer of another fork. */
    inject: (from: End, message: SipMessage) => carry(from, serialise(message)),
    sent,
    /** What one end sent, in short and without 100 Trying: `INVITE`, `180 INVITE`. */
    sentBy: (from: End) =>
      sent.filter((one) => one.from === from && !isTrying(one.message)).map(({ message }) => brief(message)),
  }
}

const isTrying = (message: SipMessage) => message.kind === 'response' && message.status === 100

/** The method of a request, or the status and method of a response: `180 INVITE`. */
export function brief(message: SipMessage): string {
  if (message.kind === 'request') return message.method
  const sequence = message.headers.find(({ name }) => name === 'CSeq')?.value ?? ''
  return `${message.status} ${sequence.split(' ')[1]}`
}
