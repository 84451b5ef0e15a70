import { readFile, stat } from 'node:fs/promises'
import { readWav, SoundFileRefusal } from './read-wav.ts'

const maxBytes = 200_000_000

/** The first channel, at 8 kHz. Throws SoundFileRefusal, with the path in its message, for a file that cannot be played. */
export async function readWavFile(path: string): Promise<Int16Array> {
  try {
    if ((await stat(path)).size > maxBytes) throw new SoundFileRefusal('is too large')
    return readWav(await readFile(path))
  } catch (error) {
    const reason = error instanceof SoundFileRefusal ? error.message : 'cannot be read'
    throw new SoundFileRefusal(`${path} ${reason}`, { cause: error })
  }
}
