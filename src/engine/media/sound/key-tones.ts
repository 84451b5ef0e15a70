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
      for (let at = 0; at < count; at += 1) {
        block[filled++] = samples[at] ?? 0
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

function keyIn(block: Int16Array): string | undefined {
  let total = 0
  for (const sample of block) total += sample * sample
  // Silence and quiet speech need no further look.
  if (total * blockLength < 2 * minPower) return undefined
  const low = rowCoefficients.map((coefficient) => powerAt(block, coefficient))
  const high = columnCoefficients.map((coefficient) => powerAt(block, coefficient))
  const [row, rowPower] = strongest(low)
  const [column, columnPower] = strongest(high)
  if (rowPower < minPower || columnPower < minPower) return undefined
  if (columnPower > rowPower * maxReverseTwist || rowPower > columnPower * maxTwist) return undefined
  if (!isPeak(low, row) || !isPeak(high, column)) return undefined
  if (2 * (rowPower + columnPower) < minShare * blockLength * total) return undefined
  return keyGrid[row]?.[column]
}

function powerAt(block: Int16Array, coefficient: number): number {
  let last = 0
  let before = 0
  for (const sample of block) {
    const now = sample + coefficient * last - before
    before = last
    last = now
  }
  return last * last + before * before - coefficient * last * before
}

function strongest(powers: number[]): [index: number, power: number] {
  const power = Math.max(...powers)
  return [powers.indexOf(power), power]
}

const isPeak = (powers: number[], index: number) =>
  powers.every((power, at) => at === index || power * minPeak <= (powers[index] ?? 0))
