/** Tones for tests: rendered, put into packets and decoded. */
import { createPacketEncoder, maxSamplesPerPacket } from '../codecs/codec.ts'
import { type CodecName, codecNamed } from '../codecs/registry.ts'
import { renderSamples } from '../sound/tone.ts'

export { powerShare } from '../sound/spectrum.ts'

export const samplesPerPacket = 160

/** One second, which repeats without a click. */
export const toneOctets = (hertz: number, codec: CodecName) =>
  encode(renderSamples({ hertz: [hertz], cadence: [] }), codec)

/** In packets of 20 ms, joined. */
export function encode(samples: Int16Array, name: CodecName): Uint8Array {
  const encodePacket = createPacketEncoder(audioOf(name), 8000)
  const packets: Uint8Array[] = []
  for (let at = 0; at < samples.length; at += samplesPerPacket)
    packets.push(encodePacket(samples.subarray(at, at + samplesPerPacket)))
  return Buffer.concat(packets)
}

/** For codecs with one octet per sample. */
export function decode(octets: Uint8Array, name: CodecName): Int16Array {
  const decodePacket = audioOf(name).createDecoder()
  const samples = new Int16Array(Math.max(octets.length, maxSamplesPerPacket))
  return samples.subarray(0, decodePacket(octets, 0, octets.length, samples))
}

function audioOf(name: CodecName) {
  const { audio } = codecNamed(name)
  if (!audio) throw new Error(`${name} cannot be decoded`)
  return audio
}

type Packet = {
  payload?: number
  marker?: boolean
  sequence: number
  timestamp?: number
  ssrc?: number
  octets?: Uint8Array
}

export function rtpPacket({ payload = 8, marker = false, ssrc = 1, ...packet }: Packet): Buffer {
  const octets = packet.octets ?? new Uint8Array(samplesPerPacket).fill(0xd5)
  const { sequence, timestamp = sequence * samplesPerPacket } = packet
  const header = Buffer.alloc(12)
  header.writeUInt8(0x80, 0)
  header.writeUInt8((marker ? 128 : 0) | payload, 1)
  header.writeUInt16BE(sequence & 0xffff, 2)
  header.writeUInt32BE(timestamp >>> 0, 4)
  header.writeUInt32BE(ssrc, 8)
  return Buffer.concat([header, octets])
}
