/** D440, D442: calls from before an upgrade get the keys by which they are found while the service runs. */
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createTestClock, minutes } from '../../../../test/helpers/run/test-clock.ts'
import { createTestDatabase } from '../../../../test/helpers/run/test-database.ts'
import { insertAccount, insertCalls } from '../../../../test/helpers/service/call-rows.ts'
import { readPagedList } from '../../../filter/list-query.ts'
import { openDatabase, openPool } from '../../../store/database.ts'
import { callList } from '../call-list.ts'
import { readFromIndexes, readIndexSearch } from '../index-scan-store.ts'
import { findKeySearches } from '../key-search-store.ts'
import { planSearch } from '../search-plan.ts'
import { createCallCounts } from './call-counts.ts'
import { lockCounts } from './call-counts-store.ts'
import { addDestinationKeys } from './destination-ends-store.ts'
import { createMissingKeys } from './missing-keys.ts'

const database = await createTestDatabase()
const pool = openPool({ connectionString: database.url }, { size: 4, onError: () => {} })
const db = openDatabase(pool)
const start = Date.parse('2026-11-15T12:00:00.000Z')
const at = (ms: number) => new Date(start + ms)
let account = 0

afterAll(async () => {
  await pool.end()
  await database.drop()
})
beforeEach(async () => {
  account = await insertAccount(db)
})

const where = (criteria: object) =>
  readPagedList(callList, { page: '1', filter: JSON.stringify({ where: criteria }) }, { timeZone: 'UTC' })
    .where
const keySearches = (criteria: object) => findKeySearches(db, account, where(criteria))
const missing = () =>
  db.selectFrom('caller_values_missing').selectAll().where('account_id', '=', account).execute()

/** As the releases before left them: without keys. The migrations note the account. */
async function insertEarlier(calls: number) {
  const rows = Array.from({ length: calls }, (_, ms) => ({
    started_at: at(ms),
    first_name: ms % 2 === 0 ? 'Ana' : 'Bruno',
    caller_number: null,
    to_number: `55489999${String(ms).padStart(5, '0')}`,
  }))
  for (let first = 0; first < calls; first += 500) {
    await insertCalls(db, account, rows.slice(first, first + 500))
  }
  await sql`delete from call_values using calls where call_id = calls.id and account_id = ${account}`.execute(
    db,
  )
  await sql`delete from caller_values where account_id = ${account}`.execute(db)
  for (const table of ['caller_values_missing', 'destination_ends_missing']) {
    await sql`insert into ${sql.table(table)} values (${account}, '-infinity', ${at(300_000)})`.execute(db)
  }
}

test('until then calls are found without them, afterwards by them, with exact totals', async () => {
  await insertEarlier(2_500)
  const clock = createTestClock(at(10_000).toISOString())
  const values = createMissingKeys({ db, clock })
  const counts = createCallCounts({ db, clock })
  expect(await keySearches({ first_name: 'Ana' })).toEqual([])

  // The calls have settled, but more may come that were being stored during the migration.
  clock.advance(2 * minutes)
  await counts.tick()
  await values.tick()
  expect(await missing()).toHaveLength(1)
  expect(await keySearches({ first_name: 'Ana' })).toEqual([])

  clock.advance(10 * minutes)
  await insertCalls(db, account, [{ started_at: at(240_000), first_name: 'Ana' }])
  await values.tick()
  expect(await missing()).toEqual([])
  expect(await keySearches({ first_name: { ilike: 'AN%' } })).toHaveLength(1)
  for (const [criteria, total] of [
    [{ first_name: 'Ana' }, 1_251],
    [{ first_name: 'Bruno' }, 1_250],
    [{ first_name: { like: 'n' } }, 2_501],
    [{ first_name: 'Bruno', started_at: { lt: at(100).toISOString() } }, 50],
    [{ BINA: '554833334444' }, 1],
  ] as const) {
    const plan = await planSearch(db, account, where(criteria))
    expect([plan.exact, plan.candidates], JSON.stringify(criteria)).toEqual([true, total])
  }
  const keyCounts = db.selectFrom('call_counts').select('counted').where('account_id', '=', account)
  expect((await keyCounts.where('counted', 'like', '#%').execute()).length).toBeGreaterThan(0)
})

test('a step is paused after, and left for another time while a call is being stored', async () => {
  await insertEarlier(2_500)
  const clock = createTestClock(at(600_000).toISOString())
  const values = createMissingKeys({ db, clock })
  await db.transaction().execute(async (tx) => {
    await insertCalls(tx, account, [{ started_at: at(540_000) }])
    await values.tick()
    expect(await missing()).toMatchObject([{ until: at(300_000) }])
  })
  const pauses: number[] = []
  await values.tick(async (ms) => {
    pauses.push(ms)
    return pauses.length < 1
  })
  expect(pauses).toHaveLength(1)
  const keys = db.selectFrom('call_values').select('call_id').where('started_at', '<', at(2_500))
  const added = await keys.execute()
  expect(added.length).toBeGreaterThanOrEqual(1_000)
  await values.tick()
  expect(await missing()).toEqual([])
})

test('the end of a destination is searched in its index only once every call has its key', async () => {
  await insertEarlier(2_500)
  const search = readIndexSearch(where({ to: { like: '%2345' } }))
  if (!search) throw new Error('no search of numbers')
  const query = readPagedList(
    callList,
    { page: '1', filter: JSON.stringify({ where: { to: { like: '%2345' } } }) },
    { timeZone: 'UTC' },
  )
  /** In an account of so many calls the index on destinations is not read as a whole. */
  const find = () => readFromIndexes(db, account, query, { search, calls: 1e9 })
  expect(await find()).toBeUndefined()
  await createMissingKeys({ db, clock: createTestClock(at(600_000).toISOString()) }).tick()
  expect(await find()).toMatchObject({ total: 1, rows: [{ to_number: '5548999902345' }] })
  await insertCalls(db, account, [{ started_at: at(700_000), to_number: '551133332345' }])
  expect(await find()).toMatchObject({ total: 2 })
  await db.deleteFrom('calls').where('account_id', '=', account).execute()
  expect(await find()).toMatchObject({ total: 0, rows: [] })
})

test('a call that is removed while it gets its keys leaves none behind', async () => {
  await insertEarlier(10)
  const upTo = at(600_000)
  let removal: Promise<unknown> | undefined
  await db.transaction().execute(async (tx) => {
    await lockCounts(tx, account, 1_000)
    await addDestinationKeys(tx, { accountId: account, step: 1_000, upTo })
    removal = db.deleteFrom('calls').where('account_id', '=', account).execute()
    await lockWaited()
  })
  await removal
  const keys = sql<{ key: string }>`
    select key from call_values where key = destination_search_key(${account}, '0007')`
  expect((await keys.execute(db)).rows).toEqual([])
})

/** Resolves once a statement waits for an advisory lock. */
async function lockWaited() {
  const waiting = sql`select from pg_locks where locktype = 'advisory' and not granted
    and database = (select oid from pg_database where datname = current_database())`
  while ((await waiting.execute(db)).rows.length === 0);
}
