/** Tones by frequency and cadence, rendered once and cached. */
import { encode, type Law } from '../codecs/g711.ts'

/** `cadence` alternates sound and silence, in ms; empty is a continuous tone. */
export type Tone = { hertz: number[]; cadence: number[] }

/** The Brazilian ringing tone. */
export const brazilianRingback: Tone = { hertz: [425], cadence: [1000, 4000] }

const samplesPerSecond = 8000
/** About -13 dBm0, as exchanges play their tones. */
const peak = 7000
const maxCached = 16
const maxCycleMs = 10_000

const cache = new Map<string, Uint8Array>()

/** One cycle of the cadence, whole packets long, so that repeating it makes no click. */
export function renderTone(tone: Tone, law: Law): Uint8Array {
  const key = JSON.stringify([tone.hertz, tone.cadence, law])
  const cached = cache.get(key)
  if (cached) return cached
  const octets = encode(law, renderSamples(tone))
  if (cache.size >= maxCached) cache.clear()
  cache.set(key, octets)
  return octets
}

export function renderSamples({ hertz, cadence }: Tone): Int16Array {
  const intervals = cadence.length > 0 ? cadence : [1000]
  const total = intervals.reduce((sum, ms) => sum + ms, 0)
  if (!(total >= 20 && total <= maxCycleMs)) throw new RangeError('a cadence lasts from 20 ms to 10 s')
  const packets = Math.max(1, Math.round(total / 20))
  const samples = new Int16Array(packets * 160)
  let from = 0
  for (const [index, ms] of intervals.entries()) {
    const to = Math.min(samples.length, Math.round((from / 8 + ms) * 8))
    if (index % 2 === 0) for (let at = from; at < to; at += 1) samples[at] = sampleAt(hertz, at)
    from = to
  }
  return samples
}

function sampleAt(hertz: number[], at: number): number {
  let sum = 0
  for (const frequency of hertz) sum += Math.sin((2 * Math.PI * frequency * at) / samplesPerSecond)
  return Math.round((peak * sum) / hertz.length)
}
