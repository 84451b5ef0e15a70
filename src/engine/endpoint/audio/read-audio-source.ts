/** What a phone is told to play, in a word: `tone:440`, `silence`, `echo`, `nothing`, or a WAV file. */
import { readFile, stat } from 'node:fs/promises'
import { type Play, playEcho, playNothing, playSamples, playSilence, playTone } from './audio-source.ts'
import { readWav, SoundFileRefusal } from './read-wav.ts'

const mostBytes = 200_000_000

/** Every call has its own. Throws SoundFileRefusal, a sentence about the file, at one that cannot be played. */
export async function readPlay(text: string): Promise<() => Play> {
  const [, hertz] = /^tone:(\d{2,4})$/.exec(text) ?? []
  if (hertz !== undefined) return () => playTone(Number(hertz))
  if (text === 'echo') return playEcho
  if (text === 'silence') return playSilence
  if (text === 'nothing') return playNothing
  const samples = await readSamples(text)
  return () => playSamples(samples)
}

async function readSamples(path: string): Promise<Int16Array> {
  try {
    if ((await stat(path)).size > mostBytes) throw new SoundFileRefusal('is too large')
    return readWav(await readFile(path))
  } catch (error) {
    const reason = error instanceof SoundFileRefusal ? error.message : 'cannot be read'
    throw new SoundFileRefusal(`${path} ${reason}`, { cause: error })
  }
}
