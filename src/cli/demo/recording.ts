/** Analyses a recording: its length, and the tone in each channel. */
import { dominantTone } from '../../media/sound/spectrum.ts'
import { frameBytes, wavHeaderLength } from '../../media/sound/wav.ts'

const framesPerSecond = 8000

export type AnalysedRecording = { seconds: number; left: number | undefined; right: number | undefined }

export function analyseRecording(file: Buffer): AnalysedRecording {
  if (file.toString('latin1', 0, 4) !== 'RIFF') throw new Error('the recording is no WAV file')
  const frames = Math.floor((file.length - wavHeaderLength) / frameBytes)
  const toneAt = (offset: number) => {
    // The second in the middle: at the ends one side may be silent.
    const first = Math.max(0, Math.floor((frames - framesPerSecond) / 2))
    const samples = Int16Array.from({ length: Math.min(frames, framesPerSecond) }, (_, index) =>
      file.readInt16LE(wavHeaderLength + (first + index) * frameBytes + offset),
    )
    return dominantTone(samples)?.hertz
  }
  return { seconds: frames / framesPerSecond, left: toneAt(0), right: toneAt(frameBytes / 2) }
}
