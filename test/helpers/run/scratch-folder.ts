/** Where tests write what they delete again: in memory where that has room, because test databases are thousands of files. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'
const minBytes = 3 * 1024 ** 3
const prefix = 'ramal-tests-'

/** A folder that is removed when this process ends, or the folder of temporary files. */
export function openScratchFolder(): string {
  if (!hasRoom()) return tmpdir()
  removeLeftovers()
  const folder = join(memory, `${prefix}${process.pid}`)
  mkdirSync(folder)
  // As /tmp: the embedded PostgreSQL may run as another user.
  chmodSync(folder, 0o1777)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function hasRoom(): boolean {
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === memory)
    const { bavail, bsize } = statfsSync(memory)
    return mount !== undefined && !mount.includes('noexec') && bavail * bsize >= minBytes
  } catch {
    return false
  }
}

/** Left by runs that were killed. */
function removeLeftovers() {
  for (const name of readdirSync(memory)) {
    if (name.startsWith(prefix) && !isRunning(Number(name.slice(prefix.length))))
      rmSync(join(memory, name), { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
