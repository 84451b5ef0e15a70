/** Tones for tests: rendered, put into packets and decoded. */
import { decoding, encode, type Law } from '../codecs/g711.ts'
import { renderSamples } from '../sound/tone.ts'

export { powerShare } from '../sound/spectrum.ts'

export const samplesPerPacket = 160

/** One second, which repeats without a click. */
export const toneOctets = (hertz: number, law: Law) =>
  encode(law, renderSamples({ hertz: [hertz], cadence: [] }))

export function decode(octets: Uint8Array, law: Law): Int16Array {
  return Int16Array.from(octets, (octet) => decoding[law][octet] ?? 0)
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
