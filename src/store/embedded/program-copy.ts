/** Copies the programs for a user who cannot run them where npm installed them. */
import {
  chmodSync,
  constants,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { obstacle } from './obstacles.ts'

type Copy = {
  source: string
  name: string
  dataDir: string
  reachable: (folder: string) => boolean
  usable: (root: string) => boolean
}

/** Returns the first folder that has, or can hold, a usable copy: in the data folder, the system's, a temporary one. */
export function copyPackage({ source, name, dataDir, reachable, usable }: Copy): string {
  const refusals: unknown[] = []
  for (const folder of [dataDir, '/var/lib/ramal', join(tmpdir(), `ramal-${process.geteuid?.()}`)]) {
    try {
      prepareFolder(folder)
      if (!reachable(folder)) continue
      const copy = join(folder, name)
      if (!existsSync(copy)) makeCopy(source, copy)
      if (usable(copy)) return copy
      rmSync(copy, { recursive: true, force: true })
    } catch (error) {
      refusals.push(error)
    }
  }
  throw obstacle(
    `PostgreSQL's programs in ${source} cannot be run from there, nor from a copy in ${dataDir} or /var/lib/ramal: open one of these folders to all users`,
    new AggregateError(refusals),
  )
}

/** Programs are run only from a folder in which no other user can write. */
function prepareFolder(folder: string): void {
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true })
    chmodSync(folder, 0o755)
  }
  const { uid, mode } = lstatSync(folder)
  if (uid !== process.geteuid?.() || (mode & 0o002) !== 0) throw new Error(`${folder} is not ours alone`)
}

function makeCopy(source: string, copy: string): void {
  const half = `${copy}.half-${process.pid}`
  try {
    cpSync(join(source, 'native'), join(half, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
    })
    openTree(half)
    renameSync(half, copy)
  } catch (error) {
    // Another process may have put its copy there first.
    if (!existsSync(copy)) throw error
  } finally {
    rmSync(half, { recursive: true, force: true })
  }
}

/** npm under a strict umask leaves files that only their owner can read. */
function openTree(folder: string): void {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue
    const path = join(entry.parentPath, entry.name)
    chmodSync(path, statSync(path).mode & 0o111 ? 0o755 : 0o644)
  }
}
