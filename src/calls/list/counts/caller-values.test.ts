/** D440: calls from before an upgrade get the keys of their callers while the service runs. */
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createTestClock, minutes } from '../../../../test/helpers/run/test-clock.ts'
import { createTestDatabase } from '../../../../test/helpers/run/test-database.ts'
import { insertAccount, insertCalls } from '../../../../test/helpers/service/call-rows.ts'
import { readPagedList } from '../../../filter/list-query.ts'
import { openDatabase, openPool } from '../../../store/database.ts'
import { callList } from '../call-list.ts'
import { findKeySearches } from '../key-search-store.ts'
import { planSearch } from '../search-plan.ts'
import { createCallCounts } from './call-counts.ts'
import { createCallerValues } from './caller-values.ts'

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

/** As the release before left them: without keys of callers. The migration notes the account. */
async function insertEarlier(calls: number) {
  const rows = Array.from({ length: calls }, (_, ms) => ({
    started_at: at(ms),
    first_name: ms % 2 === 0 ? 'Ana' : 'Bruno',
    caller_number: null,
  }))
  for (let first = 0; first < calls; first += 500) {
    await insertCalls(db, account, rows.slice(first, first + 500))
  }
  await sql`delete from call_values using calls where call_id = calls.id and account_id = ${account}`.execute(
    db,
  )
  await sql`delete from caller_values where account_id = ${account}`.execute(db)
  await sql`insert into caller_values_missing values (${account}, '-infinity', ${at(300_000)})`.execute(db)
}

test('until then calls are found without them, afterwards by them, with exact totals', async () => {
  await insertEarlier(2_500)
  const clock = createTestClock(at(10_000).toISOString())
  const values = createCallerValues({ db, clock })
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
  const values = createCallerValues({ db, clock })
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
