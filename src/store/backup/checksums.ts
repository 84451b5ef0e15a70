/** D518: the checksums of all files of a backup, in the form that `sha256sum -c` reads. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { RestoreError } from './load.ts'

const fileName = 'SHA256SUMS'

export async function writeChecksums(folder: string): Promise<void> {
  const lines: string[] = []
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    lines.push(`${await checksumOf(path)}  ${relative(folder, path)}\n`)
  }
  await writeFile(join(folder, fileName), lines.sort().join(''), { mode: 0o600, flush: true })
}

/** Throws if a file is not as it was written. False if there are no checksums: earlier versions wrote none. */
export async function verifyChecksums(folder: string): Promise<boolean> {
  const text = await readFile(join(folder, fileName), 'utf8').catch(unlessMissing)
  if (text === undefined) return false
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const [, wanted, name] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? []
    if (!wanted || !name) throw new RestoreError(`The backup is damaged: ${fileName} cannot be read.`)
    const found = await checksumOf(join(folder, name)).catch(unlessMissing)
    if (found === undefined) throw new RestoreError(`The backup is incomplete: ${name} is missing.`)
    if (found !== wanted)
      throw new RestoreError(`The backup is damaged: ${name} has changed since it was made.`)
  }
  return true
}

async function checksumOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

function unlessMissing(error: unknown): undefined {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
}
