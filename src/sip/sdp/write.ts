import { isIP } from 'node:net'
import { breaksLine } from '../syntax/token.ts'
import { formatConnection } from './numbers.ts'
import { type Media, nextOrigin, type Origin, type PayloadFormat, type Sdp } from './sdp.ts'
import { transportLines } from './transport.ts'

export function writeSdp(sdp: Sdp): string {
  const lines = ['v=0', `o=${formatOrigin(sdp.origin)}`, `s=${sdp.name || '-'}`]
  if (sdp.address !== undefined) lines.push(`c=${formatConnection(sdp.address)}`)
  lines.push('t=0 0', ...sessionTransportLines(sdp.media))
  if (sdp.direction !== undefined) lines.push(`a=${sdp.direction}`)
  lines.push(...sdp.media.flatMap(mediaLines))
  if (lines.some(breaksLine)) throw new Error('A line of SDP holds CR, LF or NUL')
  return `${lines.join('\r\n')}\r\n`
}

/** That we are ICE-lite (RFC 8445, 2.5), and which media share a port. */
function sessionTransportLines(media: readonly Media[]): string[] {
  const bundled = media.flatMap(({ transport: { isBundled, mid } }) => (isBundled && mid ? [mid] : []))
  const hasIce = media.some(({ transport }) => transport.candidates.length > 0)
  return [
    ...(hasIce ? ['a=ice-lite'] : []),
    ...(bundled.length > 0 ? [`a=group:BUNDLE ${bundled.join(' ')}`] : []),
  ]
}

function formatOrigin({ username, sessionId, version, address }: Origin): string {
  return `${username || '-'} ${sessionId} ${version} IN IP${isIP(address) === 6 ? 6 : 4} ${address}`
}

function mediaLines(medium: Media): string[] {
  const lines = [`m=${medium.kind} ${medium.port} ${medium.protocol} ${medium.formats.join(' ')}`]
  if (medium.address !== undefined) lines.push(`c=${formatConnection(medium.address)}`)
  lines.push(...medium.codecs.flatMap(codecLines))
  if (medium.ptime !== undefined) lines.push(`a=ptime:${medium.ptime}`)
  if (medium.direction !== undefined) lines.push(`a=${medium.direction}`)
  if (medium.rtcp) lines.push(`a=rtcp:${formatRtcp(medium.rtcp)}`)
  lines.push(...transportLines(medium.transport))
  return lines
}

/** Also for static payload types: some phones require an rtpmap. */
function codecLines({ payloadType, name, rate, channels, fmtp }: PayloadFormat): string[] {
  const map = `a=rtpmap:${payloadType} ${name}/${rate}${channels > 1 ? `/${channels}` : ''}`
  return fmtp === undefined ? [map] : [map, `a=fmtp:${payloadType} ${fmtp}`]
}

function formatRtcp({ port, address }: NonNullable<Media['rtcp']>): string {
  return address === undefined ? String(port) : `${port} ${formatConnection(address)}`
}

/** The description, with the next version if it differs from the previous one (RFC 3264, 8). */
export function succeed(before: Sdp, after: Sdp): Sdp {
  const origin = before.origin
  const same = writeSdp({ ...after, origin }) === writeSdp(before)
  return { ...after, origin: same ? origin : nextOrigin(origin) }
}
