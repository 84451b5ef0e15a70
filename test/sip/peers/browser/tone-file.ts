/** A tone as a WAV file: the microphone of a browser. */
import { wavHeader, wavSampleRate } from '../../../../src/media/sound/wav.ts'

/** Ten seconds of a tone, which the browser repeats. */
export function toneFile(hertz: number): Buffer {
  const frames = 10 * wavSampleRate
  const samples = Buffer.alloc(2 * frames)
  for (let n = 0; n < frames; n += 1)
    samples.writeInt16LE(Math.round(8000 * Math.sin((2 * Math.PI * hertz * n) / wavSampleRate)), 2 * n)
  return Buffer.concat([wavHeader(frames, 1), samples])
}
