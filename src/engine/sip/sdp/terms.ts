/** What a description says about its audio: address, codec, direction. */
import { type CodecName, codecNames } from '../../media/codecs/registry.ts'
import { codecOf, isTelephoneEvent } from './codecs.ts'
import type { Direction, Media, Sdp } from './sdp.ts'

export type Terms = {
  /** Index of the medium. */
  index: number
  address: string
  port: number
  rtcp: { address: string; port: number }
  codec: CodecName
  payloadType: number
  telephoneEvent: number | undefined
  ptime: number | undefined
  /** From the point of view of the describing side: sendonly means it sends and does not receive. */
  direction: Direction
}

/** The first audio stream with a codec we support, and its first such codec; for offers and answers. */
export function readTerms(sdp: Sdp, codecs: readonly CodecName[] = codecNames): Terms | undefined {
  for (const [index, medium] of sdp.media.entries()) {
    const address = medium.address ?? sdp.address
    const chosen = medium.codecs.find((codec) => codecs.some((ours) => ours === codecOf(codec)))
    const name = chosen && codecOf(chosen)
    if (!isAudio(medium) || !name || address === undefined) continue
    return {
      index,
      address,
      port: medium.port,
      rtcp: { address: medium.rtcp?.address ?? address, port: medium.rtcp?.port ?? medium.port + 1 },
      codec: name,
      payloadType: chosen.payloadType,
      telephoneEvent: medium.codecs.find((format) => isTelephoneEvent(format, chosen.rate))?.payloadType,
      ptime: medium.ptime,
      direction: directionOf(sdp, medium, address),
    }
  }
  return undefined
}

function isAudio({ kind, port, protocol }: Media): boolean {
  return kind === 'audio' && port > 0 && (protocol === 'RTP/AVP' || protocol === 'RTP/AVPF')
}

/** Older phones hold a call with the address 0.0.0.0 (RFC 3264, 8.4). */
function directionOf(sdp: Sdp, medium: Media, address: string): Direction {
  const said = medium.direction ?? sdp.direction ?? 'sendrecv'
  return address === '0.0.0.0' || address === '::' ? narrow(said, 'sendonly') : said
}

export function isHeld({ direction }: Terms): boolean {
  return direction === 'sendonly' || direction === 'inactive'
}

/** The same direction from the peer's point of view. */
export function mirror(direction: Direction): Direction {
  if (direction === 'sendonly') return 'recvonly'
  return direction === 'recvonly' ? 'sendonly' : direction
}

/** The direction that both allow. */
export function narrow(a: Direction, b: Direction): Direction {
  if (a === 'sendrecv') return b
  return b === 'sendrecv' || a === b ? a : 'inactive'
}
