/** Recordings in a folder of this machine, readable by its owner only. */
import { constants, copyFile, mkdir, open, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ByteRange, RecordingStore, StoredRecording } from './port.ts'

const privateFile = 0o600
const privateFolder = 0o700

export function createFolderStore(folder: string): RecordingStore {
  async function put(name: string, path: string) {
    const target = placeOf(folder, name)
    await mkdir(dirname(target), { recursive: true, mode: privateFolder })
    try {
      await flush(path)
      await move(path, target)
    } catch (error) {
      // Moved before, by one that was ended before it could say so.
      if (codeOf(error) === 'ENOENT' && (await exists(target))) return
      throw error
    }
    await flush(dirname(target))
  }

  async function openOne(name: string): Promise<StoredRecording | undefined> {
    const file = await open(placeOf(folder, name)).catch(unlessMissing)
    if (!file) return undefined
    try {
      const { size } = await file.stat()
      return {
        bytes: size,
        read: (range?: ByteRange) =>
          file.createReadStream(range ? { start: range.from, end: range.to } : { start: 0 }),
        close: () => file.close(),
      }
    } catch (error) {
      await file.close()
      throw error
    }
  }

  async function remove(name: string) {
    const target = placeOf(folder, name)
    await rm(target, { force: true })
    // The folder of a day goes with its last recording.
    await rmdir(dirname(target)).catch(() => {})
  }

  return { put, open: openOne, remove }
}

/** Names are made by us, and still none leads out of the folder. */
function placeOf(folder: string, name: string): string {
  if (!/^(?:[\w-]+\/){0,8}[\w-]+\.wav$/.test(name)) throw new Error(`${name} is not the name of a recording`)
  return join(folder, name)
}

/** A rename is whole or not at all; to another disk a copy is made beside its place first. */
async function move(path: string, target: string) {
  try {
    await rename(path, target)
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error
    await moveByCopy(path, target)
  }
}

export async function moveByCopy(path: string, target: string) {
  const draft = `${target}.${process.pid}`
  try {
    await copyFile(path, draft, constants.COPYFILE_FICLONE)
    const file = await open(draft, 'r+')
    try {
      await file.chmod(privateFile)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  await rm(path, { force: true })
}

/** To the disk itself: a file, or the names in a folder. */
async function flush(path: string) {
  const file = await open(path)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(unlessMissing)) !== undefined
}

function unlessMissing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
