/** A recording in the form that a listener wants (D286): one channel with both parties, or two with the caller first. */
import { wavHeader, wavHeaderLength } from '../../media/sound/wav.ts'
import { convertedRecording } from '../storage/converted.ts'
import type { StoredRecording } from '../storage/port.ts'

/** `isSwapped`: the right channel of the stored file comes first. */
export type SoundForm = { channels: 1 | 2; isSwapped: boolean }

const sampleBytes = 2
/** Bytes per sample of the stored file: 16 bits, left and right. */
const storedFrame = 2 * sampleBytes

/** `stored` itself if it has the form already. */
export function inForm<T extends StoredRecording>(stored: T, { channels, isSwapped }: SoundForm): T {
  if (channels === 2 && !isSwapped) return stored
  return convertedRecording(stored, {
    stored: { headerBytes: wavHeaderLength, frameBytes: storedFrame },
    wanted: { headerBytes: wavHeaderLength, frameBytes: channels * sampleBytes },
    header: (frames) => wavHeader(frames, channels),
    convert: channels === 1 ? mix : swap,
  })
}

function swap(frames: Buffer): Buffer {
  const swapped = Buffer.allocUnsafe(frames.length)
  for (let at = 0; at < frames.length; at += storedFrame) {
    swapped.writeInt16LE(frames.readInt16LE(at + sampleBytes), at)
    swapped.writeInt16LE(frames.readInt16LE(at), at + sampleBytes)
  }
  return swapped
}

/** The sum of both parties, limited to what a sample can hold: they rarely talk at once. */
function mix(frames: Buffer): Buffer {
  const mixed = Buffer.allocUnsafe(frames.length / 2)
  for (let at = 0; at < frames.length; at += storedFrame) {
    const sum = frames.readInt16LE(at) + frames.readInt16LE(at + sampleBytes)
    mixed.writeInt16LE(Math.max(-32_768, Math.min(32_767, sum)), at / 2)
  }
  return mixed
}
