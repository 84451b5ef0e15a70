/** Recordings in a folder of this machine, readable by its owner only. */
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { ByteRange, RecordingSource, RecordingStore, StoredRecording } from './port.ts'

const privateFile = 0o600
const privateFolder = 0o700

export function createFolderStore(folder: string): RecordingStore {
  async function put(name: string, source: RecordingSource) {
    const target = placeOf(folder, name)
    await mkdir(dirname(target), { recursive: true, mode: privateFolder })
    try {
      if (!(await source.moveTo?.(target))) await copy(source, target)
    } catch (error) {
      // Stored before, by a process that ended before it could record that.
      if (await exists(target)) return
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

/** Names are made by us; the check keeps any other from leading out of the folder. */
function placeOf(folder: string, name: string): string {
  if (!/^(?:[\w-]+\/){0,8}[\w-]+\.wav$/.test(name)) throw new Error(`${name} is not the name of a recording`)
  return join(folder, name)
}

/** Written beside its place and renamed, so that a recording is stored whole or not at all. */
async function copy(source: RecordingSource, target: string) {
  const draft = `${target}.${randomUUID()}`
  try {
    await pipeline(await source.open(), createWriteStream(draft, { mode: privateFile, flush: true }))
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** Writes the names in a folder to the disk. */
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
