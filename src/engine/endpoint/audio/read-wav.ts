/** Reads WAV files: PCM of 8 or 16 bit, A-law or µ-law, any sample rate, any number of channels. */
import { pcma } from '../../../media/codecs/pcma.ts'
import { pcmu } from '../../../media/codecs/pcmu.ts'
import { resample } from '../../../media/codecs/resample.ts'

export class SoundFileRefusal extends Error {
  override readonly name = 'SoundFileRefusal'
}

const outputRate = 8000
/** Ten minutes. */
const maxSamples = outputRate * 600

type Format = { code: number; channels: number; rate: number; bits: number }

/** The first channel, at 8 kHz. */
export function readWav(file: Buffer): Int16Array {
  if (
    file.length < 12 ||
    file.toString('latin1', 0, 4) !== 'RIFF' ||
    file.toString('latin1', 8, 12) !== 'WAVE'
  ) {
    throw new SoundFileRefusal('is no WAV file')
  }
  let format: Format | undefined
  for (let at = 12; at + 8 <= file.length; ) {
    const kind = file.toString('latin1', at, at + 4)
    const length = file.readUInt32LE(at + 4)
    const chunk = file.subarray(at + 8, at + 8 + length)
    if (kind === 'fmt ') format = readFormat(chunk)
    if (kind === 'data' && format) return toEightKilohertz(decode(chunk, format), format.rate)
    // Chunks are padded to even lengths.
    at += 8 + length + (length & 1)
  }
  throw new SoundFileRefusal('has no audio in it')
}

function readFormat(chunk: Buffer): Format {
  if (chunk.length < 16) throw new SoundFileRefusal('is truncated')
  const formatTag = chunk.readUInt16LE(0)
  // WAVE_FORMAT_EXTENSIBLE has the real code further back.
  const code = formatTag === 0xfffe && chunk.length >= 26 ? chunk.readUInt16LE(24) : formatTag
  const format = {
    code,
    channels: chunk.readUInt16LE(2),
    rate: chunk.readUInt32LE(4),
    bits: chunk.readUInt16LE(14),
  }
  const isSupported =
    code === 1 ? format.bits === 8 || format.bits === 16 : (code === 6 || code === 7) && format.bits === 8
  if (
    !isSupported ||
    format.channels < 1 ||
    format.channels > 8 ||
    format.rate < 4000 ||
    format.rate > 192_000
  ) {
    throw new SoundFileRefusal('has a format we do not read: save it as 16 bit PCM')
  }
  return format
}

/** Only the first channel: mixing could cancel out opposite phases. */
function decode(data: Buffer, { code, channels, rate, bits }: Format): Int16Array {
  const table = (code === 6 ? pcma : pcmu).audio.tables.decode
  const frameBytes = (channels * bits) / 8
  const frames = Math.min(Math.floor(data.length / frameBytes), Math.floor((maxSamples * rate) / outputRate))
  return Int16Array.from({ length: frames }, (_, frame) => {
    const at = frame * frameBytes
    if (bits === 16) return data.readInt16LE(at)
    const octet = data.readUInt8(at)
    return code === 1 ? (octet - 128) << 8 : (table[octet] ?? 0)
  })
}

function toEightKilohertz(samples: Int16Array, rate: number): Int16Array {
  if (rate === outputRate) return samples
  const output = new Int16Array(Math.floor((samples.length * outputRate) / rate))
  return output.subarray(0, resample(samples, samples.length, rate, output, outputRate))
}
