/** SDP in the bodies of messages. */
import { contentType } from '../headers/numbers.ts'
import { firstValue, type SipMessage } from '../message/message.ts'
import { boundaryOf, readParts } from '../message/multipart.ts'
import type { HeaderPairs } from '../message/request.ts'
import { SipRefusal } from '../refusal.ts'
import { parseSdp } from '../sdp/parse.ts'
import type { Sdp } from '../sdp/sdp.ts'
import { writeSdp } from '../sdp/write.ts'
import type { Reply } from './user-agent-core.ts'

const mediaType = 'application/sdp'
/** The bodies that we read: SDP, also as one part among others. */
export const acceptHeader = ['Accept', `${mediaType}, multipart/mixed`] as const
const unsupported: Reply = {
  status: 415,
  headers: [acceptHeader, ['Accept-Encoding', 'identity']],
}

/** The SDP of a request, undefined if it has none, or the response to refuse it with. */
export function readSdpBody(message: SipMessage): { sdp: Sdp | undefined } | { refusal: Reply } {
  if (message.body.length === 0) return { sdp: undefined }
  const body = findSdp(message)
  if (!body) return isOptional(message) ? { sdp: undefined } : { refusal: unsupported }
  try {
    return { sdp: parseSdp(body) }
  } catch (error) {
    if (!(error instanceof SipRefusal)) throw error
    return { refusal: { status: 400, reason: 'Malformed Session Description' } }
  }
}

/** For a response or an ACK, which cannot be refused: a body we cannot read counts as none. */
export function sdpOf(message: SipMessage): Sdp | undefined {
  const read = readSdpBody(message)
  return 'sdp' in read ? read.sdp : undefined
}

/** The SDP as the Content-Type header and body of a message. */
export function sdpBody(sdp: Sdp): { headers: HeaderPairs; body: string } {
  return { headers: [['Content-Type', mediaType]], body: writeSdp(sdp) }
}

/** The body, or its part that is SDP. The other parts, such as ISUP, are for those who speak to telephone networks. */
function findSdp(message: SipMessage): Buffer | undefined {
  const encoding = firstValue(message, 'Content-Encoding') ?? 'identity'
  if (encoding.toLowerCase() !== 'identity') return undefined
  if (contentType(message) === mediaType) return message.body
  const boundary = boundaryOf(firstValue(message, 'Content-Type') ?? '')
  const parts = boundary === undefined ? [] : readParts(message.body, boundary)
  return parts.find(({ type }) => type === mediaType)?.content
}

/** RFC 3261, 20.11: `handling=optional` allows us to ignore the body. */
function isOptional(message: SipMessage): boolean {
  return /;\s*handling\s*=\s*optional\b/i.test(firstValue(message, 'Content-Disposition') ?? '')
}
