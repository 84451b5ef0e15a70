/** The sounds of the media threads: music on hold (D269), and announcements of the operator (D270). */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Cause, causes } from '../../contract/calls/causes.ts'
import { holdMusicName, renderHoldMusic } from '../../media/sound/hold-music.ts'
import { wavSampleRate } from '../../media/sound/wav.ts'
import { SoundFileRefusal } from '../endpoint/audio/read-wav.ts'
import { readWavFile } from '../endpoint/audio/read-wav-file.ts'
import { announcementName } from './call/media/failure-sounds.ts'

type Options = {
  /** A WAV file; without it, music of our own. */
  holdMusic: string | undefined
  /** A folder of WAV files that are named like causes. */
  announcements: string | undefined
}

const maxAnnouncementSeconds = 60

/** `announcements`: the length of each in ms. */
export async function loadSounds({ holdMusic, announcements }: Options) {
  let music = holdMusic === undefined ? undefined : share(await readSound(holdMusic))
  const sounds: Record<string, Int16Array> = {
    /** Our own is rendered for the first media thread, not at the start. */
    get [holdMusicName]() {
      music ??= share(renderHoldMusic())
      return music
    },
  }
  const lengths = new Map<Cause | 'default', number>()
  for (const { cause, path } of announcements === undefined ? [] : await listAnnouncements(announcements)) {
    const samples = await readSound(path)
    if (samples.length > maxAnnouncementSeconds * wavSampleRate) {
      throw new SoundFileRefusal(`${path} is longer than ${maxAnnouncementSeconds} seconds`)
    }
    sounds[announcementName(cause)] = share(samples)
    lengths.set(cause, Math.ceil((samples.length * 1000) / wavSampleRate))
  }
  return { sounds, announcements: lengths }
}

/** Files that are named otherwise are refused: a misspelt one would never be played. */
async function listAnnouncements(folder: string) {
  const files = await readdir(folder).catch((cause: unknown) => {
    throw new SoundFileRefusal(`the folder ${folder} cannot be read`, { cause })
  })
  return files
    .filter((file) => /\.wav$/i.test(file))
    .map((file) => ({ cause: causeOf(file, folder), path: join(folder, file) }))
}

function causeOf(file: string, folder: string): Cause | 'default' {
  const name = file.slice(0, -'.wav'.length)
  if (name === 'default' || isCause(name)) return name
  throw new SoundFileRefusal(
    `${join(folder, file)} is not named like a cause, such as USER_BUSY.wav, or default.wav`,
  )
}

const isCause = (name: string): name is Cause => Object.hasOwn(causes, name)

async function readSound(path: string): Promise<Int16Array> {
  const samples = await readWavFile(path)
  if (samples.length === 0) throw new SoundFileRefusal(`${path} has no sound in it`)
  return samples
}

/** In memory that all threads share. */
function share(samples: Int16Array): Int16Array {
  const shared = new Int16Array(new SharedArrayBuffer(samples.byteLength))
  shared.set(samples)
  return shared
}
