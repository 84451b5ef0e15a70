/**
 * Opens the store: connects to the operator's PostgreSQL, or starts an embedded one, and migrates it.
 * D186: calls and searches have pools of their own, so that neither waits for the rest nor for each other.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type pg from 'pg'
import type { SteadyClock } from '../kit/clock.ts'
import type { Log } from '../kit/process/log.ts'
import { watchConnections } from './connection/connection-watch.ts'
import { createDatabaseClock, type DatabaseClock } from './connection/database-clock.ts'
import { isDatabaseDown } from './connection/database-errors.ts'
import { lowerPriority } from './connection/low-priority.ts'
import { refusePooler } from './connection/pooler.ts'
import {
  type Connection,
  connectionTo,
  type Database,
  defaultStatementTimeoutMs,
  openDatabase,
  openPool,
} from './database.ts'
import type { EmbeddedPostgres } from './embedded/embedded-postgres.ts'
import { migrate, readMigrations } from './migrate.ts'
import { addParts, partitionedTables } from './partitioned-tables.ts'
import { createSearches, type Searches, searchTimeoutMs } from './searches.ts'
import { type StartingDatabase, startDatabase } from './start-database.ts'

export type Store = {
  /** For everything but calls and searches. */
  db: Database
  pool: pg.Pool
  /** For new calls, their credit and phones. */
  callsDb: Database
  /** D565: two connections for what happens to calls, so that their ends do not wait behind new ones. */
  eventsDb: Database
  /** D562: two connections, which wait for no request: for the lease, and for the proof of life of calls. */
  leaseDb: Database
  searches: Searches
  /** D515: shows the time of the database. */
  clock: DatabaseClock
  connection: Connection
  /** Names of the migrations applied while opening. */
  migrated: string[]
  /** What keeps the database from working, for `/ready`. */
  problems(): string[]
  /** After the connection was lost: restarts the embedded PostgreSQL if it died. */
  revive(): Promise<void>
  /** After the server did not answer for `ms`: replaces connections that have not received anything since. */
  replaceSilent(ms: number): void
  close(): Promise<void>
}

type Options = {
  databaseUrl: string | undefined
  databasePool: number
  databaseCallPool?: number
  databaseSearchPool?: number
  dataDir: string
}

/**
 * For statements on calls. Else PostgreSQL plans a statement on an array each time it runs: it estimates a plan for the given
 * number of rows to be cheaper. A plan that reads indexes also while its tables are small stays good as they grow, so that it can
 * be kept: planning the statements of calls takes longer than running them.
 */
const keptPlans = '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off'

/** The server cancels a statement at its limit and says so; nothing by then means that it is not there. */
const graceMs = 5_000
/** D562: a second renewal on a new connection must still be in time. */
const leaseTimeoutMs = 3_000
export const leaseSilentMs = leaseTimeoutMs + 1_000

/** `starting`: the database, if it was started already. `machine`: its clock, if it is not the system's. */
export async function openStore(
  options: Options,
  log: Log,
  starting: StartingDatabase = startDatabase(options, log),
  machine?: SteadyClock,
): Promise<Store> {
  const embedded = await starting
  const connection = embedded?.connection ?? connectionTo(options.databaseUrl ?? '')
  const onError = (error: Error) => log.warn({ err: error }, 'an idle database connection broke')
  const pool = openPool(connection, { size: options.databasePool, onError })
  const openCallPool = (size: number) =>
    openPool(connection, { size, onError, sessionOptions: keptPlans, planLifetimeMs: 60_000 })
  const callPool = openCallPool(options.databaseCallPool ?? 6)
  const eventPool = openCallPool(2)
  const searchPool = openPool(connection, {
    size: options.databaseSearchPool ?? 4,
    onError,
    statementTimeoutMs: searchTimeoutMs,
    // One search uses one core.
    sessionOptions: '-c max_parallel_workers_per_gather=0',
  })
  const leasePool = openPool(connection, {
    size: 2,
    onError,
    statementTimeoutMs: leaseTimeoutMs,
    sessionOptions: keptPlans,
  })
  if (embedded) lowerPriority(searchPool)
  const stopEmbedded = async () => embedded?.stop()
  let migrated: string[]
  try {
    if (!embedded) await refusePooler(pool)
    migrated = await migrateOnceUp(pool, embedded)
  } catch (error) {
    await Promise.all([pool, callPool, eventPool, searchPool, leasePool].map((one) => one.end()))
    await stopEmbedded()
    throw error
  }
  // Only now: a migration may take long.
  const silentMs = defaultStatementTimeoutMs + graceMs
  const watches = [
    watchConnections(pool, { silentMs }),
    watchConnections(callPool, { silentMs }),
    watchConnections(eventPool, { silentMs }),
    watchConnections(searchPool, { silentMs: searchTimeoutMs + graceMs }),
    watchConnections(leasePool, { silentMs: leaseSilentMs }),
  ]
  const db = openDatabase(pool)
  // After the watches: a connection from before would never be replaced when it dies silently (D223).
  const clock = createDatabaseClock(machine)
  await readClock(db, clock)
  await addPartsAhead(db, log, clock.now())
  return {
    db,
    clock,
    pool,
    callsDb: openDatabase(callPool),
    eventsDb: openDatabase(eventPool),
    leaseDb: openDatabase(leasePool),
    searches: createSearches(openDatabase(searchPool)),
    connection,
    migrated,
    problems: () => (embedded && !embedded.isComplete() ? ['database programs'] : []),
    revive: async () => embedded?.revive(),
    replaceSilent(ms) {
      for (const watch of watches) watch.replaceSilent(ms)
    },
    async close() {
      await Promise.all(watches.map((watch) => watch.end()))
      await stopEmbedded()
    },
  }
}

/** The first reading; the renewals of the lease are the others. */
async function readClock(db: Database, clock: DatabaseClock) {
  const finishReading = clock.startReading()
  const { rows } = await sql<{ time: Date }>`select clock_timestamp() as time`.execute(db)
  if (rows[0]) finishReading(rows[0].time)
}

/** D254: makes the partitions of the next months and days, here and in the clean-up jobs. Rows without a partition go to `_rest`. */
async function addPartsAhead(db: Database, log: Log, now: Date) {
  try {
    for (const table of partitionedTables) await addParts(db, table, now)
  } catch (error) {
    log.warn({ err: error }, 'the months and days ahead could not be added to the tables')
  }
}

const stoppedPatienceMs = 30_000

/** An embedded server that belonged to another process may have been stopped by it just now: it is started again. */
async function migrateOnceUp(pool: pg.Pool, embedded: EmbeddedPostgres | undefined): Promise<string[]> {
  const migrations = await readMigrations()
  for (const began = performance.now(); ; await sleep(50)) {
    try {
      return await migrate(pool, migrations)
    } catch (error) {
      const patient = performance.now() - began < stoppedPatienceMs
      if (!embedded || !patient || !isDatabaseDown(error)) throw error
      await embedded.revive()
    }
  }
}
