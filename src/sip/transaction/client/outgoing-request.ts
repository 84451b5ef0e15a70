/**
 * A request as a client transaction transmits it: with its Via, its bytes and its target. A plain record without
 * closures, since many are kept for a while after their response, and then without the message.
 */
import { randomPiece } from '../../../kit/ids.ts'
import { newBranch } from '../../headers/via.ts'
import type { SipRequest } from '../../message/message.ts'
import { serialise } from '../../message/serialise.ts'
import type { Flow, Target, Transport } from '../../transport/flow.ts'
import type { Wire } from '../../transport/transports.ts'
import { formatHostPort } from '../../uri/host.ts'
import type { TcpRefusers } from './tcp-refusers.ts'

/** RFC 3261, 18.1.1: larger requests go by TCP, since fragmented datagrams are often lost. */
const maxUdpBytes = 1_300
/** Short: a peer that does not accept TCP must not delay the call. */
const tcpConnectMs = 1_000

const noBytes = Buffer.alloc(0)

export type OutgoingRequest = {
  readonly method: string
  readonly branch: string
  /** The target the caller asked for. */
  readonly requested: Target
  target: Target
  /** The flow it was sent on. */
  flow: Flow | undefined
  sentBy: string
  /** The request without its Via. This and the next two are released after the final response. */
  bare: SipRequest | undefined
  request: SipRequest | undefined
  bytes: Buffer
  /** Sent by TCP although UDP was requested. */
  switched: boolean
}

export function randomBranch(): string {
  return newBranch(randomPiece(12).toString('base64url'))
}

export function createTransmitter(wire: Wire, tcpRefusers: TcpRefusers) {
  function prepare(bare: SipRequest, requested: Target, branch: string): OutgoingRequest {
    const outgoing: OutgoingRequest = {
      method: bare.method,
      branch,
      requested,
      target: requested,
      flow: undefined,
      sentBy: '',
      bare,
      request: undefined,
      bytes: noBytes,
      switched: false,
    }
    write(outgoing, bare, requested.transport)
    if (isTooLarge(outgoing)) switchTo(outgoing, bare, 'tcp')
    return outgoing
  }

  function write(outgoing: OutgoingRequest, bare: SipRequest, transport: Transport) {
    outgoing.sentBy = formatHostPort(wire.sentBy(transport))
    const value = `SIP/2.0/${transport.toUpperCase()} ${outgoing.sentBy};branch=${outgoing.branch};rport`
    const { kind, method, uri, body } = bare
    outgoing.request = { kind, method, uri, headers: [{ name: 'Via', value }, ...bare.headers], body }
    outgoing.bytes = serialise(outgoing.request)
  }

  function isTooLarge({ requested, bytes }: OutgoingRequest): boolean {
    if (requested.transport !== 'udp' || bytes.length <= maxUdpBytes) return false
    return wire.ports().tcp !== undefined && !tcpRefusers.has(requested.remote)
  }

  function switchTo(outgoing: OutgoingRequest, bare: SipRequest, transport: 'udp' | 'tcp') {
    outgoing.target = { transport, remote: outgoing.requested.remote }
    outgoing.switched = transport === 'tcp'
    write(outgoing, bare, transport)
  }

  /** Sends it, for the first time or again. False if there is no transport for it. */
  function send(outgoing: OutgoingRequest, onFailed?: () => void): boolean {
    const connectMs = outgoing.switched ? tcpConnectMs : undefined
    outgoing.flow = wire.send(outgoing.bytes, targetOf(outgoing), { onFailed, connectMs })
    return outgoing.flow !== undefined
  }

  /** If the request was switched to TCP and the connection was not established: back to UDP. */
  function fallBackToUdp(outgoing: OutgoingRequest): boolean {
    const { bare, switched, requested } = outgoing
    if (!bare || !switched) return false
    tcpRefusers.add(requested.remote)
    outgoing.flow = undefined
    switchTo(outgoing, bare, 'udp')
    return true
  }

  return { prepare, send, fallBackToUdp }
}
export type Transmitter = ReturnType<typeof createTransmitter>

/** Where its ACK, its CANCEL and its retransmissions go. */
export function targetOf({ flow, target }: OutgoingRequest): Target {
  return flow ?? target
}

export function isReliable({ target }: OutgoingRequest): boolean {
  return target.transport !== 'udp'
}

/** Frees the message: it is not sent again after the final response. */
export function releaseMessage(outgoing: OutgoingRequest) {
  outgoing.bare = undefined
  outgoing.request = undefined
  outgoing.bytes = noBytes
}
