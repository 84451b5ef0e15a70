/**
 * The signature of an INVITE from one node of a fleet to another (D241). It covers both nodes, the time, the call, the
 * dialog, who calls whom and the SDP, so that nothing of it can be changed or sent elsewhere.
 *
 *   X-Node-Signature: from=<node>;to=<node>;time=<seconds>;nonce=<text>;mac=<base64url>
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { cseq } from '../../../sip/headers/numbers.ts'
import { callId } from '../../../sip/headers/parties.ts'
import { firstValue, type SipRequest, values } from '../../../sip/message/message.ts'
import { formatUri } from '../../../sip/uri/uri.ts'

export const signatureHeader = 'X-Node-Signature'
export const callHeader = 'X-Call-Id'

export type NodeSignature = {
  from: string
  to: string
  /** Seconds since 1970, by the clock of the sender. */
  time: number
  nonce: string
}

const nonceBytes = 12
/** No node has a longer id. */
const maxLength = 400

export function signFor(key: Buffer, { from, to, time }: Omit<NodeSignature, 'nonce'>, request: SipRequest) {
  const signed = { from, to, time, nonce: randomBytes(nonceBytes).toString('base64url') }
  const mac = macOf(key, signed, request).toString('base64url')
  return `from=${from};to=${to};time=${time};nonce=${signed.nonce};mac=${mac}`
}

/** Undefined if there is none, or it is not right. */
export function readSignature(key: Buffer, request: SipRequest): NodeSignature | undefined {
  const [text, ...others] = values(request, signatureHeader)
  if (text === undefined || others.length > 0 || text.length > maxLength) return undefined
  const parts = new Map(text.split(';').map(splitAtEquals))
  const time = Number(parts.get('time'))
  const [from = '', to = '', nonce = ''] = [parts.get('from'), parts.get('to'), parts.get('nonce')]
  if (!Number.isSafeInteger(time) || nonce === '') return undefined
  const signature = { from, to, time, nonce }
  const given = Buffer.from(parts.get('mac') ?? '', 'base64url')
  const right = macOf(key, signature, request)
  return given.length === right.length && timingSafeEqual(given, right) ? signature : undefined
}

/** The lengths keep two parts from being read as one. */
function macOf(key: Buffer, { from, to, time, nonce }: NodeSignature, request: SipRequest): Buffer {
  const parts = [
    from,
    to,
    String(time),
    nonce,
    callId(request),
    String(cseq(request).number),
    formatUri(request.uri),
    firstValue(request, 'From') ?? '',
    firstValue(request, callHeader) ?? '',
    createHash('sha256').update(request.body).digest('hex'),
  ]
  const mac = createHmac('sha256', key)
  for (const part of parts) mac.update(`${Buffer.byteLength(part)}:${part}`)
  return mac.digest()
}

function splitAtEquals(part: string): [name: string, value: string] {
  const equals = part.indexOf('=')
  return [part.slice(0, equals).trim(), part.slice(equals + 1)]
}
