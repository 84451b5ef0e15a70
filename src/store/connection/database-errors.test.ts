import { NoResultError, sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/helpers/run/test-database.ts'
import { refuse } from '../../contract/errors.ts'
import { type Database, openDatabase, openPool } from '../database.ts'
import { isDatabaseDown, isTransient, violatedConstraint } from './database-errors.ts'

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

/** What running the statement throws. */
const failureOf = (statement: Promise<unknown>): Promise<unknown> =>
  statement.then(
    () => undefined,
    (error) => error,
  )

test('a violated unique constraint is named; other errors have none', async () => {
  const twice = sql`insert into installation values ('a', 'b'), ('a', 'c')`.execute(db)
  expect(violatedConstraint(await failureOf(twice))).toBe('installation_pkey')
  expect(violatedConstraint(new Error('x'))).toBeUndefined()
})

describe('a database that', () => {
  test('cannot be reached is down', async () => {
    for (const url of [
      'postgres://x@127.0.0.1:1/x',
      'postgres://x@localhost:1/x',
      'postgres://x@no.such.host.invalid/x',
    ]) {
      const pool = openPool({ connectionString: url }, { size: 1, onError: () => {} })
      const error = await failureOf(pool.query('select 1'))
      expect([url, isDatabaseDown(error), isTransient(error)]).toEqual([url, true, true])
      await pool.end()
    }
  })

  test('has no connection free in time is down', async () => {
    const pool = openPool({ connectionString: scratch.url }, { size: 1, onError: () => {} })
    const only = await pool.connect()
    pool.options.connectionTimeoutMillis = 20
    const error = await failureOf(pool.query('select 1'))
    only.release()
    await pool.end()
    expect([isDatabaseDown(error), isTransient(error)]).toEqual([true, true])
  })

  test('runs out of time is down', async () => {
    const slow = db.transaction().execute(async (tx) => {
      await sql`set local statement_timeout = '10ms'`.execute(tx)
      await sql`select pg_sleep(1)`.execute(tx)
    })
    const error = await failureOf(slow)
    expect([isDatabaseDown(error), isTransient(error)]).toEqual([true, true])
  })

  test('takes no writes is down', async () => {
    const refused = db.transaction().execute(async (tx) => {
      await sql`set transaction read only`.execute(tx)
      await sql`update voice_nodes set state = state where false`.execute(tx)
    })
    const error = await failureOf(refused)
    expect([isDatabaseDown(error), isTransient(error)]).toEqual([true, true])
  })

  test('ends our connection is down', async () => {
    const error = await failureOf(sql`select pg_terminate_backend(pg_backend_pid())`.execute(db))
    expect([isDatabaseDown(error), isTransient(error)]).toEqual([true, true])
  })
})

test('a conflict with another transaction is transient; the database is not down', async () => {
  const blocker = new pg.Client({ connectionString: scratch.url })
  await blocker.connect()
  await blocker.query('begin; lock table installation')
  const error = await failureOf(
    db.transaction().execute((tx) => sql`lock table installation nowait`.execute(tx)),
  )
  await blocker.end()
  expect([isDatabaseDown(error), isTransient(error)]).toEqual([false, true])
  const conflicts = ['40001', '40P01'].map((code) =>
    Object.assign(new pg.DatabaseError('x', 1, 'error'), { code }),
  )
  expect(conflicts.map(isTransient)).toEqual([true, true])
})

describe('permanent is', () => {
  test('a mistake in a statement', async () => {
    const error = await failureOf(sql`select nonsense`.execute(db))
    expect([isDatabaseDown(error), isTransient(error)]).toEqual([false, false])
  })

  test('a violated constraint', async () => {
    const error = await failureOf(sql`insert into installation values ('x', 'b'), ('x', 'c')`.execute(db))
    expect(isTransient(error)).toBe(false)
  })

  test('a row that had to be there and is not', async () => {
    const row = db.selectFrom('accounts').select('id').where('id', '=', -1).executeTakeFirstOrThrow()
    const error = await failureOf(row)
    expect(error).toBeInstanceOf(NoResultError)
    expect(isTransient(error)).toBe(false)
  })

  test.each([
    ['a refusal', refuse('SERVICE_UNAVAILABLE')],
    ['an error of our own', new Error('the balance does not add up')],
    ['a mistake in the code', new TypeError('x is not a function')],
    ['a number out of range', new RangeError('not a safe whole number')],
    ['a full disk', Object.assign(new Error('no space left'), { code: 'ENOSPC', syscall: 'write' })],
    ['what is no error', 'Connection terminated'],
  ])('%s', (_, error) => {
    expect([isDatabaseDown(error), isTransient(error)]).toEqual([false, false])
  })
})
