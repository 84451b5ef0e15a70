/** Migrates the database: applies SQL files in the order of their names, forward only. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

const folder = new URL('./migrations/', import.meta.url)
/** Any fixed number. Processes that migrate the same database at once wait for each other on this lock. */
export const advisoryLock = 7_264_251_001

class MigrationError extends Error {
  override name = 'MigrationError'
}

export type Migration = { name: string; text: string; checksum: string }

/** D226: the first line of a migration that the version before cannot live with. All others only add. */
export const breakingMark = '-- breaking'

type Waiting = {
  /** How long a statement waits for the lock of a table: all who use the table wait behind it. */
  lockMs: number
  pauseMs: number
  tries: number
}
const patient: Waiting = { lockMs: 2_000, pauseMs: 1_000, tries: 30 }

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
export async function migrate(
  pool: pg.Pool,
  migrations: Migration[],
  waiting: Waiting = patient,
): Promise<string[]> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query(
      'set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0',
    )
    await client.query(`select pg_advisory_lock(${advisoryLock})`)
    await client.query(`set lock_timeout = ${waiting.lockMs}`)
    return await applyMissing(client, migrations, waiting)
  } catch (error) {
    broken = error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    // Closing the connection releases the lock and resets the setting in every case.
    client.release(broken ?? true)
  }
}

async function applyMissing(
  client: pg.PoolClient,
  migrations: Migration[],
  waiting: Waiting,
): Promise<string[]> {
  await client.query(
    `create table if not exists migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())`,
  )
  await client.query(
    'alter table migrations add column if not exists additive boolean not null default false',
  )
  const { rows } = await client.query<Applied>('select name, checksum, additive from migrations')
  checkHistory(new Map(rows.map((row) => [row.name, row])), migrations)
  const done = new Set(rows.map((row) => row.name))
  const missing = migrations.filter((migration) => !done.has(migration.name))
  const isNew = rows.length === 0
  if (isNew && (await applyAtOnce(client, missing))) return missing.map((migration) => migration.name)
  for (const migration of missing) await applyPatiently(client, migration, waiting)
  return missing.map((migration) => migration.name)
}

type Applied = { name: string; checksum: string; additive: boolean }

/** D226: a newer version may have added to the database, so that this one still works with it. */
function checkHistory(done: Map<string, Applied>, migrations: Migration[]) {
  for (const migration of migrations) {
    const applied = done.get(migration.name)
    done.delete(migration.name)
    if (applied && applied.checksum !== migration.checksum) {
      throw new MigrationError(`Migration ${migration.name} was changed after it had been applied.`)
    }
  }
  const breaking = [...done.values()].find(({ additive }) => !additive)
  if (breaking)
    throw new MigrationError(`The database is newer than this program: it has had ${breaking.name}.`)
}

/** A new database gets all in one transaction: a commit of each would take longer than the rest. False if one failed. */
async function applyAtOnce(client: pg.PoolClient, migrations: Migration[]): Promise<boolean> {
  await client.query('begin')
  try {
    for (const migration of migrations) await run(client, migration)
    await client.query('commit')
    return true
  } catch {
    await client.query('rollback')
    return false
  }
}

/** D226: both pass by themselves. A deadlock with a running process may end the transaction of either. */
const transient = new Set(['55P03', '40P01'])

async function applyPatiently(client: pg.PoolClient, migration: Migration, { tries, pauseMs }: Waiting) {
  for (let left = tries; ; left -= 1) {
    try {
      return await apply(client, migration)
    } catch (error) {
      const { cause } = error as Error
      const isTransient = cause instanceof pg.DatabaseError && transient.has(cause.code ?? '')
      if (!isTransient || left <= 1) throw error
      await sleep(pauseMs)
    }
  }
}

async function apply(client: pg.PoolClient, migration: Migration) {
  await client.query('begin')
  try {
    await run(client, migration)
    await client.query('commit')
  } catch (cause) {
    await client.query('rollback')
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new MigrationError(`Migration ${migration.name} failed: ${reason}.`, { cause })
  }
}

async function run(client: pg.PoolClient, { name, text, checksum }: Migration) {
  await client.query(text)
  await client.query({
    text: 'insert into migrations (name, checksum, additive) values ($1, $2, $3)',
    values: [name, checksum, !text.startsWith(breakingMark)],
  })
}
