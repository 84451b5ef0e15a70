/** Keys as pairs of tones (ITU-T Q.23): rendered for a side without telephone events, and detected in its sound. */
import type { Tone } from './tone.ts'

const rows = [697, 770, 852, 941]
const columns = [1209, 1336, 1477, 1633]
const keyGrid = ['123A', '456B', '789C', '*0#D']

/** How long a key sounds, and the pause after it, in ms. */
const keyMs = 100
const keyPauseMs = 120

export function keyTone(key: string): Tone {
  const row = keyGrid.findIndex((keys) => keys.includes(key))
  const column = keyGrid[row]?.indexOf(key) ?? -1
  const [low, high] = [rows[row], columns[column]]
  if (low === undefined || high === undefined) throw new RangeError(`${key} is no DTMF key`)
  return { hertz: [low, high], cadence: [keyMs, keyPauseMs] }
}

const sampleRate = 8000
/** 12.75 ms: short enough for keys of 40 ms, long enough to distinguish neighbouring frequencies. */
const blockLength = 102
/** About -45 dB below full scale for each of the two tones. */
const minPower = 8e7
/** The high tone may be 8 dB weaker than the low one, the low one 4 dB weaker than the high one. */
const maxTwist = 6.31
const maxReverseTwist = 2.51
/** By how much the two tones exceed the others of their group. */
const minPeak = 6.31
/** The part of all power that the two tones have: speech has more between them. */
const minShare = 0.82
const blocksToBegin = 2
const blocksToEnd = 3

const coefficientsOf = (frequencies: number[]) =>
  frequencies.map((hertz) => 2 * Math.cos((2 * Math.PI * hertz) / sampleRate))
const rowCoefficients = coefficientsOf(rows)
const columnCoefficients = coefficientsOf(columns)

/** Finds keys in a stream of samples of 8 kHz, by the Goertzel algorithm. */
export function createKeyDetector() {
  const block = new Int16Array(blockLength)
  let filled = 0
  let candidate: string | undefined
  let hits = 0
  let misses = 0
  let isPressed = false

  /** A key counts once, however long it is pressed. */
  function judge(found: string | undefined): string {
    if (isPressed) {
      misses = found === candidate ? 0 : misses + 1
      if (misses < blocksToEnd) return ''
      isPressed = false
      hits = 0
    }
    hits = found !== undefined && found === candidate ? hits + 1 : 1
    candidate = found
    if (found === undefined || hits < blocksToBegin) return ''
    isPressed = true
    misses = 0
    return found
  }

  return {
    /** The keys that these samples complete; nearly always the empty string. */
    detect(samples: Int16Array, count: number): string {
      let keys = ''
      for (let at = 0; at < count; ) {
        const [from, added] = [filled, Math.min(count - at, blockLength - filled)]
        for (let index = 0; index < added; index += 1) block[from + index] = samples[at + index] ?? 0
        at += added
        filled += added
        if (filled < blockLength) continue
        filled = 0
        keys += judge(keyIn(block))
      }
      return keys
    },
    /** The last samples were those of a key, or may be the beginning of one. */
    isSounding: () => isPressed || candidate !== undefined,
  }
}
export type KeyDetector = ReturnType<typeof createKeyDetector>

/** Powers at the frequencies of a group, of the block that is examined. */
const low = new Float64Array(4)
const high = new Float64Array(4)

function keyIn(block: Int16Array): string | undefined {
  let total = 0
  for (const sample of block) total += sample * sample
  // Silence and quiet speech need no further look.
  if (total * blockLength < 2 * minPower) return undefined
  measurePowers(block, rowCoefficients, low)
  const row = strongest(low)
  const rowPower = low[row] ?? 0
  // Most sound: even with the strongest high tone allowed, the share of the two would be too small.
  if (!isLargeShare(rowPower * (1 + maxReverseTwist), total)) return undefined
  measurePowers(block, columnCoefficients, high)
  const column = strongest(high)
  const columnPower = high[column] ?? 0
  if (rowPower < minPower || columnPower < minPower) return undefined
  if (columnPower > rowPower * maxReverseTwist || rowPower > columnPower * maxTwist) return undefined
  if (!isPeak(low, row) || !isPeak(high, column)) return undefined
  return isLargeShare(rowPower + columnPower, total) ? keyGrid[row]?.[column] : undefined
}

const isLargeShare = (power: number, total: number) => 2 * power >= minShare * blockLength * total

/**
 * Four frequencies in one pass: each step of one waits for the step before it, and meanwhile the processor works on the
 * others. Two samples a step, so that no value is moved from one variable to another.
 */
function measurePowers(block: Int16Array, coefficients: readonly number[], powers: Float64Array) {
  const [a = 0, b = 0, c = 0, d = 0] = coefficients
  let [a1, a2, b1, b2, c1, c2, d1, d2] = [0, 0, 0, 0, 0, 0, 0, 0]
  for (let at = 0; at < blockLength; at += 2) {
    const even = block[at] ?? 0
    a2 = even + a * a1 - a2
    b2 = even + b * b1 - b2
    c2 = even + c * c1 - c2
    d2 = even + d * d1 - d2
    const odd = block[at + 1] ?? 0
    a1 = odd + a * a2 - a1
    b1 = odd + b * b2 - b1
    c1 = odd + c * c2 - c1
    d1 = odd + d * d2 - d1
  }
  powers[0] = a1 * a1 + a2 * a2 - a * a1 * a2
  powers[1] = b1 * b1 + b2 * b2 - b * b1 * b2
  powers[2] = c1 * c1 + c2 * c2 - c * c1 * c2
  powers[3] = d1 * d1 + d2 * d2 - d * d1 * d2
}

/** The index of the largest. */
function strongest(powers: Float64Array): number {
  let best = 0
  for (let at = 1; at < powers.length; at += 1) if ((powers[at] ?? 0) > (powers[best] ?? 0)) best = at
  return best
}

function isPeak(powers: Float64Array, index: number): boolean {
  const limit = (powers[index] ?? 0) / minPeak
  return powers.every((power, at) => at === index || power <= limit)
}
