/**
 * D451: PostgreSQL's programs in the data folder. A running server still reads its files (libraries, time zones), and `npm ci`,
 * or an installation of the next version in the same place, removes those of the package. Files are hard links where that is
 * possible: they take no room, and stay when the package is removed.
 */
import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { obstacle } from './obstacles.ts'

type Copy = {
  source: string
  name: string
  dataDir: string
  /** Whether everybody who runs the programs may enter the folder. */
  reachable: (folder: string) => boolean
  /** Whether everybody can run the programs in it. */
  usable: (root: string) => boolean
  /** Also for other users than the one who copies. */
  forOthers: boolean
}

/**
 * The folder to run the programs from: a copy in the data folder, else the package itself, else a copy in the system's folder
 * or in a temporary one (root's home is closed to others).
 */
export function choosePrograms(copy: Copy): string {
  const { source, dataDir, usable } = copy
  const refusals: unknown[] = []
  const inData = copyTo(dataDir, copy, refusals)
  if (inData !== undefined) return inData
  if (usable(source)) return source
  for (const folder of ['/var/lib/ramal', join(tmpdir(), `ramal-${process.geteuid?.()}`)]) {
    const found = copyTo(folder, copy, refusals)
    if (found !== undefined) return found
  }
  throw obstacle(
    `PostgreSQL's programs in ${source} cannot be run from there, nor from a copy in ${dataDir} or /var/lib/ramal: open one of these folders to all users`,
    new AggregateError(refusals),
  )
}

/** Copies of versions that no server runs from any more. */
export function removeOtherCopies(dataDir: string, name: string): void {
  for (const found of readdirSync(dataDir)) {
    if (found.startsWith('postgresql-') && found !== name)
      rmSync(join(dataDir, found), { recursive: true, force: true })
  }
}

function copyTo(folder: string, { source, name, reachable, usable, forOthers }: Copy, refusals: unknown[]) {
  try {
    prepareFolder(folder)
    if (!reachable(folder)) return undefined
    const copy = join(folder, name)
    if (!existsSync(copy)) makeCopy(source, copy, forOthers)
    if (usable(copy)) return copy
    rmSync(copy, { recursive: true, force: true })
  } catch (error) {
    refusals.push(error)
  }
  return undefined
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

function makeCopy(source: string, copy: string, forOthers: boolean): void {
  const half = `${copy}.half-${process.pid}`
  try {
    placeFolder(join(source, 'native'), join(half, 'native'))
    chmodSync(half, forOthers ? 0o755 : 0o700)
    renameSync(half, copy)
  } catch (error) {
    // Another process may have put its copy there first.
    if (!existsSync(copy)) throw error
  } finally {
    rmSync(half, { recursive: true, force: true })
  }
}

function placeFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  chmodSync(to, 0o755)
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) placeFolder(source, target)
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target)
    else placeFile(source, target)
  }
}

/** npm under a strict umask leaves files that only their owner can read: those are copied, and opened. */
function placeFile(source: string, target: string): void {
  const { mode } = statSync(source)
  const wanted = mode & 0o111 ? 0o755 : 0o644
  if ((mode & wanted) === wanted && linkFile(source, target)) return
  copyFileSync(source, target, constants.COPYFILE_FICLONE)
  chmodSync(target, wanted)
}

/** Not to another disk, and on Linux not to files of another user. */
function linkFile(source: string, target: string): boolean {
  try {
    linkSync(source, target)
    return true
  } catch {
    return false
  }
}
