import { DummyDriver, Kysely, PostgresAdapter, PostgresQueryCompiler, sql } from 'kysely'
import { expect, test } from 'vitest'
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
const arrays = [
  ['a', 'b'],
  ['x', null],
]

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
