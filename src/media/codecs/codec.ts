/**
 * An audio codec as the service uses it. To add one: write a file like pcma.ts and list it in registry.ts; SDP,
 * relay, recorder and tones take everything else from here. Phones are offered it if the setting CODECS names it.
 */
import { resample } from './resample.ts'

export type Codec<Name extends string = string> = {
  /** The encoding name of the rtpmap, unique in the registry. */
  name: Name
  /** The static payload type (RFC 3551), or the dynamic one in our offers; the other side may use another. */
  payloadType: number
  /** Rate of RTP timestamps, which may differ from `sampleRate`: Opus has a clock of 48 kHz and is decoded at 8 kHz. */
  clockRate: number
  channels: number
  fmtp?: string
  /** Missing if the codec can only be passed through. */
  audio?: CodecAudio
}

export type CodecAudio = {
  sampleRate: number
  /** One per received stream, because decoders may have state. */
  createDecoder(): Decode
  /** One per sent stream, because encoders may have state. */
  createEncoder(): Encode
  /** For codecs of one octet per sample without state: converting between two of them is one look-up per octet. */
  tables?: OctetTables
}

/** Decodes the payload `packet[start, end)` into `samples` and returns how many samples it has. */
export type Decode = (packet: Uint8Array, start: number, end: number, samples: Int16Array) => number

/** The sound of a packet: `samples[0, count)`. */
export type DecodedSound = { samples: Int16Array; count: number }

/** Encodes `samples[0, count)` into `packet` at offset `start` and returns how many octets that takes. */
export type Encode = (samples: Int16Array, count: number, packet: Uint8Array, start: number) => number

export type OctetTables = {
  /** The sample of each octet. */
  decode: Int16Array
  /** The octet of each sample, taken as unsigned (`sample & 0xffff`). */
  encode: Uint8Array
}

/** 120 ms at 48 kHz, the longest packet of Opus; G.711 fits with 1500 octets. */
export const maxSamplesPerPacket = 5760

/** A decoder whose samples have the given rate, whatever the codec's own is. */
export function createDecoderAt(audio: CodecAudio, sampleRate: number): Decode {
  const decode = audio.createDecoder()
  if (audio.sampleRate === sampleRate) return decode
  const decoded = new Int16Array(maxSamplesPerPacket)
  return (packet, start, end, samples) => {
    const count = decode(packet, start, end, decoded)
    return resample(decoded, count, audio.sampleRate, samples, sampleRate)
  }
}

/** An encoder for samples of the given rate. */
export function createEncoderAt(audio: CodecAudio, sampleRate: number): Encode {
  const encode = audio.createEncoder()
  if (audio.sampleRate === sampleRate) return encode
  const resampled = new Int16Array(maxSamplesPerPacket)
  return (samples, count, packet, start) =>
    encode(resampled, resample(samples, count, sampleRate, resampled, audio.sampleRate), packet, start)
}

const maxPayloadLength = 1500

/** Encodes one packet after the other, each into a payload of its own. */
export function createPacketEncoder(audio: CodecAudio, sampleRate: number) {
  const encode = createEncoderAt(audio, sampleRate)
  const payload = new Uint8Array(maxPayloadLength)
  return (samples: Int16Array): Uint8Array => payload.slice(0, encode(samples, samples.length, payload, 0))
}
