/** D269: what a held party listens to unless the operator names a file: slow broken chords, rendered once. */
import { wavSampleRate } from './wav.ts'

/** Its name in the media threads, also if it is the operator's. */
export const holdMusicName = 'hold music'

/** Hertz. C major, A minor, F major, G major, within the band of telephones. */
const chords = [
  [523.25, 659.26, 783.99, 1046.5],
  [440, 523.25, 659.26, 880],
  [349.23, 440, 523.25, 698.46],
  [392, 493.88, 587.33, 783.99],
]
/** Notes of a chord in the order in which they are played. */
const figure = [0, 1, 2, 3, 2, 1, 2, 1]
/** Fifteen packets, so that the whole is made of whole packets. */
const noteMs = 300
const tailMs = 1500
const attackMs = 12
const decayMs = 450
/** Softer than speech and tones. */
const peak = 2400

/** One cycle; its last notes fade out in its beginning, so that repeating it makes no click. */
export function renderHoldMusic(): Int16Array {
  const perMs = wavSampleRate / 1000
  const notes = chords.flatMap((chord) => figure.map((note) => chord[note] ?? 0))
  const mixed = new Float64Array(notes.length * noteMs * perMs)
  for (const [index, hertz] of notes.entries()) {
    const from = index * noteMs * perMs
    for (let at = 0; at < tailMs * perMs; at += 1) {
      const slot = (from + at) % mixed.length
      mixed[slot] = (mixed[slot] ?? 0) + envelope(at / perMs) * waveAt(hertz, at / wavSampleRate)
    }
  }
  return Int16Array.from(mixed, (sample) => Math.round(peak * sample))
}

function envelope(ms: number): number {
  return Math.min(1, ms / attackMs) * Math.exp(-ms / decayMs)
}

function waveAt(hertz: number, seconds: number): number {
  const phase = 2 * Math.PI * hertz * seconds
  return Math.sin(phase) + 0.2 * Math.sin(2 * phase)
}
