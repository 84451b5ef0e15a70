/** A column that is added beside a running process, as by the migration of a newer version (D226). */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, runAs } from '../../test/helpers/test-database.ts'
import { type Database, openDatabase, openPool } from './database.ts'
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

test('what a statement was given and returned is not kept until a full garbage collection', async () => {
  const collectYoung = exposeYoungCollection()
  const run = async () => {
    const texts = Array.from({ length: 1_000 }, (_, index) => `${index} `.repeat(50))
    const client = await pool.connect()
    await client.query('select * from unnest($1::text[])', [texts])
    client.release()
  }
  await run()
  collectYoung()
  const before = oldSpaceUsed()
  for (let times = 0; times < 40; times++) {
    await run()
    collectYoung()
  }
  // The statements had 20 MB together.
  expect(oldSpaceUsed() - before).toBeLessThan(4_000_000)
})

function exposeYoungCollection(): () => void {
  setFlagsFromString('--expose-gc')
  const collect: (options: { type: 'minor' }) => void = runInNewContext('gc')
  return () => collect({ type: 'minor' })
}

function oldSpaceUsed(): number {
  return getHeapSpaceStatistics().find((space) => space.space_name === 'old_space')?.space_used_size ?? 0
}
