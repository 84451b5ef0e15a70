import type { CodecName } from '../../media/codecs/registry.ts'
import { offeredFormats } from './codecs.ts'
import type { Direction, Origin, Sdp } from './sdp.ts'
import { plainTransport, type Transport } from './transport.ts'

type Offered = {
  origin: Origin
  address: string
  port: number
  /** In order of preference. */
  codecs: readonly CodecName[]
  direction?: Direction
  /** By default plain RTP. */
  transport?: Transport
}

/** Builds an offer with one audio stream, 20 ms per packet, and telephone events (DTMF). */
export function offer(offered: Offered): Sdp {
  const { origin, address, port, codecs, direction = 'sendrecv', transport = plainTransport } = offered
  const formats = offeredFormats(codecs)
  const audio = {
    kind: 'audio',
    port,
    protocol: protocolOf(transport),
    formats: formats.map(({ payloadType }) => String(payloadType)),
    codecs: formats,
    address: undefined,
    direction,
    ptime: 20,
    rtcp: undefined,
    transport,
  }
  return { origin, name: '-', address, direction: undefined, media: [audio] }
}

function protocolOf({ fingerprint, crypto }: Transport): string {
  if (crypto.length > 0) return 'RTP/SAVP'
  return fingerprint ? 'UDP/TLS/RTP/SAVPF' : 'RTP/AVP'
}
