/** Tones by frequency and cadence, drawn once into octets and then only read. */
import { encode, type Law } from '../codecs/g711.ts'

/** `cadence` is sound and silence by turns, in ms; empty is a tone without end. */
export type Tone = { hertz: number[]; cadence: number[] }

/** What a Brazilian caller hears while the other phone rings. */
export const brazilianRingback: Tone = { hertz: [425], cadence: [1000, 4000] }

const samplesPerSecond = 8000
/** About -13 dBm0, as exchanges play their tones. */
const peak = 7000
const mostKept = 16
const longestCycle = 10_000

const drawn = new Map<string, Uint8Array>()

/** One round of the cadence; whole packets long, so that rounds join without a click. */
export function drawTone(tone: Tone, law: Law): Uint8Array {
  const key = JSON.stringify([tone.hertz, tone.cadence, law])
  const kept = drawn.get(key)
  if (kept) return kept
  const octets = encode(law, drawSamples(tone))
  if (drawn.size >= mostKept) drawn.clear()
  drawn.set(key, octets)
  return octets
}

export function drawSamples({ hertz, cadence }: Tone): Int16Array {
  const turns = cadence.length > 0 ? cadence : [1000]
  const total = turns.reduce((sum, ms) => sum + ms, 0)
  if (!(total >= 20 && total <= longestCycle)) throw new RangeError('a cadence lasts from 20 ms to 10 s')
  const packets = Math.max(1, Math.round(total / 20))
  const samples = new Int16Array(packets * 160)
  let from = 0
  for (const [turn, ms] of turns.entries()) {
    const to = Math.min(samples.length, Math.round((from / 8 + ms) * 8))
    if (turn % 2 === 0) for (let at = from; at < to; at += 1) samples[at] = sampleAt(hertz, at)
    from = to
  }
  return samples
}

function sampleAt(hertz: number[], at: number): number {
  let sum = 0
  for (const one of hertz) sum += Math.sin((2 * Math.PI * one * at) / samplesPerSecond)
  return Math.round((peak * sum) / hertz.length)
}
