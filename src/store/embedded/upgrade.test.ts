/** D264: a cluster of the distribution's PostgreSQL, which is older than the embedded one, is moved to it. */
import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { insertAccount } from '../../../test/helpers/service/call-rows.ts'
import { openDatabase, openPool } from '../database.ts'
import { migrate, readMigrations } from '../migrate.ts'
import { accountsFor } from './accounts.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { findPackage } from './programs.ts'
import { launchServer, stopServer } from './server.ts'
import { appUser, awaitReady, ensureDatabase } from './session.ts'
import { port, prepareSocketFolder } from './settings.ts'
import { isRoot, makeScratch } from './testing/scratch.ts'
import { upgradeCluster } from './upgrade.ts'

const distributions = '/usr/lib/postgresql'
const majors = existsSync(distributions) ? readdirSync(distributions) : []
const old = majors.find(
  (major) => major !== findPackage().major && existsSync(join(distributions, major, 'bin/initdb')),
)

async function makeOldCluster(dataDir: string, bin: string): Promise<string> {
  const cluster = join(dataDir, 'postgres')
  mkdirSync(cluster, { mode: 0o700 })
  const owner = isRoot ? { uid: idOf('-u'), gid: idOf('-g') } : undefined
  if (owner) chownSync(cluster, owner.uid, owner.gid)
  const args = ['-D', cluster, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
  execFileSync(join(bin, 'initdb'), args, { stdio: 'ignore', cwd: '/', ...owner })
  const { server: runAs } = accountsFor(cluster)
  const socketFolder = prepareSocketFolder(cluster, runAs)
  const server = launchServer({
    postgres: join(bin, 'postgres'),
    cluster,
    runAs,
    logFile: join(dataDir, 'old.log'),
    settings: {
      listen_addresses: '',
      port: String(port),
      unix_socket_directories: socketFolder,
      fsync: 'off',
    },
  })
  try {
    expect(await awaitReady(socketFolder, server.isAlive)).toBe('ready')
    await ensureDatabase(socketFolder, 'ramal')
    const connection = { host: socketFolder, port, user: appUser, database: 'ramal' }
    const pool = openPool(connection, { size: 1, onError: () => {} })
    await migrate(pool, await readMigrations())
    await insertAccount(openDatabase(pool))
    await pool.end()
  } finally {
    await stopServer(cluster)
  }
  return cluster
}

const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))

const accountsIn = async (dataDir: string) => {
  const started = await startEmbeddedPostgres({ dataDir, log: () => {} })
  const db = openDatabase(openPool(started.connection, { size: 1, onError: () => {} }))
  try {
    return (await db.selectFrom('accounts').select('name').execute()).map(({ name }) => name)
  } finally {
    await db.destroy()
    await started.stop()
  }
}

describe.skipIf(!old)('an embedded database of an older PostgreSQL', () => {
  test('is refused at start, moved by upgrade, and kept beside; an interrupted exchange is completed', async () => {
    const dataDir = makeScratch()
    const bin = join(distributions, old ?? '', 'bin')
    const cluster = await makeOldCluster(dataDir, bin)
    await expect(accountsIn(dataDir)).rejects.toThrow(/made by PostgreSQL \d+ .*ramal (-- )?upgrade/)

    const upgrade = (prove = async () => {}) =>
      upgradeCluster({ dataDir, programs: bin, prove, log: () => {} })
    const unproven = async () => {
      throw new Error('not proven')
    }
    await expect(upgrade(unproven)).rejects.toThrow('not proven')
    await expect(accountsIn(dataDir)).rejects.toThrow(/made by PostgreSQL/)
    await upgrade()
    expect(await accountsIn(dataDir)).toEqual(['Padaria'])
    expect(existsSync(`${cluster}-${old}/PG_VERSION`)).toBe(true)
    expect(existsSync(join(dataDir, 'upgrade'))).toBe(false)

    // Killed between the two renames.
    mkdirSync(join(dataDir, 'upgrade'), { mode: 0o711 })
    renameSync(cluster, join(dataDir, 'upgrade/postgres'))
    writeFileSync(join(dataDir, 'upgrade/complete'), String(old))
    await expect(accountsIn(dataDir)).rejects.toThrow(/interrupted: run .* upgrade/)
    await upgrade()
    expect(await accountsIn(dataDir)).toEqual(['Padaria'])
  })
})
