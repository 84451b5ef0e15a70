/**
 * The spool: the folder in which calls are recorded, one file for each call, named by its id. A file stays until the
 * host discards the recording, so that one left by a killed process is found at the next start.
 */
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../kit/clock.ts'
import { isUuid } from '../../kit/ids.ts'
import { measureWav, repairWav, type WavFile } from '../../media/sound/wav.ts'
import type { AbandonedRecording, Recording } from '../port.ts'

const privateFolder = 0o700
/** A recorder writes every second: a file unchanged for this long has no writer, also not in a process that is ending. */
const unchangedSeconds = 15

/** `clock`: of this machine, by which files are dated. */
export function createSpool({ folder, clock }: { folder: string; clock: Clock }) {
  const pathOf = (callId: string) => join(folder, `${callId}.wav`)

  /** Recordings of calls that are not live. */
  async function* abandoned(isLive: (callId: string) => boolean): AsyncIterable<AbandonedRecording> {
    const names = await readdir(folder).catch(() => [])
    for (const name of names) {
      const callId = name.replace(/\.wav$/, '')
      if (!name.endsWith('.wav') || !isUuid(callId) || isLive(callId)) continue
      const one = await readAbandoned(callId).catch(ignoreMissing)
      if (one) yield one
    }
  }

  async function readAbandoned(callId: string): Promise<AbandonedRecording | undefined> {
    const path = pathOf(callId)
    const { mtime: lastWriteAt, size } = await stat(path)
    if (clock.now().getTime() - lastWriteAt.getTime() < unchangedSeconds * 1000) return undefined
    const measured = await measureWav(path)
    // A file that is no WAV of ours has no sound that we can read.
    const recording = toRecording(measured ?? { path, seconds: 0, bytes: size }, () => repairWav(path))
    return { callId, lastWriteAt, recording, ...(!measured && { setAside: () => setAside(callId) }) }
  }

  async function setAside(callId: string): Promise<string> {
    const unreadable = join(folder, 'unreadable')
    await mkdir(unreadable, { recursive: true, mode: privateFolder })
    const target = join(unreadable, `${callId}.wav`)
    await rename(pathOf(callId), target)
    return target
  }

  return {
    create: () => mkdir(folder, { recursive: true, mode: privateFolder }),
    pathOf,
    toRecording: (file: WavFile) => toRecording(file, async () => {}),
    abandoned,
  }
}
export type Spool = ReturnType<typeof createSpool>

function toRecording({ path, seconds, bytes }: WavFile, repair: () => Promise<unknown>): Recording {
  return {
    seconds,
    bytes,
    async open() {
      await repair()
      return (await open(path)).createReadStream()
    },
    async moveTo(target) {
      await repair()
      await flush(path)
      try {
        await rename(path, target)
        return true
      } catch (error) {
        if (codeOf(error) === 'EXDEV') return false
        throw error
      }
    },
    discard: () => rm(path, { force: true }),
  }
}

async function flush(path: string) {
  const file = await open(path)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Discarded while the folder was being read. */
function ignoreMissing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
