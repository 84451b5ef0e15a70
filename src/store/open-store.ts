/** Opens the store: connects to the operator's PostgreSQL, or starts an embedded one, and migrates it. */
import type pg from 'pg'
import type { Log } from '../kit/log.ts'
import { type Connection, type Database, openDatabase, openPool } from './database.ts'
import { startEmbeddedPostgres } from './embedded/embedded-postgres.ts'
import { migrate, readMigrations } from './migrate.ts'

export type Store = {
  db: Database
  pool: pg.Pool
  connection: Connection
  /** Names of the migrations applied while opening. */
  migrated: string[]
  /** After the connection was lost: restarts the embedded PostgreSQL if it died. */
  revive(): Promise<void>
  close(): Promise<void>
}

type Options = { databaseUrl: string | undefined; databasePool: number; dataDir: string }

export async function openStore(options: Options, log: Log): Promise<Store> {
  const { databaseUrl, dataDir } = options
  const embedded = databaseUrl
    ? undefined
    : await startEmbeddedPostgres({ dataDir, log: (line) => log.info(line) })
  const connection = embedded?.connection ?? { connectionString: databaseUrl ?? '' }
  const pool = openPool(connection, {
    size: options.databasePool,
    onError: (error) => log.warn({ err: error }, 'an idle database connection broke'),
  })
  try {
    const migrated = await migrate(pool, await readMigrations())
    return {
      db: openDatabase(pool),
      pool,
      connection,
      migrated,
      revive: async () => embedded?.revive(),
      async close() {
        await pool.end()
        await embedded?.stop()
      },
    }
  } catch (error) {
    await pool.end()
    await embedded?.stop()
    throw error
  }
}
