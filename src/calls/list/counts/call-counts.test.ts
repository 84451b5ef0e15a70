import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestClock, minutes } from '../../../../test/helpers/run/test-clock.ts'
import { createTestDatabase } from '../../../../test/helpers/run/test-database.ts'
import { insertAccount, insertCalls } from '../../../../test/helpers/service/call-rows.ts'
import type { Condition } from '../../../filter/condition.ts'
import { readPagedList } from '../../../filter/list-query.ts'
import { openDatabase, openPool } from '../../../store/database.ts'
import { callList } from '../call-list.ts'
import { countMatching } from '../list-store.ts'
import { planSearch } from '../search-plan.ts'
import { createCallCounts } from './call-counts.ts'
import { advance, lockCounts, selectCountKeys } from './call-counts-store.ts'

const database = await createTestDatabase()
const pool = openPool({ connectionString: database.url }, { size: 8, onError: () => {} })
const db = openDatabase(pool)
const start = Date.parse('2026-11-15T12:00:00.000Z')
const at = (ms: number) => new Date(start + ms)
let account = 0

beforeAll(async () => {
  await sql`select 1`.execute(db)
})
beforeEach(async () => {
  account = await insertAccount(db)
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

const where = (criteria: object): Condition =>
  readPagedList(callList, { page: '1', filter: JSON.stringify({ where: criteria }) }, { timeZone: 'UTC' })
    .where

async function kept(criteria: object, handle = db): Promise<number> {
  const { exact, candidates, search } = await planSearch(handle, account, where(criteria))
  return exact ? candidates : await countMatching(handle, account, where(criteria), search)
}

const looked = (criteria: object, handle = db) => countMatching(handle, account, where(criteria))

const counts = () =>
  db.selectFrom('call_counts').selectAll().where('account_id', '=', account).orderBy('until').execute()

/** Steps so small that a handful of calls makes many. */
async function count(upTo: Date, step: number) {
  async function once() {
    const countKeys = await selectCountKeys(db, account, upTo, step)
    return await db.transaction().execute(async (tx) => {
      await lockCounts(tx, account, 10_000)
      return await advance(tx, account, { upTo, step, countKeys })
    })
  }
  while (await once()) {
    // On to the next step.
  }
}

const moment = fc.integer({ min: 0, max: 60 })
const number = fc.constantFrom('1000', '1001', '1002', '')
const iso = (ms: number) => at(ms).toISOString()
const range = fc.oneof(
  fc.tuple(fc.constantFrom('gt', 'gte', 'lt', 'lte', 'eq'), moment).map(([is, ms]) => ({ [is]: iso(ms) })),
  fc.tuple(moment, moment).map(([from, to]) => ({ between: [iso(from), iso(to)] })),
  fc.tuple(moment, moment).map(([from, to]) => ({ gt: iso(from), lt: iso(to) })),
)
const from = fc.oneof(
  number,
  fc.array(number, { maxLength: 3 }).map((inq) => ({ inq })),
)
const metadata = fc.oneof(fc.constant({}), fc.record({ c: fc.constantFrom('x', 'y', 7, '7', null) }))
const value = fc.oneof(
  fc.constantFrom('x', 'y', 'z', 7, '7.0'),
  fc.subarray(['x', 'y', '7', '7.0'], { minLength: 1 }).map((inq) => ({ inq })),
)
const part = fc.oneof(
  range.map((started_at) => ({ started_at })),
  from.map((one) => ({ from: one })),
  value.map((one) => ({ 'metadata.c': one })),
)
const filter = fc.oneof(
  fc.constant({}),
  part,
  from.map((extension) => ({ extension })),
  fc.record({ started_at: range, from }),
  fc.record({ started_at: range, 'metadata.c': value }),
  fc.record({ and: fc.array(part, { maxLength: 3 }) }),
  fc.record({ or: fc.array(part, { minLength: 1, maxLength: 3 }) }),
  fc.record({ or: fc.array(fc.record({ from }), { minLength: 1, maxLength: 3 }), started_at: range }),
)
const deed = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ add: fc.array(fc.record({ ms: moment, number, metadata }), { maxLength: 12 }) }),
  },
  { weight: 3, arbitrary: fc.record({ count: moment }) },
  { weight: 3, arbitrary: fc.record({ ask: filter }) },
  { weight: 1, arbitrary: fc.record({ remove: moment }) },
  { weight: 2, arbitrary: fc.record({ removeBefore: moment }) },
)

test('totals are exact whatever is added, counted, removed and asked in whatever order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(deed, { maxLength: 14 }),
      fc.integer({ min: 1, max: 6 }),
      async (deeds, step) => {
        account = await insertAccount(db)
        for (const one of deeds) {
          if ('add' in one) {
            const rows = one.add.map(({ ms, number, metadata }) => ({
              started_at: at(ms),
              from_number: number,
              metadata,
            }))
            await insertCalls(db, account, rows)
          } else if ('count' in one) {
            await count(at(one.count), step)
          } else if ('remove' in one) {
            const removed = db.deleteFrom('calls').where('account_id', '=', account)
            await removed.where('started_at', '=', at(one.remove)).execute()
          } else if ('removeBefore' in one) {
            const removed = db.deleteFrom('calls').where('account_id', '=', account)
            await removed.where('started_at', '<', at(one.removeBefore)).execute()
          } else {
            expect(await kept(one.ask)).toBe(await looked(one.ask))
          }
        }
        for (const criteria of [
          { extension: '1000', started_at: { gte: iso(20) } },
          { 'metadata.c': 'x', started_at: { lt: iso(40) } },
          { 'metadata.c': { inq: ['7', '7.0', 'y'] } },
        ]) {
          expect(await kept(criteria)).toBe(await looked(criteria))
        }
      },
    ),
    { numRuns: 60 },
  )
}, 120_000)

test('a total is exact at every moment while many add calls and others count', async () => {
  let adding = 4
  let ms = 0
  async function add() {
    for (let call = 0; call < 120; call += 1) {
      // Some come late: their start lies before what was counted.
      ms += 1
      await insertCalls(db, account, [
        {
          started_at: at(call % 10 === 0 ? ms / 2 : ms),
          from_number: `${1000 + (call % 3)}`,
          metadata: { c: call % 3 },
        },
      ])
    }
    adding -= 1
  }
  async function countAlong() {
    while (adding > 0) await count(at(ms), 5)
  }
  async function ask() {
    while (adding > 0) {
      await db
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute(async (tx) => {
          for (const criteria of [
            {},
            { from: '1001' },
            { 'metadata.c': 1 },
            { 'metadata.c': '2', started_at: { gt: at(50) } },
          ]) {
            expect(await kept(criteria, tx)).toBe(await looked(criteria, tx))
          }
        })
    }
  }
  await Promise.all([add(), add(), add(), add(), countAlong(), ask()])
  expect(await kept({})).toBe(480)
  await count(at(1e6), 5)
  expect(await kept({})).toBe(480)
}, 60_000)

test('a step holds as many calls as it should, those of one instant together', async () => {
  await insertCalls(db, account, [
    ...Array.from({ length: 12 }, () => ({ started_at: at(5) })),
    ...Array.from({ length: 9 }, (_, ms) => ({ started_at: at(10 + ms) })),
  ])
  await count(at(100), 4)
  const steps = (await counts()).filter(({ counted }) => counted === '*')
  expect(steps.map(({ calls }) => calls)).toEqual([12, 16, 20, 21])
})

test('a number with few calls costs no row', async () => {
  await insertCalls(db, account, [
    ...Array.from({ length: 12 }, (_, ms) => ({ started_at: at(ms) })),
    ...Array.from({ length: 12 }, (_, ms) => ({ started_at: at(ms), from_number: `55489999900${10 + ms}` })),
  ])
  await count(at(100), 5)
  const names = (await counts()).map(({ counted }) => counted)
  expect(new Set(names.filter((name) => !name.startsWith('#')))).toEqual(new Set(['*', '=1000']))
})

test('a call keeps what it is counted by', async () => {
  const [id = ''] = await insertCalls(db, account, [{}])
  const change = db.updateTable('calls').where('id', '=', id)
  await expect(change.set({ started_at: at(7) }).execute()).rejects.toThrow(/keeps its account/)
  await expect(change.set({ metadata: '{"a":1}' }).execute()).rejects.toThrow(/its metadata/)
  await change.set({ started_at: at(0), status: 'busy' }).execute()
})

test('the loop counts what has settled, and leaves alone what is not countKeys it', async () => {
  const clock = createTestClock(at(0).toISOString())
  const { tick } = createCallCounts({ db, clock })
  await insertCalls(
    db,
    account,
    Array.from({ length: 499 }, (_, ms) => ({ started_at: at(ms) })),
  )
  clock.advance(10 * minutes)
  await tick()
  expect(await counts()).toEqual([])
  await insertCalls(db, account, [{ started_at: at(500) }, { started_at: at(600_000) }])
  await tick()
  expect(await counts()).toMatchObject([{ counted: '*', calls: 500 }])
  expect(await kept({})).toBe(501)
})

test('after each step it pauses, and it stops when the pause says so', async () => {
  const clock = createTestClock(at(0).toISOString())
  for (let from = 0; from < 3500; from += 500) {
    const some = Array.from({ length: 500 }, (_, ms) => ({ started_at: at(from + ms) }))
    await insertCalls(db, account, some)
  }
  clock.advance(10 * minutes)
  const { tick } = createCallCounts({ db, clock })
  const pauses: number[] = []
  await tick(async (ms) => {
    pauses.push(ms)
    return pauses.length < 2
  })
  expect(pauses.every((ms) => ms > 0)).toBe(true)
  const all = (await counts()).filter(({ counted }) => counted === '*')
  expect(all.map(({ calls }) => calls)).toEqual([1000, 2000])
  await tick()
  expect(await kept({})).toBe(3500)
})

test('while a call is being stored the loop waits for another time, and nobody waits long', async () => {
  const clock = createTestClock(at(0).toISOString())
  clock.advance(10 * minutes)
  await insertCalls(
    db,
    account,
    Array.from({ length: 500 }, (_, ms) => ({ started_at: at(ms) })),
  )
  await db.transaction().execute(async (tx) => {
    await insertCalls(tx, account, [{ started_at: at(700) }])
    await createCallCounts({ db, clock }).tick()
    expect(await counts()).toEqual([])
  })
  await createCallCounts({ db, clock }).tick()
  expect(await counts()).toMatchObject([{ counted: '*', calls: 501 }])
})
