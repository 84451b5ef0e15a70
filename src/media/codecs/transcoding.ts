/** Converting the payload of a packet from one codec to another. */
import { type Codec, createEncoderAt, type DecodedSound, type OctetTables } from './codec.ts'

/** Returns a packet with the header of `packet`, and with its decoded sound in the other codec. */
export type Transcode = (packet: Buffer, payloadStart: number, decoded: DecodedSound) => Buffer

export type Transcoding =
  /** The payload octet by octet in place, as between the laws of G.711. */
  { table: Uint8Array } | { transcode: Transcode }

const maxPayloadLength = 1500
const paddingBit = 0x20
const cachedTables = new Map<string, Uint8Array>()

/** Undefined if one of the codecs can only be passed through. `sampleRate`: of the decoded sound. */
export function createTranscoding(from: Codec, to: Codec, sampleRate: number): Transcoding | undefined {
  if (!from.audio || !to.audio) return undefined
  if (from.audio.tables && to.audio.tables)
    return { table: tableBetween(from.name, from.audio.tables, to.name, to.audio.tables) }
  const encode = createEncoderAt(to.audio, sampleRate)
  const payload = new Uint8Array(maxPayloadLength)
  return {
    transcode(packet, payloadStart, { samples, count }) {
      const length = encode(samples, count, payload, 0)
      // A packet of its own, because sending is asynchronous.
      const converted = Buffer.allocUnsafe(payloadStart + length)
      packet.copy(converted, 0, 0, payloadStart)
      converted.set(payload.subarray(0, length), payloadStart)
      converted.writeUInt8(packet.readUInt8(0) & ~paddingBit, 0)
      return converted
    },
  }
}

function tableBetween(from: string, fromTables: OctetTables, to: string, toTables: OctetTables): Uint8Array {
  const key = `${from} ${to}`
  const cached = cachedTables.get(key)
  if (cached) return cached
  const table = Uint8Array.from(fromTables.decode, (sample) => toTables.encode[sample & 0xffff] ?? 0)
  cachedTables.set(key, table)
  return table
}
