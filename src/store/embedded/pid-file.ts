/** postmaster.pid: the pid of the cluster's server, and its socket folder. */
import { spawnSync } from 'node:child_process'
import { chownSync, readFileSync, readlinkSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type RunningServer = { pid: number; socketFolder: string }

const pidFiles = ['postmaster.pid', '.s.PGSQL.5432.lock']

/** The running server of this cluster; undefined also while it has not written its socket folder yet. */
export function findServer(cluster: string): RunningServer | undefined {
  const [pid, , , , socketFolder] = readLines(join(cluster, 'postmaster.pid'))
  if (!socketFolder || !isServer(Number(pid), cluster)) return undefined
  return { pid: Number(pid), socketFolder: socketFolder === '.' ? cluster : socketFolder }
}

/** Checks more than the pid, which may belong to another process after a restart of the machine or container. */
export function isServer(pid: number, cluster: string): boolean {
  if (!isAlive(pid)) return false
  if (process.platform !== 'linux') {
    return spawnSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' }).stdout.includes(
      'postgres',
    )
  }
  return statOf(pid).startsWith('(postgres) ') && worksIn(pid, cluster)
}

function worksIn(pid: number, cluster: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === cluster
  } catch {
    // Not readable if the process runs in another user namespace: then its uid decides.
    const process = statSync(`/proc/${pid}`, { throwIfNoEntry: false })
    return process?.uid === statSync(cluster).uid
  }
}

export function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
  // A zombie (in a container whose first process reaps no children) counts as dead.
  return process.platform !== 'linux' || !/\) [ZX] /.test(statOf(pid))
}

function statOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^\d+ /, '')
  } catch {
    return '() X '
  }
}

/**
 * PostgreSQL removes pid files of dead processes itself, but mistakes any live process with that pid for a server, and
 * refuses an empty file. To be called only while holding the lock, with no server running.
 *
 * The file is not removed: it names the shared memory in which PostgreSQL finds backends that outlived their server.
 * Our own pid is written into it: PostgreSQL does not mistake its parent process for another server.
 */
export function disownPidFiles(cluster: string): void {
  for (const path of pidFiles.map((name) => join(cluster, name))) {
    const [pid, ...rest] = readLines(path)
    if (pid === undefined) continue
    if (!Number(pid)) rmSync(path, { force: true })
    else if (isAlive(Number(pid))) {
      const { uid, gid } = statSync(path)
      writeFileSync(`${path}.new`, [process.pid, ...rest].join('\n'), { mode: 0o600 })
      chownSync(`${path}.new`, uid, gid)
      renameSync(`${path}.new`, path)
    }
  }
}

/** An empty list if there is no file; a first line of '' if it is empty. */
function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
