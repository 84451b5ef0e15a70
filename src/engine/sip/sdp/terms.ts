/** What one side's description comes to: where its audio goes, how it is coded, who may speak. */
import { isTelephoneEvent, type VoiceCodec, voiceName } from './codecs.ts'
import type { Direction, Media, Sdp } from './sdp.ts'

export type Terms = {
  /** Which of the media it is. */
  index: number
  address: string
  port: number
  rtcp: { address: string; port: number }
  codec: VoiceCodec
  payloadType: number
  telephoneEvent: number | undefined
  ptime: number | undefined
  /** As the describing side says it: sendonly sends and does not listen. */
  direction: Direction
}

/** The first audio stream with a codec of ours, and its first such codec; for offers and answers alike. */
export function readTerms(sdp: Sdp, codecs: readonly VoiceCodec[] = ['PCMA', 'PCMU']): Terms | undefined {
  for (const [index, medium] of sdp.media.entries()) {
    const address = medium.address ?? sdp.address
    const chosen = medium.codecs.find((codec) => codecs.some((ours) => ours === voiceName(codec)))
    const name = chosen && voiceName(chosen)
    if (!isAudio(medium) || !name || address === undefined) continue
    return {
      index,
      address,
      port: medium.port,
      rtcp: { address: medium.rtcp?.address ?? address, port: medium.rtcp?.port ?? medium.port + 1 },
      codec: name,
      payloadType: chosen.payloadType,
      telephoneEvent: medium.codecs.find(isTelephoneEvent)?.payloadType,
      ptime: medium.ptime,
      direction: directionOf(sdp, medium, address),
    }
  }
  return undefined
}

function isAudio({ kind, port, protocol }: Media): boolean {
  return kind === 'audio' && port > 0 && (protocol === 'RTP/AVP' || protocol === 'RTP/AVPF')
}

/** The address 0.0.0.0 is how older phones hold a call (RFC 3264, 8.4): there is nowhere to send to. */
function directionOf(sdp: Sdp, medium: Media, address: string): Direction {
  const said = medium.direction ?? sdp.direction ?? 'sendrecv'
  return address === '0.0.0.0' || address === '::' ? narrow(said, 'sendonly') : said
}

export function isHeld({ direction }: Terms): boolean {
  return direction === 'sendonly' || direction === 'inactive'
}

/** The same agreement seen from the other end. */
export function mirror(direction: Direction): Direction {
  if (direction === 'sendonly') return 'recvonly'
  return direction === 'recvonly' ? 'sendonly' : direction
}

/** Only what both allow. */
export function narrow(a: Direction, b: Direction): Direction {
  if (a === 'sendrecv') return b
  return b === 'sendrecv' || a === b ? a : 'inactive'
}
