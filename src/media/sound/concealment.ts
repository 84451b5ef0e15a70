/**
 * Conceals lost packets in a recording (D285): the sound before them is repeated, backwards and forwards so that it has no
 * click, and fades out within 60 ms. Longer losses end in silence, so that time stays aligned.
 */
import { wavSampleRate } from './wav.ts'

const fadeSamples = (wavSampleRate / 1000) * 60
/** How much of the sound before a loss is repeated. */
export const maxRepeated = (wavSampleRate / 1000) * 20

/** Writes what stands for `count` lost samples after `sound` into `samples`, and returns how many there are. */
export function conceal(sound: Int16Array, count: number, samples: Int16Array): number {
  const repeated = sound.length
  if (repeated === 0) return 0
  const length = Math.min(count, fadeSamples, samples.length)
  for (let at = 0; at < length; at += 1) {
    // The end of the sound, mirrored: 3 2 1 0 0 1 2 3 3 2 ...
    const turn = at % (2 * repeated)
    const index = turn < repeated ? repeated - 1 - turn : turn - repeated
    samples[at] = Math.round((sound[index] ?? 0) * (1 - (at + 1) / fadeSamples))
  }
  return length
}
