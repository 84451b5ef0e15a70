/** Session descriptions (RFC 8866), as far as a call of G.711 audio needs them. */

export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive'

/** Numbers of 64 bits, so they stay text. */
export type Origin = { username: string; sessionId: string; version: string; address: string }

export type Codec = {
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
  /** As they stand in the line; for RTP they are payload types, and `codecs` says what they mean. */
  formats: readonly string[]
  codecs: readonly Codec[]
  address: string | undefined
  direction: Direction | undefined
  ptime: number | undefined
  rtcp: { port: number; address: string | undefined } | undefined
}

export type Sdp = {
  origin: Origin
  name: string
  /** For every medium that has none of its own. */
  address: string | undefined
  direction: Direction | undefined
  media: readonly Media[]
}

export function isDirection(text: string): text is Direction {
  return text === 'sendrecv' || text === 'sendonly' || text === 'recvonly' || text === 'inactive'
}

/** RFC 3264, 8: every new description of a session has the version of the one before, plus one. */
export function nextOrigin(origin: Origin): Origin {
  return { ...origin, version: String(BigInt(origin.version) + 1n) }
}
