/** Ogg files of Opus (RFC 3533, RFC 7845) from samples of 8 kHz, one or two channels. */
import { loadOpus } from '../codecs/opus.ts'

const sampleRate = 8000
/** Positions in the file are counted at 48 kHz. */
const ticksPerSample = 6
/** 20 ms. */
const frameSamples = 160
/** Samples that the encoder adds at the start (pre-skip, 6.5 ms): players skip them. */
const preSkip = 312
/** One page a second: 255 packets would fit. */
const packetsPerPage = 50
const bitsPerChannel = 12_000
const setBitrate = 4002
const setComplexity = 4010
const complexity = 3

const beginning = 2
const ending = 4

export function createOggOpusEncoder(channels: 1 | 2) {
  const { Encoder } = loadOpus()
  const encoder = new Encoder({ channels, sample_rate: sampleRate, application: 'voip' })
  encoder.ctl(setBitrate, bitsPerChannel * channels)
  encoder.ctl(setComplexity, complexity)
  const writePage = createPageWriter()
  const frameLength = frameSamples * channels
  let rest = new Int16Array()
  let packets: Uint8Array[] = []
  let encodedTicks = 0
  let samplesTaken = 0
  let pages: Buffer[] = [writePage(beginning, 0, [head(channels)]), writePage(0, 0, [comment])]

  function encode(frame: Int16Array) {
    packets.push(encoder.encode(frame).slice())
    encodedTicks += frameSamples * ticksPerSample
    // The last packets wait for the end, whose page says how much of them is sound.
    if (packets.length < 2 * packetsPerPage) return
    const ticks = encodedTicks - packetsPerPage * frameSamples * ticksPerSample
    pages.push(writePage(0, ticks, packets.splice(0, packetsPerPage)))
  }

  function taken(): Buffer {
    const written = Buffer.concat(pages)
    pages = []
    return written
  }

  /** Interleaved samples, of whole frames. Returns what of the file is finished. */
  function write(samples: Int16Array): Buffer {
    samplesTaken += samples.length / channels
    const joined = new Int16Array(rest.length + samples.length)
    joined.set(rest)
    joined.set(samples, rest.length)
    let at = 0
    for (; joined.length - at >= frameLength; at += frameLength) encode(joined.slice(at, at + frameLength))
    rest = joined.slice(at)
    return taken()
  }

  /** The rest of the file. */
  function end(): Buffer {
    const endTicks = preSkip + samplesTaken * ticksPerSample
    // Silence until the encoder has given the last sample.
    while (encodedTicks < endTicks || packets.length === 0) {
      const frame = new Int16Array(frameLength)
      frame.set(rest)
      rest = new Int16Array()
      encode(frame)
    }
    for (; packets.length > packetsPerPage; ) {
      const ticks = encodedTicks - (packets.length - packetsPerPage) * frameSamples * ticksPerSample
      pages.push(writePage(0, ticks, packets.splice(0, packetsPerPage)))
    }
    pages.push(writePage(ending, endTicks, packets))
    packets = []
    encoder.drop()
    return taken()
  }

  return { write, end }
}
export type OggOpusEncoder = ReturnType<typeof createOggOpusEncoder>

function head(channels: 1 | 2): Buffer {
  const packet = Buffer.alloc(19)
  packet.write('OpusHead', 0)
  packet.writeUInt8(1, 8)
  packet.writeUInt8(channels, 9)
  packet.writeUInt16LE(preSkip, 10)
  packet.writeUInt32LE(sampleRate, 12)
  return packet
}

const vendor = 'Ramal'
const comment = Buffer.alloc(8 + 4 + vendor.length + 4)
comment.write('OpusTags', 0)
comment.writeUInt32LE(vendor.length, 8)
comment.write(vendor, 12)

const pageHeaderLength = 27
const maxSegment = 255

function createPageWriter() {
  let sequence = 0
  return function writePage(type: number, ticks: number, packets: Uint8Array[]): Buffer {
    const lengths = packets.flatMap(segmentsOf)
    const header = Buffer.alloc(pageHeaderLength + lengths.length)
    header.write('OggS', 0)
    header.writeUInt8(type, 5)
    header.writeBigUInt64LE(BigInt(ticks), 6)
    // The only stream of the file.
    header.writeUInt32LE(1, 14)
    header.writeUInt32LE(sequence, 18)
    header.writeUInt8(lengths.length, 26)
    header.set(lengths, pageHeaderLength)
    sequence += 1
    const page = Buffer.concat([header, ...packets])
    page.writeUInt32LE(checksum(page), 22)
    return page
  }
}

/** A packet ends with its first segment that is not full. */
function segmentsOf({ length }: Uint8Array): number[] {
  return [...Array<number>(Math.floor(length / maxSegment)).fill(maxSegment), length % maxSegment]
}

const polynomial = 0x04c1_1db7
const table = Uint32Array.from({ length: 256 }, (_, octet) => {
  let value = octet << 24
  for (let bit = 0; bit < 8; bit += 1) value = value & 0x8000_0000 ? (value << 1) ^ polynomial : value << 1
  return value
})

/** The CRC of Ogg, which is not that of zlib: neither reflected nor inverted. */
function checksum(page: Uint8Array): number {
  let value = 0
  for (const octet of page) value = (value << 8) ^ (table[(value >>> 24) ^ octet] ?? 0)
  return value >>> 0
}
