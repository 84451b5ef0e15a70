/** A backup as a compressed file, for its owner only, which gets its name when it is complete. */
import { createReadStream, createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { Connection } from '../database.ts'
import { dumpLines, withSession } from './dump.ts'
import { loadLines, RestoreError } from './load.ts'

export async function writeBackup(connection: Connection, path: string, madeAt: Date): Promise<void> {
  const draft = `${path}.part`
  try {
    await withSession(connection, (session) =>
      pipeline(
        Readable.from(dumpLines(session, madeAt)),
        createGzip({ level: 5 }),
        createWriteStream(draft, { mode: 0o600, flush: true }),
      ),
    )
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

export async function readBackup(connection: Connection, path: string): Promise<number> {
  const text = createReadStream(path)
  const unpacked = createGunzip()
  text.once('error', (error) => unpacked.destroy(error))
  try {
    return await loadLines(connection, linesOf(text.pipe(unpacked)))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    // Z_DATA_ERROR, Z_BUF_ERROR: changed, or cut off.
    throw code.startsWith('Z_') ? new RestoreError('The backup is damaged.', { cause: error }) : error
  } finally {
    text.destroy()
  }
}

/** Not by `readline`, which also ends lines at characters that JSON texts may contain. */
async function* linesOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let held = ''
  for await (const piece of bytes) {
    const parts = (held + decoder.decode(piece, { stream: true })).split('\n')
    held = parts.pop() ?? ''
    yield* parts
  }
  if (held !== '') yield held
}
