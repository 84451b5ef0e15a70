/**
 * D264: moves the embedded cluster to the major version that is installed. The old programs read it once more, the new
 * cluster is made beside it, and only when that is complete the two are exchanged:
 *
 *   <data>/postgres (old)  ──▶ <data>/upgrade/database.jsonl.gz ──▶ <data>/upgrade/postgres (new)
 *   <data>/postgres ──▶ <data>/postgres-<old major>,  <data>/upgrade/postgres ──▶ <data>/postgres
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readBackup, writeBackup } from '../backup/backup-file.ts'
import { accountsFor } from './accounts.ts'
import { claimCluster, hasCluster, interruptedUpgrade, upgradeFolder } from './cluster.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { tryLock } from './folder-lock.ts'
import { obstacle } from './obstacles.ts'
import { disownPidFiles, findServer } from './pid-file.ts'
import { findPackage } from './programs.ts'
import { launchServer, stopServer } from './server.ts'
import { appUser, awaitReady } from './session.ts'
import { defaultSettings, port, prepareSocketFolder } from './settings.ts'

type Options = {
  dataDir: string
  /** The folder of the old version's `postgres`; by default where Debian has it. */
  programs: string | undefined
  /** Proves the new cluster before the exchange; throws if it is not right. */
  prove: (connection: { host: string; port: number; user: string; database: string }) => Promise<void>
  log: (line: string) => void
}

const database = 'ramal'

export async function upgradeCluster({ dataDir: home, programs, prove, log }: Options): Promise<void> {
  const cluster = join(home, 'postgres')
  const lock = tryLock(join(home, 'postgres.lock'))
  if (!lock) throw obstacle(`A service is running on ${home}: stop it first`)
  try {
    if (interruptedUpgrade(cluster)) return exchange(home, log)
    if (!hasCluster(cluster)) throw obstacle(`There is no database in ${home}`)
    const major = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
    const installed = findPackage().major
    if (major === installed) return log(`The database is of PostgreSQL ${installed} already.`)
    const postgres = join(programs ?? `/usr/lib/postgresql/${major}/bin`, 'postgres')
    if (!existsSync(postgres)) {
      throw obstacle(
        `${postgres} is missing: install PostgreSQL ${major} and name its folder with --programs`,
      )
    }
    const beside = upgradeFolder(cluster)
    rmSync(beside, { recursive: true, force: true })
    mkdirSync(beside, { mode: process.geteuid?.() === 0 ? 0o711 : 0o700 })
    const file = join(beside, 'database.jsonl.gz')
    log(`reading the database with PostgreSQL ${major}`)
    await withOldServer(cluster, postgres, join(home, 'postgres.log'), (host) =>
      writeBackup({ host, port, user: appUser, database }, file, new Date()),
    )
    log(`reading it into a new one of PostgreSQL ${installed}`)
    const fresh = await startEmbeddedPostgres({ dataDir: beside, log: () => {} })
    try {
      const rows = await readBackup(fresh.connection, file)
      await prove(fresh.connection)
      log(`${rows} rows are in the new database`)
    } finally {
      await fresh.stop()
    }
    writeFileSync(join(beside, 'complete'), major, { mode: 0o600, flush: true })
    exchange(home, log)
  } finally {
    lock.release()
  }
}

/** May be interrupted between any two steps, and continued. */
function exchange(home: string, log: Options['log']) {
  const cluster = join(home, 'postgres')
  const beside = upgradeFolder(cluster)
  const kept = `${cluster}-${readFileSync(join(beside, 'complete'), 'utf8')}`
  if (existsSync(cluster)) renameSync(cluster, kept)
  renameSync(join(beside, 'postgres'), cluster)
  rmSync(beside, { recursive: true, force: true })
  log(`Done. The old database is kept in ${kept}: remove it when you no longer need it.`)
}

/** Settings that came with a later version than the old one may be. */
const { io_method: _later, ...oldSettings } = defaultSettings

async function withOldServer(
  cluster: string,
  postgres: string,
  logFile: string,
  work: (socketFolder: string) => Promise<void>,
) {
  if (findServer(cluster)) await stopServer(cluster)
  const accounts = accountsFor(cluster)
  claimCluster(cluster, accounts)
  disownPidFiles(cluster)
  const socketFolder = prepareSocketFolder(cluster, accounts.server)
  const server = launchServer({
    postgres,
    cluster,
    runAs: accounts.server,
    logFile,
    settings: {
      ...oldSettings,
      port: String(port),
      unix_socket_directories: socketFolder === cluster ? '.' : socketFolder,
    },
  })
  try {
    const readiness = await awaitReady(socketFolder, server.isAlive)
    if (readiness !== 'ready') {
      throw new Error(
        `The old PostgreSQL does not start:\n${server.logText().trim().split('\n').slice(-5).join('\n')}`,
      )
    }
    await work(socketFolder)
  } finally {
    await stopServer(cluster)
  }
}
