/**
 * An embedded PostgreSQL in the data folder, used when the operator gives none.
 *
 *   <data>/postgres       the cluster
 *   <data>/postgres.log   the server's log
 *   <data>/postgres.lock  held by the owner
 *   <data>/postgresql-…   the programs (D451)
 *
 * The process that holds the lock is the owner; only the owner creates, starts, adopts or stops the server. The kernel
 * releases the lock when its holder dies, so ownership is neither lost by accident nor does it outlive a kill. (A pid
 * in a file may be reused, and a lock inside PostgreSQL is released with its session.) Other processes on the same
 * folder use the owner's server. If the owner ends first, another process may take the free lock, and restart or stop
 * the server.
 *
 *   lock free  ──▶ owner: adopt the orphan that runs, else make, clear, launch
 *   lock taken ──▶ user: wait for the owner's server, or for the lock
 *
 * Each of them has a watchdog, which stops the server when its process was killed and no other works on it.
 */
import { accessSync, constants, existsSync, mkdirSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDatabaseDown } from '../connection/database-errors.ts'
import { leaveToFolderOwner } from './file-access.ts'
import { type FolderLock, tryLock } from './folder-lock.ts'
import { explain, obstacle } from './obstacles.ts'
import { bringUp, type ServerOptions } from './owner.ts'
import { findServer } from './pid-file.ts'
import { hasPrograms } from './programs.ts'
import { stopIfUnused } from './server.ts'
import { appName, appUser, ask, ensureDatabase } from './session.ts'
import { port, type Settings } from './settings.ts'
import { startWatchdog, type Watchdog } from './watchdog/watchdog.ts'

export type EmbeddedPostgres = {
  /** For `new pg.Pool(...)`. */
  connection: { host: string; port: number; user: string; database: string; ssl: false }
  /** True if a server left running by a dead process was taken over. */
  adopted: boolean
  /** True if this process stops the server; false while another process owns it. */
  owned: boolean
  /** False once the programs of a server that this process started were removed. */
  isComplete(): boolean
  /** Restarts the server in the same place if it died and no other process owns it. */
  revive(): Promise<void>
  /** To be called after closing the pools. Stops the server unless another process owns or uses it. */
  stop(): Promise<void>
}

export type EmbeddedPostgresOptions = {
  dataDir: string
  database?: string
  log: (line: string) => void
  settings?: Settings
}

export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  try {
    return await start(options)
  } catch (error) {
    throw explain(error, options.dataDir)
  }
}

const patience = 150_000

async function start({ dataDir, database = 'ramal', log, settings = {} }: EmbeddedPostgresOptions) {
  const began = Date.now()
  const home = openDataFolder(dataDir)
  const cluster = join(home, 'postgres')
  const watchdog = startWatchdog(home)
  for (;;) {
    const lock = takeLock(home)
    try {
      const up = lock ? await bringUp({ home, cluster, settings, log }) : await findOthers(cluster)
      if (up && (await hasDatabase(up.socketFolder, database, lock))) {
        const how = up.adopted ? 'adopted' : lock ? 'started' : 'found, owned by another process'
        log(`embedded PostgreSQL ${how} in ${Date.now() - began} ms`)
        const { revive, stop } = createEnd(lock, watchdog, { home, cluster, settings, log })
        return {
          connection: { host: up.socketFolder, port, user: appUser, database, ssl: false as const },
          adopted: up.adopted,
          owned: lock !== undefined,
          isComplete: () => up.programs === undefined || hasPrograms(up.programs),
          revive,
          stop,
        }
      }
    } catch (error) {
      watchdog.dismiss()
      lock?.release()
      throw error
    }
    if (Date.now() - began > patience) {
      watchdog.dismiss()
      throw obstacle(`Another process holds ${home} and its database does not answer: end that process`)
    }
    await sleep(25)
  }
}

function takeLock(home: string): FolderLock | undefined {
  const path = join(home, 'postgres.lock')
  const lock = tryLock(path)
  leaveToFolderOwner(path)
  return lock
}

function createEnd(taken: FolderLock | undefined, watchdog: Watchdog, options: ServerOptions) {
  let lock = taken
  let reviving: Promise<unknown> | undefined
  let stopping: Promise<void> | undefined

  async function revive() {
    if (stopping !== undefined) return
    lock ??= takeLock(options.home)
    if (!lock) return
    reviving ??= bringUp(options).finally(() => {
      reviving = undefined
    })
    await reviving
  }

  async function stop() {
    await reviving?.catch(() => {})
    lock ??= takeLock(options.home)
    if (!lock) return
    try {
      await stopIfUnused(options.cluster, appName)
    } finally {
      lock.release()
    }
  }

  return {
    revive,
    stop() {
      stopping ??= stop().finally(watchdog.dismiss)
      return stopping
    },
  }
}

/** False if another process, which holds the lock, stopped its server meanwhile: the next round finds the lock free. */
async function hasDatabase(socketFolder: string, database: string, lock: FolderLock | undefined) {
  try {
    await ensureDatabase(socketFolder, database)
    return true
  } catch (error) {
    if (lock || !isDatabaseDown(error)) throw error
    return false
  }
}

async function findOthers(cluster: string) {
  const server = existsSync(cluster) ? findServer(cluster) : undefined
  if (!server || (await ask(server.socketFolder)) !== 'ready') return undefined
  return { socketFolder: server.socketFolder, adopted: false, programs: undefined }
}

function openDataFolder(dataDir: string): string {
  // 0711 as root: the server runs as another user, who must be able to enter the folder.
  mkdirSync(resolve(dataDir), { recursive: true, mode: process.geteuid?.() === 0 ? 0o711 : 0o700 })
  const home = realpathSync(dataDir)
  accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK)
  return home
}
