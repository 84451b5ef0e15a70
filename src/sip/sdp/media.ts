/** A medium while its lines are being parsed. */
import { limits } from '../limits.ts'
import { malformed } from '../refusal.ts'
import { staticFormat } from './codecs.ts'
import { readMediaPort } from './numbers.ts'
import type { Media, PayloadFormat } from './sdp.ts'
import type { OpenTransport } from './transport.ts'

export type OpenMedia = { -readonly [Key in keyof Omit<Media, 'codecs' | 'transport'>]: Media[Key] } & {
  transport: OpenTransport
  /** By payload type. */
  maps: Map<number, Omit<PayloadFormat, 'payloadType' | 'fmtp'>>
  fmtps: Map<number, string>
}

/** `audio 49170/2 RTP/AVP 8 0 101` */
export function openMedia(value: string, transport: OpenTransport): OpenMedia {
  const [kind = '', ports = '', protocol = '', ...formats] = value.split(' ').filter((word) => word !== '')
  if (protocol === '' || formats.length === 0) throw malformed('Malformed medium in SDP')
  if (formats.length > limits.sdpFormats) throw malformed('Too many formats in SDP')
  return {
    kind,
    port: readMediaPort(ports.split('/', 1)[0] ?? ''),
    protocol,
    formats,
    address: undefined,
    direction: undefined,
    ptime: undefined,
    rtcp: undefined,
    transport: { ...transport },
    maps: new Map(),
    fmtps: new Map(),
  }
}

/** Codecs in the order of the m= line; formats without an rtpmap are not codecs. */
export function finishMedia({ maps, fmtps, ...medium }: OpenMedia): Media {
  const types = medium.formats.filter((format) => /^\d{1,3}$/.test(format)).map(Number)
  const codecs = [...new Set(types)].flatMap((payloadType) => {
    const known = maps.get(payloadType) ?? staticFormat(payloadType)
    return known ? [{ ...known, payloadType, fmtp: fmtps.get(payloadType) }] : []
  })
  return { ...medium, codecs: /(^|\/)RTP\//.test(medium.protocol) ? codecs : [] }
}
