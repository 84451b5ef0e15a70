/** A column that is added beside a running process, as by the migration of a newer version (D226). */
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestDatabase, runAs } from '../../../test/helpers/run/test-database.ts'
import { type Database, openDatabase, openPool } from '../database.ts'
import { isDatabaseDown } from './database-errors.ts'

let scratch: Awaited<ReturnType<typeof createTestDatabase>>
let pool: pg.Pool
let db: Database

beforeAll(async () => {
  scratch = await createTestDatabase()
  pool = openPool({ connectionString: scratch.url }, { size: 1, onError: () => {} })
  db = openDatabase(pool)
})
afterAll(async () => {
  await db.destroy()
  await scratch.drop()
})

let added = 0
const addColumn = () => runAs(scratch.url, `alter table installation add column extra_${++added} text`)

test('a statement for all columns works before and after, also in a transaction', async () => {
  const readAll = (handle: Database) =>
    handle.selectFrom('installation').selectAll().where('name', '=', 'none').execute()
  await readAll(db)
  await addColumn()
  await readAll(db)
  await addColumn()
  await db.transaction().execute(readAll)
  await addColumn()
  await readAll(db)
})

const prepared = 'select installation.* from installation where name = $1'

test('a prepared statement whose columns changed is tried again', async () => {
  const client = await pool.connect()
  await client.query(prepared, ['none'])
  await addColumn()
  expect((await client.query(prepared, ['none'])).rows).toEqual([])
  client.release()
})

test('in a transaction it fails as a database that is down; the next try succeeds', async () => {
  const client = await pool.connect()
  const inTransaction = async () => {
    await client.query('begin')
    try {
      return (await client.query(prepared, ['none'])).rows
    } finally {
      await client.query('rollback')
    }
  }
  expect(await inTransaction()).toEqual([])
  await addColumn()
  const error = await inTransaction().catch((failure) => failure)
  expect(error).toBeInstanceOf(pg.DatabaseError)
  expect(isDatabaseDown(error)).toBe(true)
  expect(await inTransaction()).toEqual([])
  client.release()
})

test('no statement is answered by a promise of pg, which keeps parameters and rows until a full garbage collection', async () => {
  const sent = vi.spyOn(pg.Client.prototype, 'query')
  await db.selectFrom('installation').select('name').execute()
  await db.transaction().execute((tx) => tx.selectFrom('installation').selectAll().execute())
  const client = await pool.connect()
  await client.query('select 1')
  await client.query(prepared, ['none'])
  client.release()
  const lastArguments = sent.mock.calls.map((args) => typeof args.at(-1))
  sent.mockRestore()
  // begin and commit too
  expect(lastArguments).toEqual(Array.from({ length: 6 }, () => 'function'))
})
