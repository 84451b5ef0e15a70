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
import type { Unwilling } from './tcp-refusers.ts'

/** What is below, as far as it is used here. */
export type Wire = Pick<Transports, 'ports' | 'sentBy' | 'send' | 'answer' | 'close' | 'listen'>

/** RFC 3261, 18.1.1: beyond this UDP would break it into fragments, which many networks lose. */
const largestForUdp = 1_300
/** What UDP carries at all, fragments and all. */
const largestDatagram = 65_000
/** Who takes no TCP is not to delay a call for long. */
const switchMs = 1_000

const nothing = Buffer.alloc(0)

export type Sending = {
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

export function freshBranch(): string {
  return newBranch(randomPiece(12).toString('base64url'))
}

export function createSender(wire: Wire, unwilling: Unwilling) {
  function prepare(bare: SipRequest, wanted: Target, branch: string): Sending {
    const sending: Sending = {
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

  function write(sending: Sending, bare: SipRequest, transport: Transport) {
    sending.sentBy = formatHostPort(wire.sentBy(transport))
    const value = `SIP/2.0/${transport.toUpperCase()} ${sending.sentBy};branch=${sending.branch};rport`
    const { kind, method, uri, body } = bare
    sending.request = { kind, method, uri, headers: [{ name: 'Via', value }, ...bare.headers], body }
    sending.bytes = serialise(sending.request)
  }

  function isTooLarge({ wanted, bytes }: Sending): boolean {
    if (wanted.transport !== 'udp' || bytes.length <= largestForUdp) return false
    return wire.ports().tcp !== undefined && !unwilling.has(wanted.remote)
  }

  function switchTo(sending: Sending, bare: SipRequest, transport: 'udp' | 'tcp') {
    sending.target = { transport, remote: sending.wanted.remote }
    sending.switched = transport === 'tcp'
    write(sending, bare, transport)
  }

  /** The first time and every other. False if there is no way at all. */
  function send(sending: Sending, failed?: () => void): boolean {
    const connectMs = sending.switched ? switchMs : undefined
    sending.flow = wire.send(sending.bytes, wayOf(sending), { failed, connectMs })
    return sending.flow !== undefined
  }

  /** Back to UDP, if that was wanted and the connection never came about. */
  function fallBack(sending: Sending): boolean {
    const { bare, bytes, switched, wanted } = sending
    if (!bare || !switched || bytes.length > largestDatagram) return false
    unwilling.add(wanted.remote)
    sending.flow = undefined
    switchTo(sending, bare, 'udp')
    return true
  }

  return { prepare, send, fallBack }
}
export type Sender = ReturnType<typeof createSender>

/** For what follows on the same way. */
export function wayOf({ flow, target }: Sending): Target {
  return flow ?? target
}

export function isReliable({ target }: Sending): boolean {
  return target.transport !== 'udp'
}

/** It is answered, and not sent again. */
export function letGo(sending: Sending) {
  sending.bare = undefined
  sending.request = undefined
  sending.bytes = nothing
}
