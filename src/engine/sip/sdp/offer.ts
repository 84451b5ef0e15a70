import { telephoneEvents, type VoiceCodec, voice } from './codecs.ts'
import type { Direction, Origin, Sdp } from './sdp.ts'

type Offered = {
  origin: Origin
  address: string
  port: number
  /** In order of preference. */
  codecs: readonly VoiceCodec[]
  direction?: Direction
}

/** Builds an offer with one audio stream, 20 ms per packet, and telephone events (DTMF). */
export function offer({ origin, address, port, codecs, direction = 'sendrecv' }: Offered): Sdp {
  const listed = [...codecs.map((name) => voice[name]), telephoneEvents]
  const audio = {
    kind: 'audio',
    port,
    protocol: 'RTP/AVP',
    formats: listed.map(({ payloadType }) => String(payloadType)),
    codecs: listed,
    address: undefined,
    direction,
    ptime: 20,
    rtcp: undefined,
  }
  return { origin, name: '-', address, direction: undefined, media: [audio] }
}
