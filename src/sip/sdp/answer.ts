/** Answers an offer (RFC 3264, 6): one audio stream, everything else refused with port 0. */
import { type CodecName, codecNamed } from '../../media/codecs/registry.ts'
import { codecOf, dtmfEvents } from './codecs.ts'
import type { ProtectionKind } from './protection.ts'
import type { Direction, Media, Origin, PayloadFormat, Sdp } from './sdp.ts'
import { mirror, narrow, readTerms, type Terms } from './terms.ts'
import { plainTransport, type Transport } from './transport.ts'

export type Ours = {
  origin: Origin
  address: string
  port: number
  /** The direction we want, if the peer allows it; default sendrecv. */
  direction?: Direction
  /** Codecs we accept, by default those of G.711; the order of the offer counts. */
  codecs?: readonly CodecName[]
  /** Protections we accept; by default none. */
  protections?: readonly ProtectionKind[]
  /** Our part of the protection that the offer asks for. */
  transport?: (terms: Terms) => Transport
}

/** `undefined` if there is no common codec: the offer is refused with 488. */
export function answer(offer: Sdp, ours: Ours): { sdp: Sdp; terms: Terms } | undefined {
  const terms = readTerms(offer, ours.codecs, ours.protections)
  if (!terms) return undefined
  const direction = narrow(ours.direction ?? 'sendrecv', mirror(terms.direction))
  const media = offer.media.map((medium, index) =>
    index === terms.index ? accept(medium, terms, { ...ours, direction }) : refuse(medium),
  )
  const { origin, address } = ours
  return { sdp: { origin, name: '-', address, direction: undefined, media }, terms }
}

/** Accepts the chosen codec, with the payload type of the offer, and telephone events. */
function accept(medium: Media, terms: Terms, { port, direction = 'sendrecv', transport }: Ours): Media {
  const isDtmf = ({ payloadType }: PayloadFormat) => payloadType === terms.telephoneEvent
  const codecs = medium.codecs.filter((codec) => codec.payloadType === terms.payloadType || isDtmf(codec))
  // The voice codec first, whatever the order of the offer.
  codecs.sort((a, b) => Number(codecOf(b) !== undefined) - Number(codecOf(a) !== undefined))
  return {
    ...medium,
    port,
    codecs: codecs.map((codec) => ({
      ...codec,
      fmtp: isDtmf(codec) ? dtmfEvents : codecNamed(terms.codec).fmtp,
    })),
    formats: codecs.map(({ payloadType }) => String(payloadType)),
    address: undefined,
    direction,
    rtcp: undefined,
    transport: transport?.(terms) ?? plainTransport,
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
    transport: { ...plainTransport, mid: medium.transport.mid },
  }
}
