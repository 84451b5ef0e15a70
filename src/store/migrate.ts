/** Migrates the database: applies SQL files in the order of their names, forward only. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type pg from 'pg'

const folder = new URL('./migrations/', import.meta.url)
/** Any fixed number. Processes that migrate the same database at once wait for each other on this lock. */
export const advisoryLock = 7_264_251_001

class MigrationError extends Error {
  override name = 'MigrationError'
}

export type Migration = { name: string; text: string; checksum: string }

export async function readMigrations(from: URL = folder): Promise<Migration[]> {
  const names = (await readdir(from)).filter((name) => name.endsWith('.sql')).sort()
  return await Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, from), 'utf8')
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

/** Returns the names of the migrations applied. Stops at the first failure; earlier migrations stay applied. */
export async function migrate(pool: pg.Pool, migrations: Migration[]): Promise<string[]> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query('set statement_timeout = 0')
    await client.query(`select pg_advisory_lock(${advisoryLock})`)
    return await applyMissing(client, migrations)
  } catch (error) {
    broken = error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    // Closing the connection releases the lock and resets the setting in every case.
    client.release(broken ?? true)
  }
}

async function applyMissing(client: pg.PoolClient, migrations: Migration[]): Promise<string[]> {
  await client.query(
    `create table if not exists migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())`,
  )
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from migrations',
  )
  checkHistory(new Map(rows.map((row) => [row.name, row.checksum])), migrations)
  const done = new Set(rows.map((row) => row.name))
  const missing = migrations.filter((migration) => !done.has(migration.name))
  for (const migration of missing) await apply(client, migration)
  return missing.map((migration) => migration.name)
}

function checkHistory(done: Map<string, string>, migrations: Migration[]) {
  for (const migration of migrations) {
    const checksum = done.get(migration.name)
    done.delete(migration.name)
    if (checksum !== undefined && checksum !== migration.checksum) {
      throw new MigrationError(`Migration ${migration.name} was changed after it had been applied.`)
    }
  }
  const [unknown] = done.keys()
  if (unknown !== undefined) {
    throw new MigrationError(`The database is newer than this program: it has had ${unknown}.`)
  }
}

async function apply(client: pg.PoolClient, migration: Migration) {
  await client.query('begin')
  try {
    await client.query(migration.text)
    await client.query({
      text: 'insert into migrations (name, checksum) values ($1, $2)',
      values: [migration.name, migration.checksum],
    })
    await client.query('commit')
  } catch (cause) {
    await client.query('rollback')
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new MigrationError(`Migration ${migration.name} failed: ${reason}.`, { cause })
  }
}
