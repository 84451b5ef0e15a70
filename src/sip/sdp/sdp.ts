/** SDP (RFC 8866), as far as audio calls need it. */

import type { Transport } from './transport.ts'

export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive'

/** Session id and version are 64-bit numbers, kept as text. */
export type Origin = { username: string; sessionId: string; version: string; address: string }

/** An RTP payload format: what a payload type of a medium means. */
export type PayloadFormat = {
  payloadType: number
  name: string
  rate: number
  channels: number
  fmtp: string | undefined
}

export type Media = {
  kind: string
  /** 0 refuses the stream. */
  port: number
  protocol: string
  /** As in the m= line; for RTP they are payload types, described by `codecs`. */
  formats: readonly string[]
  codecs: readonly PayloadFormat[]
  address: string | undefined
  direction: Direction | undefined
  ptime: number | undefined
  rtcp: { port: number; address: string | undefined } | undefined
  transport: Transport
}

export type Sdp = {
  origin: Origin
  name: string
  /** For every medium without an address of its own. */
  address: string | undefined
  direction: Direction | undefined
  media: readonly Media[]
}

export function isDirection(text: string): text is Direction {
  return text === 'sendrecv' || text === 'sendonly' || text === 'recvonly' || text === 'inactive'
}

/** RFC 3264, 8: a changed description of the same session has the previous version plus one. */
export function nextOrigin(origin: Origin): Origin {
  return { ...origin, version: String(BigInt(origin.version) + 1n) }
}
