/** Reads an audio source from a word: `tone:440`, `silence`, `echo`, `nothing`, or the path of a WAV file. */
import { readFile, stat } from 'node:fs/promises'
import {
  type AudioSource,
  echoSource,
  noAudio,
  samplesSource,
  silenceSource,
  toneSource,
} from './audio-source.ts'
import { readWav, SoundFileRefusal } from './read-wav.ts'

const maxBytes = 200_000_000

/** Returns a factory: every call gets its own source. Throws SoundFileRefusal for a file that cannot be played. */
export async function readAudioSource(text: string): Promise<() => AudioSource> {
  const [, hertz] = /^tone:(\d{2,4})$/.exec(text) ?? []
  if (hertz !== undefined) return () => toneSource(Number(hertz))
  if (text === 'echo') return echoSource
  if (text === 'silence') return silenceSource
  if (text === 'nothing') return noAudio
  const samples = await readSamples(text)
  return () => samplesSource(samples)
}

async function readSamples(path: string): Promise<Int16Array> {
  try {
    if ((await stat(path)).size > maxBytes) throw new SoundFileRefusal('is too large')
    return readWav(await readFile(path))
  } catch (error) {
    const reason = error instanceof SoundFileRefusal ? error.message : 'cannot be read'
    throw new SoundFileRefusal(`${path} ${reason}`, { cause: error })
  }
}
