/** D316: peaks of a recording, from which it is drawn: the loudest sample of each short part, by channel. */
import { wavSampleRate } from '../../media/sound/wav.ts'

/** Number of peaks of a whole recording, for each channel. */
const maxPeaks = 1_000
/** 20 ms: in less, the sound of a voice has no shape. */
const minFrames = wavSampleRate / 50

/** From 0 to 255, which is as loud as a sample can be. */
export type Peaks = { extension: Uint8Array; destination: Uint8Array }

/** A part of the sound, 16 bits, left and right. `framesPerPeak` is that of the whole recording. */
export type SoundPart = { samples: Uint8Array; firstFrame: number; framesPerPeak: number }

/** `at`: the place of the first among all peaks. A peak at the end may go on in the next part. */
export type PartPeaks = Peaks & { at: number }

export const framesPerPeak = (frames: number) => Math.max(minFrames, Math.ceil(frames / maxPeaks))

export function silentPeaks(count: number): Peaks {
  return { extension: new Uint8Array(count), destination: new Uint8Array(count) }
}

export function peaksOf({ samples, firstFrame, framesPerPeak: length }: SoundPart): PartPeaks {
  const levels = new Int16Array(samples.buffer, samples.byteOffset, samples.length / 2)
  const frames = levels.length / 2
  const at = Math.floor(firstFrame / length)
  const end = Math.ceil((firstFrame + frames) / length)
  const peaks = silentPeaks(end - at)
  for (let peak = at, frame = 0; peak < end; peak += 1) {
    const next = Math.min(frames, (peak + 1) * length - firstFrame)
    let [left, right] = [0, 0]
    for (; frame < next; frame += 1) {
      left = Math.max(left, Math.abs(levels[2 * frame] ?? 0))
      right = Math.max(right, Math.abs(levels[2 * frame + 1] ?? 0))
    }
    peaks.extension[peak - at] = peakOf(left)
    peaks.destination[peak - at] = peakOf(right)
  }
  return { at, ...peaks }
}

/** Adds the peaks of a part to those of the recording. */
export function addPart(whole: Peaks, { at, ...part }: PartPeaks) {
  for (const channel of ['extension', 'destination'] as const)
    for (const [index, level] of part[channel].entries())
      whole[channel][at + index] = Math.max(whole[channel][at + index] ?? 0, level)
}

const peakOf = (sample: number) => Math.min(255, sample >> 7)
