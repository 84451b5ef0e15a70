import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { powerShare } from '../sound/spectrum.ts'
import { renderSamples } from '../sound/tone.ts'
import {
  type Codec,
  createDecoderAt,
  createPacketEncoder,
  type DecodedSound,
  maxSamplesPerPacket,
} from './codec.ts'
import { pcma } from './pcma.ts'
import { pcmu } from './pcmu.ts'
import { createTranscoding } from './transcoding.ts'

/** Linear samples of 16 bit at 16 kHz: another sample rate, another clock and two octets per sample. */
const linear: Codec = {
  name: 'L16',
  payloadType: 96,
  clockRate: 16_000,
  channels: 1,
  audio: {
    sampleRate: 16_000,
    createDecoder: () => (packet, start, end, samples) => {
      for (let at = start; at + 1 < end; at += 2)
        samples[(at - start) >> 1] = (((packet[at] ?? 0) << 24) | ((packet[at + 1] ?? 0) << 16)) >> 16
      return (end - start) >> 1
    },
    createEncoder: () => (samples, count, packet, start) => {
      for (let at = 0; at < count; at += 1) {
        packet[start + 2 * at] = (samples[at] ?? 0) >> 8
        packet[start + 2 * at + 1] = (samples[at] ?? 0) & 0xff
      }
      return 2 * count
    },
  },
}
const laws = [pcma, pcmu]
const opaque: Codec = { name: 'opaque', payloadType: 97, clockRate: 48_000, channels: 2 }

function table(from: Codec, to: Codec): Uint8Array {
  const transcoding = createTranscoding(from, to, 8000)
  if (!transcoding || !('table' in transcoding)) throw new Error('no table')
  return transcoding.table
}

test('between the laws of G.711 there is a bit-exact table, shared by all calls', () => {
  const digest = (octets: Uint8Array) => createHash('sha256').update(octets).digest('hex').slice(0, 16)
  expect(digest(table(pcma, pcmu))).toBe('29fe089f93339156')
  expect(digest(table(pcmu, pcma))).toBe('a511897e1e42589f')
  expect(table(pcma, pcmu)).toBe(table(pcma, pcmu))
})

test('conversion between the laws stays within one step of the coarser', () => {
  for (let octet = 0; octet < 256; octet += 1) {
    const before = pcmu.audio.tables.decode[octet] ?? 0
    const after = pcma.audio.tables.decode[table(pcmu, pcma)[octet] ?? 0] ?? 0
    expect(Math.abs(after - before)).toBeLessThanOrEqual(Math.max(16, Math.abs(before) / 16))
  }
})

test('the table does the same as decoding and encoding', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), fc.constantFrom(...laws), (octets, from) => {
      for (const to of laws) {
        const samples = new Int16Array(maxSamplesPerPacket)
        const count = from.audio.createDecoder()(octets, 0, octets.length, samples)
        const encoded = new Uint8Array(count)
        to.audio.createEncoder()(samples, count, encoded, 0)
        expect(encoded).toEqual(octets.map((octet) => table(from, to)[octet] ?? 0))
      }
    }),
  )
})

function decodedBy({ audio }: Codec, packet: Buffer): DecodedSound {
  if (!audio) throw new Error('no audio')
  const samples = new Int16Array(maxSamplesPerPacket)
  return { samples, count: createDecoderAt(audio, 8000)(packet, 12, packet.length, samples) }
}

test('codecs with other sample rates and packet lengths are transcoded by their samples', () => {
  const samples = renderSamples({ hertz: [1000], cadence: [] }).subarray(0, 160)
  const header = Buffer.from('a0080001000000a000000001', 'hex')
  const packet = Buffer.concat([header, createPacketEncoder(pcma.audio, 8000)(samples)])
  const there = createTranscoding(pcma, linear, 8000)
  const back = createTranscoding(linear, pcma, 8000)
  if (!there || !('transcode' in there) || !back || !('transcode' in back)) throw new Error('no transcoder')
  const wide = there.transcode(packet, 12, decodedBy(pcma, packet))
  expect(wide.length).toBe(12 + 640)
  const narrow = back.transcode(wide, 12, decodedBy(linear, wide))
  expect(narrow.length).toBe(packet.length)
  // The header stays, but for the padding, which is gone.
  expect(narrow.subarray(1, 12)).toEqual(header.subarray(1))
  expect(narrow[0]).toBe(0x80)
  const { samples: decoded, count } = decodedBy(pcma, narrow)
  expect(powerShare(decoded.subarray(0, count), 1000)).toBeGreaterThan(0.99)
})

test('a codec without audio can only be passed through', () => {
  expect(createTranscoding(opaque, pcma, 8000)).toBeUndefined()
  expect(createTranscoding(pcma, opaque, 8000)).toBeUndefined()
})
