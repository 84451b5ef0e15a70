import type { CodecName } from '../../media/codecs/registry.ts'
import { offeredFormats } from './codecs.ts'
import type { Direction, Origin, Sdp } from './sdp.ts'

type Offered = {
  origin: Origin
  address: string
  port: number
  /** In order of preference. */
  codecs: readonly CodecName[]
  direction?: Direction
}

/** Builds an offer with one audio stream, 20 ms per packet, and telephone events (DTMF). */
export function offer({ origin, address, port, codecs, direction = 'sendrecv' }: Offered): Sdp {
  const formats = offeredFormats(codecs)
  const audio = {
    kind: 'audio',
    port,
    protocol: 'RTP/AVP',
    formats: formats.map(({ payloadType }) => String(payloadType)),
    codecs: formats,
    address: undefined,
    direction,
    ptime: 20,
    rtcp: undefined,
  }
  return { origin, name: '-', address, direction: undefined, media: [audio] }
}
