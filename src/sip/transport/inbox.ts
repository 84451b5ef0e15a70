/** Passes received messages to the transaction layer; malformed requests are answered here. */
import type { Log } from '../../kit/process/log.ts'
import type { Counts } from '../counts.ts'
import type { WithHeaders } from '../header.ts'
import type { SipMessage } from '../message/message.ts'
import { parseMessage } from '../parser/parse.ts'
import { SipRefusal } from '../refusal.ts'
import type { Flow, Peer } from './flow.ts'
import type { MessageTap } from './message-tap.ts'

export type TransportListener = {
  /** A request has its source address in its top Via (`received`). */
  onMessage(message: SipMessage, flow: Flow): void
  /** `wasOpen` is false for a connection that we could not establish. */
  onClosed(flow: Flow, wasOpen: boolean): void
}

type Deps = {
  counts: Counts
  log: Pick<Log, 'error'>
  listener(): TransportListener | undefined
  tap: Pick<MessageTap, 'onReceived'> | undefined
  /** Writes the source of a request into its top Via. */
  noteSource<Request extends WithHeaders>(request: Request, flow: Flow): Request
  /** Sends the error response, if the request can be answered. */
  refuse(refusal: SipRefusal, flow: Flow): void
  onMalformed: ((flow: Flow) => void) | undefined
  /** D252: the phone behind a trusted proxy that the request came from; false if the request is dropped. */
  findSource?: ((request: SipMessage, flow: Flow) => Peer | undefined | false) | undefined
}

export function createInbox(deps: Deps) {
  const { counts, log, listener, tap, noteSource, refuse, onMalformed, findSource } = deps

  /** A datagram or frame with one whole message. False if it is malformed. */
  function packet(bytes: Buffer, flow: Flow): boolean {
    try {
      message(parseMessage(bytes), flow, bytes)
      return true
    } catch (error) {
      if (!(error instanceof SipRefusal)) throw error
      refused(error, flow)
      return false
    }
  }

  function message(found: SipMessage, flow: Flow, bytes?: Buffer) {
    counts.add(receivedTotals[flow.transport])
    if (tap) guarded(() => tap.onReceived(found, flow, bytes))
    if (found.kind === 'response') return guarded(() => listener()?.onMessage(found, flow))
    const source = findSource?.(found, flow)
    if (source === false) return counts.add('sip_dropped_not_admitted_total')
    const received = noteSource(found, flow)
    guarded(() => listener()?.onMessage(received, source ? { ...flow, source } : flow))
  }

  function refused(refusal: SipRefusal, flow: Flow) {
    counts.add('sip_dropped_malformed_total')
    onMalformed?.(flow)
    refuse(refusal, flow)
  }

  /** An exception in the layers above must not end the process and all its calls. */
  function guarded(run: () => void) {
    try {
      run()
    } catch (error) {
      counts.add('sip_failed_total')
      log.error({ err: error }, 'a SIP message could not be handled')
    }
  }

  return {
    packet,
    message,
    refused,
    closed: (flow: Flow, wasOpen: boolean) => guarded(() => listener()?.onClosed(flow, wasOpen)),
  }
}
export type Inbox = ReturnType<typeof createInbox>

const receivedTotals = {
  udp: 'sip_received_udp_total',
  tcp: 'sip_received_tcp_total',
  tls: 'sip_received_tls_total',
  ws: 'sip_received_ws_total',
  wss: 'sip_received_wss_total',
} as const

const keepAlives = new Set([0x00, 0x0a, 0x0d, 0x20])

/** CRLFs or a NUL, which phones send to keep their NAT binding. */
export function isKeepAlive(bytes: Buffer): boolean {
  return bytes.length <= 4 && bytes.every((byte) => keepAlives.has(byte))
}
