/** Recordings in a folder of this machine, readable by its owner only, encrypted if the operator wants it (D210). */
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type EncryptedFile, type EncryptionOptions, headerBytes } from './encryption.ts'
import { checkName, isOfDayBefore } from './names.ts'
import type { ByteRange, RecordingSource, RecordingStore, StoredRecording } from './port.ts'

const privateFile = 0o600
const privateFolder = 0o700
/** Writing takes seconds: what is older was left by a killed process. */
const draftHours = 1

export function createFolderStore(
  folder: string,
  { cipher, encrypts = false }: EncryptionOptions = {},
): RecordingStore {
  const drafts = join(folder, 'drafts')
  const placeOf = (name: string) => join(folder, checkName(name))

  async function put(name: string, source: RecordingSource) {
    const target = placeOf(name)
    await mkdir(dirname(target), { recursive: true, mode: privateFolder })
    try {
      if (encrypts || !(await source.moveTo?.(target))) await copy(name, source, target)
    } catch (error) {
      // Already stored by a process that ended before it could record that.
      if (await exists(target)) return
      throw error
    }
    await flush(dirname(target))
  }

  /** Written under a temporary name and renamed, so that a recording is stored completely or not at all. */
  async function copy(name: string, source: RecordingSource, target: string) {
    await mkdir(drafts, { recursive: true, mode: privateFolder })
    await removeOldDrafts(drafts)
    const draft = join(drafts, randomUUID())
    try {
      const sound = await source.open()
      const bytes = encrypts && cipher ? cipher.encrypt(name, sound) : sound
      await pipeline(bytes, createWriteStream(draft, { mode: privateFile, flush: true }))
      await rename(draft, target)
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
  }

  async function openOne(name: string): Promise<StoredRecording | undefined> {
    const file = await open(placeOf(name)).catch(unlessMissing)
    if (!file) return undefined
    try {
      const { size } = await file.stat()
      const encrypted = cipher?.open(name, {
        bytes: size,
        head: await readHead(file),
        read: ({ from, to }) => file.createReadStream({ start: from, end: to, autoClose: false }),
      })
      return encrypted ? decrypted(file, encrypted) : plain(file, size)
    } catch (error) {
      await file.close()
      throw error
    }
  }

  async function remove(name: string) {
    const target = placeOf(name)
    await rm(target, { force: true })
    // Removes the day's folder if this was its last recording.
    await rmdir(dirname(target)).catch(() => {})
  }

  async function removeBefore(day: Date) {
    for (const name of await readdir(folder, { recursive: true }).catch(() => [])) {
      if (isOfDayBefore(name, day)) await remove(name)
    }
  }

  return { put, open: openOne, remove, removeBefore }
}

async function readHead(file: FileHandle): Promise<Buffer> {
  const head = Buffer.alloc(headerBytes)
  const { bytesRead } = await file.read(head, 0, headerBytes, 0)
  return head.subarray(0, bytesRead)
}

function plain(file: FileHandle, bytes: number): StoredRecording {
  return {
    bytes,
    read: (range?: ByteRange) =>
      file.createReadStream(range ? { start: range.from, end: range.to } : { start: 0 }),
    close: () => file.close(),
  }
}

function decrypted(file: FileHandle, { bytes, read }: EncryptedFile): StoredRecording {
  return {
    bytes,
    read(range: ByteRange = { from: 0, to: bytes - 1 }) {
      const stream = Readable.from(read(range), { objectMode: false })
      stream.once('close', () => void file.close())
      return stream
    },
    close: () => file.close(),
  }
}

async function removeOldDrafts(drafts: string) {
  for (const name of await readdir(drafts)) {
    const path = join(drafts, name)
    const written = await stat(path).catch(unlessMissing)
    if (written && Date.now() - written.mtimeMs > draftHours * 3_600_000) await rm(path, { force: true })
  }
}

/** Flushes a folder's entries to disk. */
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
