/** What a description says about its audio: address, codec, direction. */
import { type CodecName, g711Names } from '../../media/codecs/registry.ts'
import { codecOf, isTelephoneEvent } from './codecs.ts'
import { type Protection, type ProtectionKind, readProtection } from './protection.ts'
import type { Direction, Media, Sdp } from './sdp.ts'
import { iceOf, type Transport } from './transport.ts'

export type Terms = {
  /** Index of the medium. */
  index: number
  address: string
  port: number
  rtcp: { address: string; port: number }
  codec: CodecName
  payloadType: number
  /** Every format of ours in the description; the side may send any of them. */
  formats: readonly { payloadType: number; codec: CodecName }[]
  telephoneEvent: number | undefined
  ptime: number | undefined
  /** From the point of view of the describing side: sendonly means it sends and does not receive. */
  direction: Direction
  transport: Transport
  protection: Protection
}

/** The first audio stream with a codec and a protection we support, and its first such codec; for offers and answers. */
export function readTerms(
  sdp: Sdp,
  codecs: readonly CodecName[] = g711Names,
  protections: readonly ProtectionKind[] = ['none'],
): Terms | undefined {
  for (const [index, medium] of sdp.media.entries()) {
    const address = medium.address ?? sdp.address ?? (iceOf(medium.transport) && noAddress)
    const chosen = medium.codecs.find((codec) => codecs.some((ours) => ours === codecOf(codec)))
    const name = chosen && codecOf(chosen)
    const protection = readProtection(medium)
    const isAudio = medium.kind === 'audio' && medium.port > 0
    if (!isAudio || !name || address === undefined) continue
    if (!protection || !protections.includes(protection.kind)) continue
    return {
      index,
      address,
      port: medium.port,
      rtcp: { address: medium.rtcp?.address ?? address, port: medium.rtcp?.port ?? medium.port + 1 },
      codec: name,
      payloadType: chosen.payloadType,
      formats: formatsOf(medium, codecs, chosen.rate),
      telephoneEvent: medium.codecs.find((format) => isTelephoneEvent(format, chosen.rate))?.payloadType,
      ptime: medium.ptime,
      direction: directionOf(sdp, medium, address),
      transport: medium.transport,
      protection,
    }
  }
  return undefined
}

/** Those with the RTP clock of the chosen one: a stream has one clock. */
function formatsOf({ codecs }: Media, ours: readonly CodecName[], rate: number): Terms['formats'] {
  return codecs.flatMap((format) => {
    const codec = ours.find((name) => name === codecOf(format))
    return codec && format.rate === rate ? [{ payloadType: format.payloadType, codec }] : []
  })
}

/** Older phones hold a call with the address 0.0.0.0 (RFC 3264, 8.4). With ICE it means that none is known yet. */
const noAddress = '0.0.0.0'

function directionOf(sdp: Sdp, medium: Media, address: string): Direction {
  const said = medium.direction ?? sdp.direction ?? 'sendrecv'
  if (iceOf(medium.transport)) return said
  return address === noAddress || address === '::' ? narrow(said, 'sendonly') : said
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
