/** From what came to what is told upstairs; what cannot be read is answered here, if anybody. */
import type { Log } from '../../../kit/log.ts'
import type { Counts } from '../counts.ts'
import { addReceived } from '../headers/via.ts'
import type { SipMessage } from '../message/message.ts'
import { parseMessage } from '../parser/parse.ts'
import { SipRefusal } from '../refusal.ts'
import type { Flow, Peer } from './flow.ts'

export type TransportListener = {
  /** A request carries its true source on its top Via. */
  onMessage(message: SipMessage, flow: Flow): void
  /** `wasOpen` is false for a connection of ours that never came about. */
  onClosed(flow: Flow, wasOpen: boolean): void
}

type Deps = {
  counts: Counts
  log: Pick<Log, 'error'>
  listener(): TransportListener | undefined
  /** Answers, if the sender may be told. */
  refuse(refusal: SipRefusal, flow: Flow): void
  onMalformed: ((remote: Peer) => void) | undefined
}

export function createInbox({ counts, log, listener, refuse, onMalformed }: Deps) {
  /** A message whole in its packet. False if it was none. */
  function packet(bytes: Buffer, flow: Flow): boolean {
    try {
      message(parseMessage(bytes), flow)
      return true
    } catch (error) {
      if (!(error instanceof SipRefusal)) throw error
      refused(error, flow)
      return false
    }
  }

  function message(found: SipMessage, flow: Flow) {
    counts.add(received[flow.transport])
    const told = found.kind === 'request' ? addReceived(found, flow.remote) : found
    guarded(() => listener()?.onMessage(told, flow))
  }

  function refused(refusal: SipRefusal, flow: Flow) {
    counts.add('sip_dropped_malformed_total')
    onMalformed?.(flow.remote)
    refuse(refusal, flow)
  }

  /** One message that is stumbled over upstairs must not end every call there is. */
  function guarded(run: () => void) {
    try {
      run()
    } catch (error) {
      counts.add('sip_failed_total')
      log.error({ err: error }, 'a SIP message could not be worked with')
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

const received = {
  udp: 'sip_received_udp_total',
  tcp: 'sip_received_tcp_total',
  tls: 'sip_received_tls_total',
  ws: 'sip_received_ws_total',
  wss: 'sip_received_wss_total',
} as const

const keepAlives = new Set([0x00, 0x0a, 0x0d, 0x20])

/** CRLFs or a NUL, which phones send to keep their NAT's door open. */
export function isKeepAlive(bytes: Buffer): boolean {
  return bytes.length <= 4 && bytes.every((byte) => keepAlives.has(byte))
}
