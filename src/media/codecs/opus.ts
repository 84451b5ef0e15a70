/**
 * Opus (RFC 6716, RFC 7587), by libopus in WebAssembly, which is loaded with the first packet. It is passed through whole.
 * Where the service itself encodes or decodes, it does so at 8 kHz, the rate of recordings and of G.711.
 */
import { createRequire } from 'node:module'
import type { Codec, Decode, Encode } from './codec.ts'

type Library = {
  Decoder: new (options: {
    channels: 1 | 2
    sample_rate: number
  }) => { decode(packet: Uint8Array): Uint8Array; drop(): void }
  Encoder: new (options: {
    channels: 1 | 2
    sample_rate: number
    application: 'voip'
  }) => {
    encode(samples: Int16Array): Uint8Array
    ctl(request: number, value: number): void
    drop(): void
  }
}

const require = createRequire(import.meta.url)
let library: Library | undefined

export function loadOpus(): Library {
  library ??= require('@evan/opus/wasm/index.js') as Library
  return library
}

const sampleRate = 8000
const settings = { channels: 1, sample_rate: sampleRate } as const
/** Requests of opus_encoder_ctl. */
const setBitrate = 4002
const setComplexity = 4010
/** Bits per second; plenty for 8 kHz. */
const bitrate = 20_000
/** From 0 to 10; more is hardly audible at 8 kHz and takes twice the time. */
const complexity = 3

function createDecoder(): Decode {
  let decoder: InstanceType<Library['Decoder']> | undefined
  return (packet, start, end, samples) => {
    // Nothing would stand for a lost packet, of which the decoder makes something up.
    if (end <= start) return 0
    try {
      decoder ??= new (loadOpus().Decoder)(settings)
      const octets = decoder.decode(packet.subarray(start, end))
      const decoded = new Int16Array(octets.buffer, octets.byteOffset, octets.length / 2)
      samples.set(decoded)
      return decoded.length
    } catch {
      // The payload is no Opus: nothing of it can be played.
      return 0
    }
  }
}

/** In samples: a packet of Opus has 2.5, 5, 10, 20, 40 or 60 ms. */
const frameLengths = [480, 320, 160, 80, 40, 20]

function createEncoder(): Encode {
  let encoder: InstanceType<Library['Encoder']> | undefined

  function encodeFrame(frame: Int16Array): Uint8Array {
    if (!encoder) {
      encoder = new (loadOpus().Encoder)({ ...settings, application: 'voip' })
      encoder.ctl(setBitrate, bitrate)
      encoder.ctl(setComplexity, complexity)
    }
    return encoder.encode(frame)
  }

  return (samples, count, packet, start) => {
    // A packet of G.711 may have any length; nearly all have 20 ms.
    const length = frameLengths.find((frame) => count % frame === 0)
    if (length === undefined) return 0
    const frames: Uint8Array[] = []
    for (let at = 0; at < count; at += length) frames.push(encodeFrame(samples.slice(at, at + length)))
    const joined = joinFrames(frames)
    packet.set(joined, start)
    return joined.length
  }
}

const maxLengthOctet = 251
const severalFrames = 3
const withLengths = 0x80

/** RFC 6716, 3.2.5: several frames of the same kind in one packet, each but the last with its length. */
export function joinFrames(frames: Uint8Array[]): Uint8Array {
  const [first = new Uint8Array()] = frames
  const kind = first[0] ?? 0
  const same = frames.filter((frame) => frame[0] === kind)
  if (same.length < 2) return first
  const bodies = same.map((frame) => frame.subarray(1))
  const lengths = bodies.slice(0, -1).flatMap(({ length }) => lengthOctets(length))
  return Buffer.concat([
    Uint8Array.of(kind | severalFrames, withLengths | same.length, ...lengths),
    ...bodies,
  ])
}

function lengthOctets(length: number): number[] {
  if (length <= maxLengthOctet) return [length]
  const low = 252 + (length & 3)
  return [low, (length - low) >> 2]
}

export const opus = {
  name: 'opus',
  payloadType: 96,
  clockRate: 48_000,
  channels: 2,
  fmtp: 'useinbandfec=1',
  audio: { sampleRate, createDecoder, createEncoder },
} as const satisfies Codec
