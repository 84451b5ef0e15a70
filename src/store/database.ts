/** The connection to PostgreSQL: one pool, typed queries, statements prepared once per connection. */
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { filterMark } from '../filter/sql/where-sql.ts'
import { appName } from './embedded/session.ts'
import type { Tables } from './tables.ts'

export type Database = Kysely<Tables>

export type Connection =
  | { connectionString: string }
  | { host: string; port: number; user: string; database: string }

/** Far more than the program has: bounds the memory if statements were ever built from input. */
const maxNames = 400

/**
 * PostgreSQL keeps the plan of a prepared statement until statistics are gathered, a minute or more. A plan made while
 * a table was empty would scan the table until then, however much it has grown. Discarding plans this often costs next
 * to nothing.
 */
const planLifetimeMs = 5_000

const names = new Map<string, string>()

/** Marks a statement that must be planned each time, since the best plan depends on the parameters. */
export const unprepared = '/*unprepared*/'
const unnamed = [filterMark, unprepared]

function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= maxNames || unnamed.some((mark) => text.includes(mark)))
    return known
  const name = `s${names.size}`
  names.set(text, name)
  return name
}

/** Gives every repeated statement a name, so that PostgreSQL parses and plans it once per connection. */
class NamingClient extends pg.Client {
  private plannedAt = performance.now()

  constructor(config?: pg.ClientConfig) {
    super(config)
    // The pool listens for errors of idle clients only. A client that breaks while in use or closing rejects its
    // query; without a listener the 'error' event would end the process as well.
    this.on('error', () => {})
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg's own overloads end in any.
  override query(...args: any[]): any {
    const [text, values, ...rest] = args
    const name = typeof text === 'string' && Array.isArray(values) ? nameOf(text) : undefined
    if (name === undefined) return Reflect.apply(super.query, this, args)
    const named = { name, text, values }
    // A query with a callback cannot wait for 'discard plans'.
    const isOld = rest.length === 0 && performance.now() - this.plannedAt > planLifetimeMs
    return isOld ? this.planAndQuery(named) : Reflect.apply(super.query, this, [named, ...rest])
  }

  private async planAndQuery(named: pg.QueryConfig) {
    this.plannedAt = performance.now()
    // Fails in an aborted transaction; the query itself then fails too, with the reason.
    await super.query('discard plans').catch(() => {})
    return await super.query(named)
  }
}

/** PostgreSQL's bigint as a number; none of ours leaves the safe range. */
function readBigint(text: string): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number)) throw new RangeError(`${text} is not a safe whole number`)
  return number
}

const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    return oid === pg.types.builtins.INT8 ? readBigint : pg.types.getTypeParser(oid, format)
  },
}

type PoolOptions = { size: number; onError: (error: Error) => void }

export function openPool(connection: Connection, { size, onError }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    ...connection,
    Client: NamingClient,
    types,
    max: size,
    application_name: appName,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    // A runaway statement must not hold a connection for ever.
    statement_timeout: 20_000,
    idle_in_transaction_session_timeout: 20_000,
  })
  // The pool replaces a connection that breaks while idle; without a listener the error would end the process.
  pool.on('error', onError)
  return pool
}

export function openDatabase(pool: pg.Pool): Database {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}

/** The name of the unique constraint that an insert or update violated, if that was the error. */
export function violatedConstraint(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError && error.code === '23505' ? error.constraint : undefined
}

/**
 * SQLSTATEs that say the database cannot serve us now: classes for connections (08), logins (28), a missing
 * database (3D), resources (53) and the machine (58); shutting down, starting up, out of time, closed to us.
 */
const unavailable = /^(08|28|3D|53|58|57P0|57014|25P03|55000)/
const connectionCalls = new Set(['connect', 'read', 'write', 'getaddrinfo'])
const poolMessages = /timeout exceeded when trying to connect|Connection terminated|Client has encountered/

/**
 * Whether the same may succeed when tried again: the database is away, or another transaction stood in the way.
 * What broke on the way to it counts as away; what it judged, and our own mistakes, do not.
 */
export function isTransient(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return isDatabaseDown(error) || /^40/.test(error.code ?? '')
  return !(error instanceof TypeError || error instanceof RangeError)
}

/** Whether the database, not the request, was the reason. */
export function isDatabaseDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof pg.DatabaseError) return unavailable.test(error.code ?? '')
  if ('syscall' in error) return connectionCalls.has(String(error.syscall))
  return poolMessages.test(error.message)
}
