/** postmaster.pid: which process serves the cluster, and where its socket is. */
import { spawnSync } from 'node:child_process'
import { chownSync, readFileSync, readlinkSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type RunningServer = { pid: number; socketFolder: string }

const pidFiles = ['postmaster.pid', '.s.PGSQL.5432.lock']

/** The living server of this cluster. One that has not named its socket yet counts as absent. */
export function findServer(cluster: string): RunningServer | undefined {
  const [pid, , , , socketFolder] = readLines(join(cluster, 'postmaster.pid'))
  if (!socketFolder || !isServer(Number(pid), cluster)) return undefined
  return { pid: Number(pid), socketFolder: socketFolder === '.' ? cluster : socketFolder }
}

/** The number alone proves little: after a restart of the machine or container it is somebody else's. */
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
    // Hidden when it runs in a user namespace that is not ours: then its owner has to do.
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
  // Dead but not collected by its parent (a container whose first process does not) is dead.
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
 * PostgreSQL clears pid files of dead processes itself, but takes any living process with that number
 * for a server, and an empty file for a riddle. Called only while we hold the lock and no server runs.
 *
 * The file is not removed: it names the shared memory by which PostgreSQL sees backends that outlived
 * their server. It is made out to us, the parent, whom PostgreSQL knows not to be a rival.
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

/** undefined entries when there is no file; a first line of '' when it is empty. */
function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
