/**
 * D262: everything in the database as lines of JSON, read in one snapshot while the service writes. PostgreSQL's own
 * programs for this do not come with the embedded one, and this form can be read into any version of PostgreSQL.
 *
 *   {"ramal": 1, "madeAt": …, "migrations": [names], "sequences": {name: last}}
 *   {"table": name, "columns": [names]}    then one line for each row: the text of an array of the columns' texts
 *   {"end": rows}                          without it the backup is incomplete
 */
import pg from 'pg'
import { type Connection, createClient } from '../database.ts'
import { columnsOf, tablesInOrder } from './catalogue.ts'

const fetchSize = 500

export type DumpHeader = {
  ramal: 1
  madeAt: string
  migrations: string[]
  sequences: Record<string, string>
}

/** A session without limits of time. */
export async function withSession<T>(connection: Connection, work: (session: pg.Client) => Promise<T>) {
  const session = createClient(connection, { application_name: 'ramal backup' })
  session.on('error', () => {})
  await session.connect()
  try {
    await session.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0')
    await session.query("set datestyle = 'ISO'; set timezone = 'UTC'; set extra_float_digits = 1")
    return await work(session)
  } finally {
    await session.end().catch(() => {})
  }
}

/** Lines with their ends, some hundred at a time. The session is used until the last of them. */
export async function* dumpLines(session: pg.Client, madeAt: Date): AsyncGenerator<string> {
  await session.query('begin isolation level repeatable read, read only')
  yield lineOf(await readHeader(session, madeAt))
  let rows = 0
  for (const table of await tablesInOrder(session)) {
    const columns = (await columnsOf(session, table)).map(({ name }) => name)
    yield lineOf({ table, columns })
    const texts = columns.map((column) => `${pg.escapeIdentifier(column)}::text`)
    await session.query(
      `declare dumped no scroll cursor for select array[${texts.join(', ')}]::text from ${pg.escapeIdentifier(table)}`,
    )
    for (;;) {
      const fetched = await session.query<[string]>({
        text: `fetch ${fetchSize} from dumped`,
        rowMode: 'array',
      })
      if (fetched.rows.length === 0) break
      rows += fetched.rows.length
      yield fetched.rows.map(([row]) => lineOf(row)).join('')
    }
    await session.query('close dumped')
  }
  await session.query('commit')
  yield lineOf({ end: rows })
}

const lineOf = (value: unknown) => `${JSON.stringify(value)}\n`

async function readHeader(session: pg.Client, madeAt: Date): Promise<DumpHeader> {
  const applied = await session.query<{ name: string }>('select name from migrations order by name')
  // Sequences are not part of the snapshot: they may be ahead of the rows, never behind.
  const sequences = await session.query<{ name: string; last: string }>(
    `select sequencename as name, last_value::text as last from pg_sequences
     where schemaname = 'public' and last_value is not null`,
  )
  return {
    ramal: 1,
    madeAt: madeAt.toISOString(),
    migrations: applied.rows.map(({ name }) => name),
    sequences: Object.fromEntries(sequences.rows.map(({ name, last }) => [name, last])),
  }
}
