/** D186: what one account's searches may take. */
import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase } from '../../test/helpers/run/test-database.ts'
import { createTestTimers } from '../kit/testing/test-timers.ts'
import { type Database, openDatabase, openPool } from './database.ts'
import { createSearchDeadline, createSearches, type SearchLane } from './searches.ts'

function setUp() {
  const timers = createTestTimers()
  const searches = createSearches({} as Database, timers)
  const started: string[] = []
  /** Runs for so long; says when it has begun. */
  const search = (accountId: number, name: string, ms: number, lane?: SearchLane) =>
    searches.run(
      accountId,
      () => {
        started.push(name)
        return new Promise<string>((resolve) => timers.after(ms, () => resolve(name)))
      },
      lane,
    )
  const advance = async (ms: number) => {
    // A search starts, and leaves, in turns of its own.
    await turn()
    timers.advance(ms)
    await turn()
  }
  return { search, started, advance }
}

test('an account that has used up its budget waits until a tenth of the time since has made up for it, 10 s at most', async () => {
  const { search, started, advance } = setUp()
  for (const name of ['first', 'second']) {
    const done = search(1, name, 3_100)
    await advance(3_100)
    await done
  }
  // 6,000 ms were used, and 310 came back while the second search ran.
  const third = search(1, 'third', 3_100)
  await advance(3_100)
  await third
  const refused = expect(search(1, 'fourth', 100)).rejects.toMatchObject({ code: 'SEARCHES_BUSY' })
  const overdrawnMs = (3_000 - 310 - 310) * 10
  await advance(overdrawnMs - 10)
  expect(started).toEqual(['first', 'second', 'third'])
  await refused
  const fifth = search(1, 'fifth', 100)
  await advance(20)
  expect(started.at(-1)).toBe('fifth')
  await advance(100)
  expect(await fifth).toBe('fifth')
})

test('a list that an index serves, and one of anything but calls, waits neither for a search that reads calls nor for the budget that it has overdrawn', async () => {
  const { search, started, advance } = setUp()
  for (const name of ['first', 'second', 'third']) {
    const done = search(1, name, 3_100, 'scanned')
    await advance(3_100)
    await done
  }
  const waiting = expect(search(1, 'fourth', 100, 'scanned')).rejects.toMatchObject({ code: 'SEARCHES_BUSY' })
  const served = search(1, 'plain page', 50, 'served')
  const other = search(1, 'extensions', 50)
  await advance(50)
  expect(await Promise.all([served, other])).toEqual(['plain page', 'extensions'])
  expect(started).toEqual(['first', 'second', 'third', 'plain page', 'extensions'])
  await advance(10_000)
  await waiting
})

test('searches of up to 100 ms use no budget, and those of other accounts do not wait', async () => {
  const { search, started, advance } = setUp()
  const long = search(1, 'long', 3_000)
  for (let count = 0; count < 200; count += 1) {
    const short = search(2, 'short', 100)
    await advance(100)
    expect(await short).toBe('short')
  }
  expect(started).toHaveLength(201)
  await long
})

describe('the statements of one search', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>
  let pool: pg.Pool
  beforeAll(async () => {
    database = await createTestDatabase()
    pool = openPool({ connectionString: database.url }, { size: 2, onError: () => {} })
  })
  afterAll(async () => {
    await pool.end()
    await database.drop()
  })

  /** The time that has passed when each statement begins. */
  function deadlineAt(...times: number[]) {
    const moments = [0, ...times]
    return createSearchDeadline(openDatabase(pool), () => moments.shift() ?? Number.NaN).within
  }
  const timeoutOf = async (db: Database) =>
    (await sql<{ timeout: string }>`select current_setting('statement_timeout') as timeout`.execute(db))
      .rows[0]

  test('share its three seconds: a statement has what is left of them', async () => {
    const within = deadlineAt(99, 100, 2_950)
    const usual = await timeoutOf(openDatabase(pool))
    expect(await within(timeoutOf)).toEqual(usual)
    expect(await within(timeoutOf)).toEqual({ timeout: '2900ms' })
    await expect(within((db) => sql`select pg_sleep(60)`.execute(db))).rejects.toMatchObject({
      code: '57014',
    })
    expect(await timeoutOf(openDatabase(pool))).toEqual(usual)
  })

  test('do not begin when nothing is left', async () => {
    await expect(deadlineAt(3_000)(timeoutOf)).rejects.toMatchObject({ code: 'SEARCH_TOO_EXPENSIVE' })
  })
})
