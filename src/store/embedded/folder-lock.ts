/**
 * A file lock that the kernel releases when its holder dies, in whatever way.
 *
 * Node has no file lock, but its built-in SQLite has one. Nothing is stored in the file. No other code in this process
 * may open the file: closing it would release the lock (POSIX).
 */
import { chmodSync, closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

export type FolderLock = { release(): void }

const busy = 5

// The garbage collector would close an unreferenced handle, and so release the lock.
const held = new Set<DatabaseSync>()

/** Returns the lock; undefined if a process, perhaps this one, holds it. */
export function tryLock(path: string): FolderLock | undefined {
  makePrivate(path)
  const file = new DatabaseSync(path, { timeout: 0 })
  try {
    file.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    file.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === busy) return undefined
    throw error
  }
  held.add(file)
  return {
    release() {
      if (held.delete(file)) file.close()
    },
  }
}

/** D211: files are private. SQLite would make the file with the mode that the umask leaves. A file that is there is not opened, see above. */
function makePrivate(path: string) {
  const made = unless('EEXIST', () => openSync(path, 'wx', 0o600))
  if (made !== undefined) closeSync(made)
  // Another user's file is left to that user.
  else unless('EPERM', () => chmodSync(path, 0o600))
}

function unless<T>(expected: string, act: () => T): T | undefined {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === expected)) throw error
  }
}
