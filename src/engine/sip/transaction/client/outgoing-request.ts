/**
 * A request on its way: its Via, its bytes made once, and the way it takes. A plain record: many are remembered for a
 * while after they are answered, and then hold no more than their name and their way.
 */
import { randomPiece } from '../../../../kit/ids.ts'
import { newBranch } from '../../headers/via.ts'
import type { SipRequest } from '../../message/message.ts'
import { serialise } from '../../message/serialise.ts'
import type { Flow, Target, Transport } from '../../transport/flow.ts'
import type { Transports } from '../../transport/transports.ts'
import { formatHostPort } from '../../uri/host.ts'
import type { TcpRefusers } from './tcp-refusers.ts'

/** What is below, as far as it is used here. */
export type Wire = Pick<Transports, 'ports' | 'sentBy' | 'send' | 'answer' | 'close' | 'listen'>

/** RFC 3261, 18.1.1: beyond this UDP would break it into fragments, which many networks lose. */
const maxUdpBytes = 1_300
/** What UDP carries at all, fragments and all. */
const maxDatagramBytes = 65_000
/** Who takes no TCP is not to delay a call for long. */
const tcpConnectMs = 1_000

const nothing = Buffer.alloc(0)

export type OutgoingRequest = {
  readonly method: string
  readonly branch: string
  readonly wanted: Target
  target: Target
  /** By which it went. */
  flow: Flow | undefined
  sentBy: string
  /** Without its Via; like the next two until it is answered. */
  bare: SipRequest | undefined
  request: SipRequest | undefined
  bytes: Buffer
  /** To TCP, where UDP was wanted. */
  switched: boolean
}

export function randomBranch(): string {
  return newBranch(randomPiece(12).toString('base64url'))
}

export function createTransmitter(wire: Wire, unwilling: TcpRefusers) {
  function prepare(bare: SipRequest, wanted: Target, branch: string): OutgoingRequest {
    const sending: OutgoingRequest = {
      method: bare.method,
      branch,
      wanted,
      target: wanted,
      flow: undefined,
      sentBy: '',
      bare,
      request: undefined,
      bytes: nothing,
      switched: false,
    }
    write(sending, bare, wanted.transport)
    if (isTooLarge(sending)) switchTo(sending, bare, 'tcp')
    return sending
  }

  function write(sending: OutgoingRequest, bare: SipRequest, transport: Transport) {
    sending.sentBy = formatHostPort(wire.sentBy(transport))
    const value = `SIP/2.0/${transport.toUpperCase()} ${sending.sentBy};branch=${sending.branch};rport`
    const { kind, method, uri, body } = bare
    sending.request = { kind, method, uri, headers: [{ name: 'Via', value }, ...bare.headers], body }
    sending.bytes = serialise(sending.request)
  }

  function isTooLarge({ wanted, bytes }: OutgoingRequest): boolean {
    if (wanted.transport !== 'udp' || bytes.length <= maxUdpBytes) return false
    return wire.ports().tcp !== undefined && !unwilling.has(wanted.remote)
  }

  function switchTo(sending: OutgoingRequest, bare: SipRequest, transport: 'udp' | 'tcp') {
    sending.target = { transport, remote: sending.wanted.remote }
    sending.switched = transport === 'tcp'
    write(sending, bare, transport)
  }

  /** The first time and every other. False if there is no way at all. */
  function send(sending: OutgoingRequest, onFailed?: () => void): boolean {
    const connectMs = sending.switched ? tcpConnectMs : undefined
    sending.flow = wire.send(sending.bytes, targetOf(sending), { onFailed, connectMs })
    return sending.flow !== undefined
  }

  /** Back to UDP, if that was wanted and the connection never came about. */
  function fallBackToUdp(sending: OutgoingRequest): boolean {
    const { bare, bytes, switched, wanted } = sending
    if (!bare || !switched || bytes.length > maxDatagramBytes) return false
    unwilling.add(wanted.remote)
    sending.flow = undefined
    switchTo(sending, bare, 'udp')
    return true
  }

  return { prepare, send, fallBackToUdp }
}
export type Transmitter = ReturnType<typeof createTransmitter>

/** For what follows on the same way. */
export function targetOf({ flow, target }: OutgoingRequest): Target {
  return flow ?? target
}

export function isReliable({ target }: OutgoingRequest): boolean {
  return target.transport !== 'udp'
}

/** It is answered, and not sent again. */
export function releaseMessage(sending: OutgoingRequest) {
  sending.bare = undefined
  sending.request = undefined
  sending.bytes = nothing
}
