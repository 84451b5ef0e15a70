/**
 * A lock the kernel drops with its holder, however the holder dies.
 *
 * Node offers no file lock; SQLite does, and it is built in. Nothing is ever stored in the file.
 * Nobody else in this process may open the file: closing it would drop the lock (POSIX).
 */
import { DatabaseSync } from 'node:sqlite'

export type FolderLock = { release(): void }

const busy = 5

// A handle nobody refers to is closed by the garbage collector, and the lock with it.
const held = new Set<DatabaseSync>()

/** The lock, or undefined when a living process (perhaps this one) has it. */
export function tryLock(path: string): FolderLock | undefined {
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
