/** Connections to PostgreSQL: pools, and typed queries. */

import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { defined } from '../kit/defined.ts'
import { parseExactJson } from '../kit/text/json-text.ts'
import { createPreparingClient } from './connection/prepared-statements.ts'
import { connectToPrimary, type FindPrimary, readServers } from './connection/primary.ts'
import { appName } from './embedded/session.ts'
import type { Tables } from './tables.ts'

export type Database = Kysely<Tables>

export type Connection =
  | { connectionString: string; findPrimary?: FindPrimary }
  | { host: string; port: number; user: string; database: string }

export function connectionTo(databaseUrl: string): Connection {
  const { url, findPrimary } = readServers(databaseUrl)
  return { connectionString: url, ...defined({ findPrimary }) }
}

/** A connection besides those of a pool. */
export function createClient(connection: Connection, options: pg.ClientConfig): pg.Client {
  const client = new pg.Client({ ...connection, ...options })
  if ('findPrimary' in connection) connectToPrimary(client, connection.findPrimary)
  return client
}

/** PostgreSQL's bigint as a number; none of ours leaves the safe range. */
function readBigint(text: string): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number)) throw new RangeError(`${text} is not a safe whole number`)
  return number
}

const { INT8, JSON: json, JSONB } = pg.types.builtins

const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === INT8) return readBigint
    return oid === json || oid === JSONB ? parseExactJson : pg.types.getTypeParser(oid, format)
  },
}

type PoolOptions = {
  size: number
  onError: (error: Error) => void
  /** A statement that runs longer is cancelled: it must not hold a connection for ever. */
  statementTimeoutMs?: number
  /** Further settings of the session, in the syntax of PostgreSQL's command line. */
  sessionOptions?: string
  /** How long the plan of a prepared statement is kept, by default 5 seconds. */
  planLifetimeMs?: number | undefined
}

/** The kernel asks an idle peer whether it is there. */
const keepAliveAfterMs = 10_000
export const defaultStatementTimeoutMs = 20_000
/** D564: a process that stands still, or is cut off, in the middle of a transaction keeps its locks for so long. */
export const idleInTransactionMs = 5_000
/** D564: a statement that waits longer for a lock fails, so that those behind it do not wait too. */
export const lockTimeoutMs = 3_000

export function openPool(connection: Connection, options: PoolOptions): pg.Pool {
  const { size, onError, statementTimeoutMs = defaultStatementTimeoutMs } = options
  const { sessionOptions, planLifetimeMs } = options
  const pool = new pg.Pool({
    ...connection,
    Client: createPreparingClient({
      planLifetimeMs,
      findPrimary: 'findPrimary' in connection ? connection.findPrimary : undefined,
    }),
    // Statements of one connection are sent without waiting for each other (pipeline.ts).
    pipeline: true,
    types,
    max: size,
    application_name: appName,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfterMs,
    statement_timeout: statementTimeoutMs,
    ...defined({ options: sessionOptions }),
    idle_in_transaction_session_timeout: idleInTransactionMs,
    lock_timeout: lockTimeoutMs,
  })
  // The pool replaces a connection that breaks while idle; without a listener the error would end the process.
  pool.on('error', onError)
  return pool
}

export function openDatabase(pool: pg.Pool): Database {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}
