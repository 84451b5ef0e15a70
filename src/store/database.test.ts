import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestDatabase } from '../../test/helpers/run/test-database.ts'
import { type Database, openDatabase, openPool } from './database.ts'

let scratch: Awaited<ReturnType<typeof createTestDatabase>>
let db: Database

beforeAll(async () => {
  scratch = await createTestDatabase()
  db = openDatabase(openPool({ connectionString: scratch.url }, { size: 1, onError: () => {} }))
})
afterAll(async () => {
  await db.destroy()
  await scratch.drop()
})

const prepared = async () => {
  const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db)
  return rows.map(({ statement }) => statement)
}

test('a statement is prepared once per connection', async () => {
  const ask = () => db.selectFrom('accounts').select('domain').where('id', '=', 1).execute()
  await ask()
  await ask()
  const ours = (await prepared()).filter((statement) => statement.includes('"domain"'))
  expect(ours).toEqual(['select "domain" from "accounts" where "id" = $1'])
})

test('a plan made while a table was empty is not kept for long', async () => {
  const now = performance.now()
  const clock = vi.spyOn(performance, 'now').mockReturnValue(now)
  await sql`create table growing (id bigint primary key) with (autovacuum_enabled = false)`.execute(db)
  await sql`vacuum (analyze) growing`.execute(db)
  const ask = () => sql`select id from growing where id = ${7}`.execute(db)
  for (let time = 0; time < 8; time++) await ask()
  await sql`insert into growing select generate_series(1, 50000)`.execute(db)

  const { rows } = await sql<{ name: string }>`
    select name from pg_prepared_statements where statement like 'select id from growing%'`.execute(db)
  const plan = async () => {
    const explained = await sql.raw(`explain execute ${rows[0]?.name} (7)`).execute(db)
    return JSON.stringify(explained.rows)
  }
  expect(await plan()).toContain('Seq Scan')
  clock.mockReturnValue(now + 6_000)
  expect((await ask()).rows).toEqual([{ id: 7 }])
  vi.restoreAllMocks()
  expect(await plan()).toContain('Index')
})

test("a statement with a caller's filter in it is not kept", async () => {
  await sql`select 1 from accounts where /*filter*/ domain = ${'x'}`.execute(db)
  expect((await prepared()).some((statement) => statement.includes('/*filter*/'))).toBe(false)
})

test('a connection that the server ended is not used again, not even at once', async () => {
  const ended = sql`select pg_terminate_backend(pg_backend_pid())`.execute(db)
  const next = ended.catch(() => undefined).then(() => sql<{ n: number }>`select 1 as n`.execute(db))
  await expect(ended).rejects.toThrow('terminating connection')
  expect((await next).rows).toEqual([{ n: 1 }])
})

test('whole numbers of 64 bits come as numbers, or not at all', async () => {
  const read = (number: string) => sql<{ n: number }>`select ${number}::bigint as n`.execute(db)
  expect((await read('9007199254740991')).rows).toEqual([{ n: 9_007_199_254_740_991 }])
  await expect(read('9007199254740993')).rejects.toThrow('not a safe whole number')
})
