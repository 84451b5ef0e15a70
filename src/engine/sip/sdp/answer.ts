/** Answers an offer (RFC 3264, 6): one audio stream of G.711, everything else refused with port 0. */
import { isTelephoneEvent, type VoiceCodec, voiceName } from './codecs.ts'
import type { Direction, Media, Origin, Sdp } from './sdp.ts'
import { mirror, narrow, readTerms, type Terms } from './terms.ts'

export type Ours = {
  origin: Origin
  address: string
  port: number
  /** What we would do if the other side wishes it too; without it, both ways. */
  direction?: Direction
  /** Codecs we can take; the order is the offerer's. */
  codecs?: readonly VoiceCodec[]
}

/** `undefined` if there is nothing we could talk over: that is a 488. */
export function answer(offer: Sdp, ours: Ours): { sdp: Sdp; terms: Terms } | undefined {
  const terms = readTerms(offer, ours.codecs)
  if (!terms) return undefined
  const direction = narrow(ours.direction ?? 'sendrecv', mirror(terms.direction))
  const media = offer.media.map((medium, index) =>
    index === terms.index ? accept(medium, terms, ours.port, direction) : refuse(medium),
  )
  const { origin, address } = ours
  return { sdp: { origin, name: '-', address, direction: undefined, media }, terms }
}

/** The one codec both will use, by the number the offer gave it. */
function accept(medium: Media, terms: Terms, port: number, direction: Direction): Media {
  const codecs = medium.codecs.filter(
    (codec) =>
      codec.payloadType === terms.payloadType ||
      (isTelephoneEvent(codec) && codec.payloadType === terms.telephoneEvent),
  )
  // The voice first, wherever the offer had it.
  codecs.sort((a, b) => Number(voiceName(b) !== undefined) - Number(voiceName(a) !== undefined))
  return {
    ...medium,
    port,
    codecs: codecs.map((codec) => (isTelephoneEvent(codec) ? { ...codec, fmtp: '0-15' } : codec)),
    formats: codecs.map(({ payloadType }) => String(payloadType)),
    address: undefined,
    direction,
    rtcp: undefined,
  }
}

function refuse(medium: Media): Media {
  return {
    ...medium,
    port: 0,
    codecs: [],
    address: undefined,
    direction: undefined,
    ptime: undefined,
    rtcp: undefined,
  }
}
