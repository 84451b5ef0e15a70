/** Listens to a recording of ours: how long it is, and which tone is heard on either side. */

import { dominantTone } from '../../engine/media/sound/spectrum.ts'
import { frameBytes, wavHeaderLength } from '../../engine/media/sound/wav.ts'

const framesPerSecond = 8000

export type Listened = { seconds: number; left: number | undefined; right: number | undefined }

export function listenTo(file: Buffer): Listened {
  if (file.toString('latin1', 0, 4) !== 'RIFF') throw new Error('the recording is no WAV file')
  const frames = Math.floor((file.length - wavHeaderLength) / frameBytes)
  const side = (offset: number) => {
    // The second in the middle: at either end one side may not have begun, or be gone already.
    const first = Math.max(0, Math.floor((frames - framesPerSecond) / 2))
    const samples = Int16Array.from({ length: Math.min(frames, framesPerSecond) }, (_, index) =>
      file.readInt16LE(wavHeaderLength + (first + index) * frameBytes + offset),
    )
    return dominantTone(samples)?.hertz
  }
  return { seconds: frames / framesPerSecond, left: side(0), right: side(frameBytes / 2) }
}
