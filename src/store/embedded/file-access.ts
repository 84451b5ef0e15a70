/** What another user may do with our files, by owner, group and mode. */
import { chownSync, lchownSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

export type Identity = { uid: number; gid: number }

const enter = 1
const read = 4

/** Whether the user may enter this folder and every folder above it. */
export function canEnter(folder: string, who: Identity): boolean {
  const real = realpathSync(folder)
  return allows(real, who, enter) && (real === dirname(real) || canEnter(dirname(real), who))
}

export function canRead(file: string, who: Identity): boolean {
  return canEnter(dirname(file), who) && allows(file, who, read)
}

export function canExecute(file: string, who: Identity): boolean {
  return canEnter(dirname(file), who) && allows(file, who, read | enter)
}

function allows(path: string, who: Identity, wanted: number): boolean {
  const { uid, gid, mode } = statSync(path)
  const shift = uid === who.uid ? 6 : gid === who.gid ? 3 : 0
  return ((mode >> shift) & wanted) === wanted
}

export function giveTree(folder: string, { uid, gid }: Identity): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    lchownSync(join(folder, name), uid, gid)
  }
  chownSync(folder, uid, gid)
}

/** Gives a file that root created in a user's folder to that user, who must be able to use it later. */
export function leaveToFolderOwner(path: string): void {
  if (process.geteuid?.() !== 0) return
  const { uid, gid } = statSync(dirname(path))
  if (uid !== 0) chownSync(path, uid, gid)
}
