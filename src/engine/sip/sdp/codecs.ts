/** The codecs we speak, and the payload types that need no rtpmap (RFC 3551). */
import type { Codec } from './sdp.ts'

export type VoiceCodec = 'PCMA' | 'PCMU'

const fixed = (payloadType: number, name: string, rate = 8000, channels = 1): Codec => ({
  payloadType,
  name,
  rate,
  channels,
  fmtp: undefined,
})

const fixedCodecs = new Map(
  [
    fixed(0, 'PCMU'),
    fixed(3, 'GSM'),
    fixed(4, 'G723'),
    fixed(8, 'PCMA'),
    fixed(9, 'G722'),
    fixed(13, 'CN'),
    fixed(18, 'G729'),
  ].map((codec) => [codec.payloadType, codec]),
)

export function fixedCodec(payloadType: number): Codec | undefined {
  return fixedCodecs.get(payloadType)
}

export const voice: Record<VoiceCodec, Codec> = { PCMA: fixed(8, 'PCMA'), PCMU: fixed(0, 'PCMU') }

/** 101 is the payload type everybody uses; events 0-15 are the telephone keys. */
export const telephoneEvents: Codec = { ...fixed(101, 'telephone-event'), fmtp: '0-15' }

export function voiceName(codec: Codec): VoiceCodec | undefined {
  const name = codec.name.toUpperCase()
  if (codec.rate !== 8000 || codec.channels !== 1) return undefined
  return name === 'PCMA' || name === 'PCMU' ? name : undefined
}

/** With the clock rate of our codecs: one at 48000 belongs to another codec. */
export function isTelephoneEvent(codec: Codec): boolean {
  return codec.name.toLowerCase() === 'telephone-event' && codec.rate === 8000
}
