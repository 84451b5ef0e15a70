/**
 * A PostgreSQL of our own, kept in the data folder: for those who start the service without one.
 *
 *   <data>/postgres       the cluster
 *   <data>/postgres.log   what the server says
 *   <data>/postgres.lock  held by the owner
 *
 * The owner is whoever holds the lock, and only the owner makes, starts, adopts or stops the server.
 * The kernel frees the lock when its holder dies, so ownership can neither be lost by accident nor
 * outlive a kill: a pid in a file may be reused, and a lock inside PostgreSQL falls with the session
 * that holds it. Everyone else on the same folder uses the owner's server and leaves it running.
 *
 *   lock free  ──▶ owner: adopt the orphan that runs, else make, clear, launch
 *   lock taken ──▶ user: wait for the owner's server, or for the lock
 */
import { accessSync, constants, existsSync, mkdirSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { leaveToFolderOwner } from './file-access.ts'
import { type FolderLock, tryLock } from './folder-lock.ts'
import { explain, obstacle } from './obstacles.ts'
import { bringUp, type Wish } from './owner.ts'
import { findServer } from './pid-file.ts'
import { stopServer } from './server.ts'
import { appUser, ask, ensureDatabase } from './session.ts'
import { port, type Settings } from './settings.ts'

export type EmbeddedPostgres = {
  /** for `new pg.Pool(...)` */
  connection: { host: string; port: number; user: string; database: string; ssl: false }
  /** a server left running by a dead process was taken over */
  adopted: boolean
  /** we stop it; false while another living process owns it */
  owned: boolean
  /** Starts the server again, in the same place, if it is ours and has died; does nothing while it lives. */
  revive(): Promise<void>
  /** Close the pools first. Stops the server if it is ours, or if its owner has died since. */
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
  for (;;) {
    const lock = takeLock(home)
    try {
      const up = lock ? await bringUp({ home, cluster, settings, log }) : await findOthers(cluster)
      if (up) {
        await ensureDatabase(up.socketFolder, database)
        const how = up.adopted ? 'adopted' : lock ? 'started' : 'found, owned by another process'
        log(`embedded PostgreSQL ${how} in ${Date.now() - began} ms`)
        return {
          connection: { host: up.socketFolder, port, user: appUser, database, ssl: false as const },
          adopted: up.adopted,
          owned: lock !== undefined,
          revive: createRevive(lock, { home, cluster, settings, log }),
          stop: createStop(home, cluster, lock),
        }
      }
    } catch (error) {
      lock?.release()
      throw error
    }
    if (Date.now() - began > patience) {
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

function createRevive(lock: FolderLock | undefined, wish: Wish) {
  let under: Promise<unknown> | undefined
  return async () => {
    if (!lock?.held()) return
    under ??= bringUp(wish).finally(() => {
      under = undefined
    })
    await under
  }
}

function createStop(home: string, cluster: string, lock: FolderLock | undefined) {
  let stopped: Promise<void> | undefined
  async function stop() {
    const owner = lock ?? takeLock(home)
    if (!owner) return
    try {
      await stopServer(cluster)
    } finally {
      owner.release()
    }
  }
  return () => {
    stopped ??= stop()
    return stopped
  }
}

async function findOthers(cluster: string) {
  const server = existsSync(cluster) ? findServer(cluster) : undefined
  if (!server || (await ask(server.socketFolder)) !== 'ready') return undefined
  return { socketFolder: server.socketFolder, adopted: false }
}

function openDataFolder(dataDir: string): string {
  // 0711: as root the server runs as somebody else, who has to come through.
  mkdirSync(resolve(dataDir), { recursive: true, mode: process.geteuid?.() === 0 ? 0o711 : 0o700 })
  const home = realpathSync(dataDir)
  accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK)
  return home
}
