/**
 * Conceals lost packets in a recording (D285): the sound before them is repeated, backwards and forwards so that it has no
 * click, and fades out within 60 ms. Longer losses end in silence, so that time stays aligned.
 */
import { wavSampleRate } from './wav.ts'

const fadeSamples = (wavSampleRate / 1000) * 60
const maxRemembered = (wavSampleRate / 1000) * 20

/** Remembers the last sound of one channel. */
export function createConcealment() {
  const last = new Int16Array(maxRemembered)
  let remembered = 0

  return {
    remember(samples: Int16Array, count: number) {
      remembered = Math.min(count, maxRemembered)
      last.set(samples.subarray(count - remembered, count))
    },
    forget() {
      remembered = 0
    },
    /** Writes what stands for `count` lost samples into `samples`, and returns how many there are. */
    conceal(count: number, samples: Int16Array): number {
      if (remembered === 0) return 0
      const length = Math.min(count, fadeSamples, samples.length)
      for (let at = 0; at < length; at += 1) {
        // The end of the last sound, mirrored: 3 2 1 0 0 1 2 3 3 2 ...
        const turn = at % (2 * remembered)
        const index = turn < remembered ? remembered - 1 - turn : turn - remembered
        samples[at] = Math.round((last[index] ?? 0) * (1 - (at + 1) / fadeSamples))
      }
      return length
    },
  }
}
