/**
 * D263: reads a backup into a database that has nothing in it. The tables are made as they were when the backup was
 * made, filled in one transaction, and then brought up to date, so that later migrations see the rows.
 */
import pg from 'pg'
import { type Connection, openPool } from '../database.ts'
import { migrate, readMigrations } from '../migrate.ts'
import { columnsOf, tablesInOrder } from './catalogue.ts'
import { type DumpHeader, withSession } from './dump.ts'

const batchSize = 500

/** For the operator: one sentence. */
export class RestoreError extends Error {
  override name = 'RestoreError'
}

type Line = string | DumpHeader | { table: string; columns: string[] } | { end: number }

/** Returns how many rows were read in. */
export async function loadLines(connection: Connection, lines: AsyncIterable<string>): Promise<number> {
  const parsed = parse(lines)
  const first = await parsed.next()
  const header = first.done ? undefined : first.value
  if (typeof header !== 'object' || !('ramal' in header) || header.ramal !== 1) {
    throw new RestoreError('This is not a backup of Ramal.')
  }
  const pool = openPool(connection, { size: 1, onError: () => {} })
  try {
    const known = await readMigrations()
    const unknown = header.migrations.find((name) => !known.some((one) => one.name === name))
    if (unknown) throw new RestoreError(`The backup is of a newer version: it has had ${unknown}.`)
    await withSession(connection, (session) => checkEmpty(session, header.migrations))
    await migrate(
      pool,
      known.filter(({ name }) => header.migrations.includes(name)),
    )
    const rows = await withSession(connection, (session) => fill(session, header, parsed))
    await migrate(pool, known)
    return rows
  } finally {
    await pool.end()
  }
}

async function checkEmpty(session: pg.Client, migrations: string[]) {
  const made = await session.query("select to_regclass('public.migrations') as found")
  if (made.rows[0]?.found === null) return
  const { rows } = await session.query<{ applied: string[]; used: boolean }>(
    `select array(select name from migrations order by name) as applied,
       exists (select from accounts) or exists (select from voice_nodes where lease_until > now()) as used`,
  )
  const [{ applied, used } = { applied: [], used: true }] = rows
  if (used) throw new RestoreError('The database is not empty, or a service is running on it.')
  if (applied.join() !== [...migrations].sort().join()) {
    throw new RestoreError(
      'The database is of another version than the backup: restore into a new data folder.',
    )
  }
}

async function fill(
  session: pg.Client,
  { sequences }: DumpHeader,
  lines: AsyncIterable<Line>,
): Promise<number> {
  await session.query('begin')
  const tables = await tablesInOrder(session)
  await setTriggers(session, tables, 'disable')
  // Rows that migrations put there come with the backup, as they are by now.
  await session.query(`truncate ${tables.map(pg.escapeIdentifier).join(', ')}`)
  let insert: string | undefined
  let batch: string[] = []
  let rows = 0
  let complete = false
  async function flush() {
    if (batch.length > 0 && insert) await session.query(insert, [batch])
    rows += batch.length
    batch = []
  }
  for await (const line of lines) {
    if (typeof line === 'string') {
      batch.push(line)
      if (batch.length === batchSize) await flush()
      continue
    }
    await flush()
    if ('table' in line) insert = await insertInto(session, line)
    if ('end' in line) complete = line.end === rows
  }
  if (!complete) throw new RestoreError('The backup is incomplete.')
  for (const [name, last] of Object.entries(sequences)) {
    await session.query('select setval(format($$public.%I$$, $1::text)::regclass, $2::bigint)', [name, last])
  }
  await setTriggers(session, tables, 'enable')
  await session.query('commit')
  return rows
}

/** Triggers would do again what they did then: what they wrote is in the backup. Only until the end of the transaction. */
async function setTriggers(session: pg.Client, tables: string[], state: 'enable' | 'disable') {
  for (const table of tables) {
    await session.query(`alter table ${pg.escapeIdentifier(table)} ${state} trigger user`)
  }
}

/** Each row is the text of an array of texts, one for each column. */
async function insertInto(
  session: pg.Client,
  { table, columns }: { table: string; columns: string[] },
): Promise<string> {
  const types = new Map((await columnsOf(session, table)).map(({ name, type }) => [name, type]))
  const values = columns.map((column, index) => {
    const type = types.get(column)
    if (!type) throw new RestoreError(`The backup has a column ${table}.${column} that is not known.`)
    return `row[${index + 1}]::${type}`
  })
  return `insert into ${pg.escapeIdentifier(table)} (${columns.map(pg.escapeIdentifier).join(', ')})
    overriding system value
    select ${values.join(', ')} from (select unnest($1::text[])::text[] as row) rows`
}

async function* parse(lines: AsyncIterable<string>): AsyncGenerator<Line, undefined> {
  for await (const line of lines) {
    try {
      yield JSON.parse(line)
    } catch (cause) {
      throw new RestoreError('The backup is damaged.', { cause })
    }
  }
}
