/** Launches and stops the server process. */
import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunAs } from './accounts.ts'
import { leaveToFolderOwner } from './file-access.ts'
import { findServer, isServer } from './pid-file.ts'
import { runProgram } from './program-run.ts'
import { isUsedByOthers } from './session.ts'
import { type Settings, settingFlags } from './settings.ts'

export type Launch = {
  postgres: string
  cluster: string
  runAs: RunAs
  settings: Settings
  logFile: string
}

export type LaunchedServer = {
  pid: number | undefined
  isAlive(): boolean
  /** What the server logged since its launch. */
  logText(): string
  kill(): void
}

const largestLog = 10 * 1024 * 1024

export function launchServer({ postgres, cluster, runAs, settings, logFile }: Launch): LaunchedServer {
  if (existsSync(logFile) && statSync(logFile).size > largestLog) renameSync(logFile, `${logFile}.old`)
  const output = openSync(logFile, 'a', 0o600)
  leaveToFolderOwner(logFile)
  const from = fstatSync(output).size
  let failure: Error | undefined
  try {
    const args = (folder: string) => ['-D', folder, ...settingFlags(settings)]
    // A process group of its own: on Ctrl-C the service still needs the database to finish its work.
    const child = runProgram({ program: postgres, runAs, folder: cluster, args, output, detached: true })
    child.once('error', (error) => {
      failure = error
    })
    child.unref()
    return {
      pid: child.pid,
      isAlive: () => !failure && child.exitCode === null && child.signalCode === null,
      logText: () => failure?.message ?? readFileSync(logFile).subarray(from).toString('utf8'),
      kill: () => child.kill('SIGQUIT'),
    }
  } finally {
    closeSync(output)
  }
}

const patience = 20_000

/**
 * Fast shutdown: sessions are ended, everything is written. If that takes too long, immediate shutdown: the next start
 * recovers from the write-ahead log. Returns when the process has ended.
 */
export async function stopServer(cluster: string): Promise<void> {
  const server = findServer(cluster)
  if (!server) return
  const ended = (await endBy('SIGINT', server.pid, cluster)) || (await endBy('SIGQUIT', server.pid, cluster))
  if (!ended) throw new Error(`The embedded PostgreSQL (process ${server.pid}) does not end.`)
  if (server.socketFolder !== cluster) rmSync(server.socketFolder, { recursive: true, force: true })
}

/** Stops the server unless other processes than `self` work on it; false if they do. The lock must be held. */
export async function stopIfUnused(cluster: string, self: string): Promise<boolean> {
  const server = findServer(cluster)
  if (server && (await isUsedByOthers(server.socketFolder, self).catch(() => false))) return false
  await stopServer(cluster)
  return true
}

async function endBy(name: 'SIGINT' | 'SIGQUIT', pid: number, cluster: string): Promise<boolean> {
  signal(pid, name)
  for (const began = Date.now(); isServer(pid, cluster); await sleep(5)) {
    if (Date.now() - began > patience) return false
  }
  return true
}

function signal(pid: number, name: 'SIGINT' | 'SIGQUIT'): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
