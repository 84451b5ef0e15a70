import { CompiledQuery, DummyDriver, Kysely, PostgresAdapter, PostgresQueryCompiler, sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../test/helpers/run/test-database.ts'
import { openDatabase, openPool } from './database.ts'
import { defineUnnest } from './unnest.ts'

type Note = { id: string; body: string | null }
const notes = defineUnnest<Note>('note', {
  id: ['uuid', ({ id }) => id],
  body: ['text', ({ body }) => body],
})
const rows = [
  { id: 'a', body: 'x' },
  { id: 'b', body: null },
]
const arrays = ['{a,b}', '{"x",null}']

test('columns and parameters stand in the same order, in a template', () => {
  const db = new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: () => ({}) as never,
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
  const { sql: text, parameters } = sql`select ${1} from ${notes.sql(rows)}`.compile(db)
  expect(text).toBe('select $1 from unnest($2::uuid[], $3::text[]) as note (id, body)')
  expect(parameters).toEqual([1, ...arrays])
})

test('and in a statement compiled once', () => {
  expect(notes.text(2)).toBe('unnest($2::uuid[], $3::text[]) as note (id, body)')
  expect(notes.values(rows)).toEqual(arrays)
})

test('values of every type arrive as they are, also those that are missing', async () => {
  type Row = Record<'flag' | 'ratio' | 'count' | 'total' | 'at' | 'id' | 'words' | 'json', unknown>
  const everything = defineUnnest<Row>('row', {
    flag: ['boolean', ({ flag }) => flag],
    ratio: ['double precision', ({ ratio }) => ratio],
    count: ['int', ({ count }) => count],
    total: ['bigint', ({ total }) => total],
    at: ['timestamptz', ({ at }) => at],
    id: ['uuid', ({ id }) => id],
    words: ['text', ({ words }) => words],
    json: ['jsonb', ({ json }) => JSON.stringify(json)],
  })
  const whole: Row = {
    flag: false,
    ratio: -1.5e-7,
    count: -3,
    total: Number.MAX_SAFE_INTEGER,
    at: new Date('2026-11-16T12:00:00.123Z'),
    id: '0190a1b2-0000-7000-8000-000000000001',
    words: 'a, "b" {c} NULL \\ é',
    json: { a: ['x', null] },
  }
  const multiline: Row = { ...whole, words: 'one\n\ttwo\u0001 \\n', json: { a: 'x\ny' } }
  const missing = Object.fromEntries(Object.keys(whole).map((name) => [name, null])) as Row
  const scratch = await createTestDatabase()
  const pool = openPool({ connectionString: scratch.url }, { size: 1, onError: () => {} })
  const query = CompiledQuery.raw(
    `select * from ${everything.text()}`,
    everything.values([whole, multiline, missing]),
  )
  const { rows: read } = await openDatabase(pool).executeQuery<Row>(query)
  await pool.end()
  await scratch.drop()
  expect(read).toEqual([whole, multiline, missing])
})
