/** The codecs of the registry as SDP payload formats, and the static payload types of RFC 3551. */
import { type CodecName, codecNamed, findCodec } from '../../media/codecs/registry.ts'
import type { PayloadFormat } from './sdp.ts'

const staticFormats = new Map(
  [
    audioFormat(0, 'PCMU'),
    audioFormat(3, 'GSM'),
    audioFormat(4, 'G723'),
    audioFormat(8, 'PCMA'),
    audioFormat(9, 'G722'),
    audioFormat(13, 'CN'),
    audioFormat(18, 'G729'),
  ].map((format) => [format.payloadType, format]),
)

function audioFormat(payloadType: number, name: string, rate = 8000): PayloadFormat {
  return { payloadType, name, rate, channels: 1, fmtp: undefined }
}

/** The format of a payload type that needs no rtpmap. */
export function staticFormat(payloadType: number): PayloadFormat | undefined {
  return staticFormats.get(payloadType)
}

/** The formats of an offer: the codecs, then telephone events for each of their RTP clocks. */
export function offeredFormats(names: readonly CodecName[]): PayloadFormat[] {
  const formats = names.map(formatOf)
  for (const rate of new Set(formats.map((format) => format.rate)))
    formats.push({ ...audioFormat(freePayloadType(formats), 'telephone-event', rate), fmtp: dtmfEvents })
  return formats
}

function formatOf(name: CodecName): PayloadFormat {
  const { payloadType, clockRate, channels, fmtp } = codecNamed(name)
  return { payloadType, name, rate: clockRate, channels, fmtp }
}

/** The payload type that nearly everybody uses for telephone events. */
export const usualTelephoneEvent = 101

/** The events of the sixteen DTMF digits. */
export const dtmfEvents = '0-15'

function freePayloadType(formats: PayloadFormat[]): number {
  let free = usualTelephoneEvent
  while (formats.some(({ payloadType }) => payloadType === free)) free += 1
  return free
}

/** The codec of the registry that a format means, if any. */
export function codecOf({ name, rate, channels }: PayloadFormat): CodecName | undefined {
  return findCodec(name, rate, channels)?.name
}

/** The codecs of the registry among the formats, in their order. */
export function codecsIn(formats: readonly PayloadFormat[]): CodecName[] {
  return formats.flatMap((format) => codecOf(format) ?? [])
}

/** Telephone events belong to the audio codec with the same RTP clock. */
export function isTelephoneEvent({ name, rate }: PayloadFormat, clockRate: number): boolean {
  return name.toLowerCase() === 'telephone-event' && rate === clockRate
}
