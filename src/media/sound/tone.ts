/** Tones by frequency and cadence, rendered once per codec and cached. */
import { type Codec, createPacketEncoder } from '../codecs/codec.ts'
import { packetMs } from '../rtp/pacer.ts'

/** `cadence` alternates sound and silence, in ms; empty is a continuous tone. */
export type Tone = { hertz: number[]; cadence: number[] }

/** The Brazilian ringing tone. */
export const brazilianRingback: Tone = { hertz: [425], cadence: [1000, 4000] }

/** About -13 dBm0, as exchanges play their tones. */
const peak = 7000
/** Every key in every codec, and the tones of a call. */
const maxCached = 96
const maxCycleMs = 10_000

const cache = new Map<string, Uint8Array[]>()

/**
 * The payloads of one cycle of the cadence, which is whole packets long, so that repeating it makes no click. None
 * for a codec without an encoder.
 */
export function renderTone(tone: Tone, { name, audio }: Codec): readonly Uint8Array[] {
  const key = JSON.stringify([tone.hertz, tone.cadence, name])
  const cached = cache.get(key)
  if (cached) return cached
  if (!audio) return []
  const samples = renderSamples(tone, audio.sampleRate)
  const encode = createPacketEncoder(audio, audio.sampleRate)
  const length = (audio.sampleRate / 1000) * packetMs
  const payloads: Uint8Array[] = []
  for (let at = 0; at < samples.length; at += length) payloads.push(encode(samples.subarray(at, at + length)))
  if (cache.size >= maxCached) cache.clear()
  cache.set(key, payloads)
  return payloads
}

export function checkTone({ cadence }: Tone) {
  const total = cycleMs(cadence)
  if (!(total >= packetMs && total <= maxCycleMs)) throw new RangeError('a cadence lasts from 20 ms to 10 s')
}

const cycleMs = (cadence: number[]) =>
  cadence.length > 0 ? cadence.reduce((sum, ms) => sum + ms, 0) : continuousCycleMs
const continuousCycleMs = 1000

export function renderSamples(tone: Tone, sampleRate = 8000): Int16Array {
  checkTone(tone)
  const { hertz, cadence } = tone
  const samplesPerMs = sampleRate / 1000
  const packets = Math.max(1, Math.round(cycleMs(cadence) / packetMs))
  const samples = new Int16Array(packets * packetMs * samplesPerMs)
  let from = 0
  for (const [index, ms] of (cadence.length > 0 ? cadence : [continuousCycleMs]).entries()) {
    const to = Math.min(samples.length, Math.round((from / samplesPerMs + ms) * samplesPerMs))
    if (index % 2 === 0) for (let at = from; at < to; at += 1) samples[at] = sampleAt(hertz, at, sampleRate)
    from = to
  }
  return samples
}

function sampleAt(hertz: number[], at: number, sampleRate: number): number {
  let sum = 0
  for (const frequency of hertz) sum += Math.sin((2 * Math.PI * frequency * at) / sampleRate)
  return Math.round((peak * sum) / hertz.length)
}
