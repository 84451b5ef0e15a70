/**
 * G.722 (ITU-T, 64 kbit/s): two bands of 8 kHz each, six bits of every octet for the lower, two for the upper. It is passed
 * through whole. Where the service itself encodes or decodes, as for recordings and for G.711, the lower band is enough: it
 * is the sound of a telephone, one sample per octet, for half the work. RTP says 8 kHz by mistake (RFC 3551, 4.5.2).
 */
import type { Codec, Decode, Encode } from './codec.ts'

/** Decision levels of the quantizer, in parts of the scale factor. */
const levels = [
  0, 35, 72, 110, 150, 190, 233, 276, 323, 370, 422, 473, 530, 587, 650, 714, 786, 858, 940, 1023, 1121, 1219,
  1339, 1458, 1612, 1765, 1980, 2195, 2557, 2919,
]
/** Quantized differences by six bits, and by the first four of them, which alone adapt the predictor. */
const differences6 = Int32Array.from([
  -136, -136, -136, -136, -24808, -21904, -19008, -16704, -14984, -13512, -12280, -11192, -10232, -9360,
  -8576, -7856, -7192, -6576, -6000, -5456, -4944, -4464, -4008, -3576, -3168, -2776, -2400, -2032, -1688,
  -1360, -1040, -728, 24808, 21904, 19008, 16704, 14984, 13512, 12280, 11192, 10232, 9360, 8576, 7856, 7192,
  6576, 6000, 5456, 4944, 4464, 4008, 3576, 3168, 2776, 2400, 2032, 1688, 1360, 1040, 728, 432, 136, -432,
  -136,
])
const differences4 = Int32Array.from([
  0, -20456, -12896, -8968, -6288, -4240, -2584, -1200, 20456, 12896, 8968, 6288, 4240, 2584, 1200, 0,
])
/** How much the logarithmic scale factor changes, by the first four bits. */
const scaleSteps = Int32Array.from([
  -60, 3042, 1198, 538, 334, 172, 58, -30, 3042, 1198, 538, 334, 172, 58, -30, -60,
])
const maxLogScale = 18_432
/** Two to the power of n / 32, times 2048. */
const powers = Int32Array.from({ length: 32 }, (_, n) => Math.round(2048 * 2 ** (n / 32)))

const zeros = 6
/** The upper band of silence: its scale factor shrinks until nothing is left of it. */
const silentUpperBand = 0xc0

/** The lower band: an adaptive predictor with two poles and six zeros, and an adaptive scale factor. */
function createLowerBand() {
  const differences = new Int32Array(zeros + 1)
  const zeroWeights = new Int32Array(zeros + 1)
  let [pole1, pole2] = [0, 0]
  let [reconstructed1, reconstructed2] = [0, 0]
  let [partial1, partial2] = [0, 0]
  let zeroPart = 0
  let predicted = 0
  let logScale = 0
  let scale = 32

  /** Adapts scale factor and predictor to the first four bits of a code. */
  function adapt(bits: number) {
    const difference = (scale * (differences4[bits] ?? 0)) >> 15
    logScale = clamp(((logScale * 127) >> 7) + (scaleSteps[bits] ?? 0), 0, maxLogScale)
    const shift = 8 - (logScale >> 11)
    const power = powers[(logScale >> 6) & 31] ?? 0
    scale = (shift < 0 ? power << -shift : power >> shift) << 2

    const reconstructed = saturate(predicted + difference)
    const partial = saturate(zeroPart + difference)
    adaptPoles(partial)
    adaptZeros(difference)
    reconstructed2 = reconstructed1
    reconstructed1 = reconstructed
    partial2 = partial1
    partial1 = partial
    const polePart = saturate(
      ((pole1 * saturate(2 * reconstructed1)) >> 15) + ((pole2 * saturate(2 * reconstructed2)) >> 15),
    )
    predicted = saturate(polePart + zeroPart)
  }

  function adaptPoles(partial: number) {
    const sign = partial >> 15
    const follows1 = sign === partial1 >> 15
    const follows2 = sign === partial2 >> 15
    const step = saturate(pole1 << 2)
    const towards = Math.min(follows1 ? -step : step, 32_767)
    const next2 = (follows2 ? 128 : -128) + (towards >> 7) + ((pole2 * 32_512) >> 15)
    pole2 = clamp(next2, -12_288, 12_288)
    const limit = saturate(15_360 - pole2)
    pole1 = clamp(saturate((follows1 ? 192 : -192) + ((pole1 * 32_640) >> 15)), -limit, limit)
  }

  function adaptZeros(difference: number) {
    const step = difference === 0 ? 0 : 128
    const sign = difference >> 15
    let sum = 0
    differences[0] = difference
    // From the oldest: each takes the place of the one before it.
    for (let at = zeros; at > 0; at -= 1) {
      const isSameSign = (differences[at] ?? 0) >> 15 === sign
      const weight = saturate((isSameSign ? step : -step) + (((zeroWeights[at] ?? 0) * 32_640) >> 15))
      const moved = differences[at - 1] ?? 0
      zeroWeights[at] = weight
      differences[at] = moved
      sum += (weight * saturate(2 * moved)) >> 15
    }
    zeroPart = saturate(sum)
  }

  return {
    /** The sample of a code of six bits. */
    decode(code: number): number {
      const sample = clamp(predicted + ((scale * (differences6[code] ?? 0)) >> 15), -16_384, 16_383)
      adapt(code >> 2)
      return sample << 1
    },
    encode(sample: number): number {
      const error = saturate((sample >> 1) - predicted)
      const size = error >= 0 ? error : -(error + 1)
      let level = 1
      while (level < levels.length && size >= ((levels[level] ?? 0) * scale) >> 12) level += 1
      const code = error < 0 ? negativeCode(level) : 62 - level
      adapt(code >> 2)
      return code
    },
  }
}

/** The codes of the two smallest negative levels stand apart. */
const negativeCode = (level: number) => (level < 3 ? 64 - level : 34 - level)

const clamp = (value: number, min: number, max: number) => Math.max(min, Math.min(max, value))
const saturate = (value: number) => clamp(value, -32_768, 32_767)

function createDecoder(): Decode {
  const band = createLowerBand()
  return (packet, start, end, samples) => {
    const count = end - start
    for (let at = 0; at < count; at += 1) samples[at] = band.decode((packet[start + at] ?? 0) & 63)
    return count
  }
}

function createEncoder(): Encode {
  const band = createLowerBand()
  return (samples, count, packet, start) => {
    for (let at = 0; at < count; at += 1) packet[start + at] = silentUpperBand | band.encode(samples[at] ?? 0)
    return count
  }
}

export const g722 = {
  name: 'G722',
  payloadType: 9,
  clockRate: 8000,
  channels: 1,
  audio: { sampleRate: 8000, createDecoder, createEncoder },
} as const satisfies Codec
