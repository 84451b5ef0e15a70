/** Reads an audio source from a word: `tone:440`, `silence`, `echo`, `nothing`, or the path of a WAV file. */
import {
  type AudioSource,
  echoSource,
  noAudio,
  samplesSource,
  silenceSource,
  toneSource,
} from './audio-source.ts'
import { readWavFile } from './read-wav-file.ts'

/** Returns a factory: every call gets its own source. Throws SoundFileRefusal for a file that cannot be played. */
export async function readAudioSource(text: string): Promise<() => AudioSource> {
  const [, hertz] = /^tone:(\d{2,4})$/.exec(text) ?? []
  if (hertz !== undefined) return () => toneSource(Number(hertz))
  if (text === 'echo') return echoSource
  if (text === 'silence') return silenceSource
  if (text === 'nothing') return noAudio
  const samples = await readWavFile(text)
  return () => samplesSource(samples)
}
