/** A request on its way: its Via, its bytes made once, and the way it takes. */
import { randomBytes } from 'node:crypto'
import { newBranch } from '../headers/via.ts'
import type { SipRequest } from '../message/message.ts'
import { serialise } from '../message/serialise.ts'
import type { Transports } from '../transport/transports.ts'
import { formatHostPort } from '../uri/host.ts'
import type { Unwilling } from './tcp-unwilling.ts'
import type { Flow, Target, Transport } from './transactions.ts'

/** What is below, as far as it is used here. */
export type Wire = Pick<Transports, 'ports' | 'sentBy' | 'send' | 'answer' | 'close' | 'listen'>

/** RFC 3261, 18.1.1: beyond this UDP would break it into fragments, which many networks lose. */
const largestForUdp = 1_300
/** What UDP carries at all, fragments and all. */
const largestDatagram = 65_000
/** Who takes no TCP is not to delay a call for long. */
const switchMs = 1_000

export type Sending = ReturnType<typeof createSending>

export function freshBranch(): string {
  return newBranch(randomBytes(12).toString('base64url'))
}

export function createSending(
  wire: Wire,
  unwilling: Unwilling,
  bare: SipRequest,
  wanted: Target,
  branch: string,
) {
  let target = wanted
  let flow: Flow | undefined
  let sentBy = ''
  let request = bare
  let bytes = write(wanted.transport)
  let switched = false
  if (isTooLarge()) switchTo('tcp')

  function write(transport: Transport): Buffer {
    sentBy = formatHostPort(wire.sentBy(transport))
    const value = `SIP/2.0/${transport.toUpperCase()} ${sentBy};branch=${branch};rport`
    request = { ...bare, headers: [{ name: 'Via', value }, ...bare.headers] }
    return serialise(request)
  }

  function isTooLarge(): boolean {
    if (wanted.transport !== 'udp' || bytes.length <= largestForUdp) return false
    return wire.ports().tcp !== undefined && !unwilling.has(wanted.remote)
  }

  function switchTo(transport: 'udp' | 'tcp') {
    target = { transport, remote: wanted.remote }
    bytes = write(transport)
    switched = transport === 'tcp'
  }

  /** The first time and every other. False if there is no way at all. */
  function send(failed?: () => void): boolean {
    const options = { ...(failed ? { failed } : {}), ...(switched ? { connectMs: switchMs } : {}) }
    flow = wire.send(bytes, flow ?? target, options)
    return flow !== undefined
  }

  /** Back to UDP, if that was wanted and the connection never came about. */
  function fallBack(): boolean {
    if (!switched || bytes.length > largestDatagram) return false
    unwilling.add(wanted.remote)
    flow = undefined
    switchTo('udp')
    return true
  }

  return {
    branch,
    send,
    fallBack,
    get request() {
      return request
    },
    get sentBy() {
      return sentBy
    },
    /** For what follows on the same way. */
    get target(): Target {
      return flow ?? target
    },
    get connection() {
      return flow?.connection
    },
    get reliable() {
      return target.transport !== 'udp'
    },
  }
}
