/** G.711 in general: one octet per sample at 8 kHz, converted by tables. Its two laws are pcma.ts and pcmu.ts. */
import type { Codec, CodecAudio, OctetTables } from './codec.ts'

type Law<Name extends string> = {
  name: Name
  payloadType: number
  decodeOctet(octet: number): number
  encodeSample(sample: number): number
}

export type G711Codec<Name extends string> = Codec<Name> & { audio: CodecAudio & { tables: OctetTables } }

export function createG711Codec<Name extends string>(law: Law<Name>): G711Codec<Name> {
  // `from` would take twice as long, of every command that reads the settings.
  const tables: OctetTables = {
    decode: new Int16Array(256).map((_, octet) => law.decodeOctet(octet)),
    encode: new Uint8Array(65_536).map((_, word) => law.encodeSample((word << 16) >> 16)),
  }

  function decode(packet: Uint8Array, start: number, end: number, samples: Int16Array): number {
    const table = tables.decode
    const count = end - start
    for (let at = 0; at < count; at += 1) samples[at] = table[packet[start + at] ?? 0] ?? 0
    return count
  }

  function encode(samples: Int16Array, count: number, packet: Uint8Array, start: number): number {
    const table = tables.encode
    for (let at = 0; at < count; at += 1) packet[start + at] = table[(samples[at] ?? 0) & 0xffff] ?? 0
    return count
  }

  return {
    name: law.name,
    payloadType: law.payloadType,
    clockRate: 8000,
    channels: 1,
    audio: {
      sampleRate: 8000,
      createDecoder: () => decode,
      createEncoder: () => encode,
      tables,
    },
  }
}
