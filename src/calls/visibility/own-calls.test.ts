/** D599: the list and single calls follow the same rule, whatever way the calls are found. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/helpers/run/test-database.ts'
import { insertAccount, insertCalls } from '../../../test/helpers/service/call-rows.ts'
import { readPagedList } from '../../filter/list-query.ts'
import { openDatabase, openPool } from '../../store/database.ts'
import { createSearchDeadline } from '../../store/searches.ts'
import { callList } from '../list/call-list.ts'
import { selectPage } from '../list/list-store.ts'
import { readCallPage } from '../list/page-reader.ts'
import { planSearch, type SearchSizes } from '../list/search-plan.ts'
import { readOwnStats } from '../statistics/own-figures-store.ts'
import { isOwnCall, type OwnCalls, ownCondition } from './own-calls.ts'

const database = await createTestDatabase()
const pool = openPool({ connectionString: database.url }, { size: 4, onError: () => {} })
const db = openDatabase(pool)
let account = 0
beforeAll(async () => {
  account = await insertAccount(db)
  await insertCalls(db, account, someCalls(400))
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

const start = Date.parse('2026-11-15T12:00:00.000Z')
const users = ['0193a2f4-0000-7000-8000-000000000001', '0193a2f4-0000-7000-8000-000000000002', null]
const numbers = ['1000', '1001', '1002', '5548999990000']
const types = ['outbound', 'inbound', 'internal'] as const
const pick = <T>(from: readonly T[], n: number) => from[n % from.length] as T

/** Every combination of users, sides and types is there. */
function someCalls(count: number) {
  return Array.from({ length: count }, (_, n) => ({
    started_at: new Date(start + Math.floor(n / 2) * 1000),
    user_uuid: pick(users, n),
    extension_user_uuid: pick(users, Math.floor(n / 3)),
    from_number: pick(numbers, Math.floor(n / 9)),
    to_number: pick(numbers, Math.floor(n / 36)),
    call_type: pick(types, Math.floor(n / 7)),
    duration: n % 5,
  }))
}

const query = (criteria: object, page = 1) =>
  readPagedList(callList, { page: String(page), filter: JSON.stringify(criteria) }, { timeZone: 'UTC' })

const anyOwn: fc.Arbitrary<OwnCalls> = fc.record({
  userUuid: fc.constantFrom(...users.filter((uuid) => uuid !== null)),
  numbers: fc.subarray(['1000', '1001', '1002', '1003']),
})
/** From so small that 400 calls are many up to the usual ones. */
const anySizes = fc.record({
  few: fc.constantFrom(20, 20_000),
  sorted: fc.constant(10_000),
  window: fc.constantFrom(12, 2_000),
  skipped: fc.constant(5),
})
const anyWhere = fc.constantFrom(
  {},
  { call_type: 'internal' },
  { duration: { gte: 2 } },
  { started_at: { gte: new Date(start + 60_000).toISOString() } },
  { from: '1000' },
  { first_name: 'Ana' },
)

test('pages of the list have the calls that are own by the rule for single calls', async () => {
  const all = (await selectPage(db, account, { ...query({}), limit: 1000 })).rows
  expect(all).toHaveLength(400)
  const check = async (own: OwnCalls, sizes: SearchSizes, where: object) => {
    const asked = query({ where, limit: 30 })
    const matching = new Set(
      (await selectPage(db, account, { ...asked, limit: 1000 })).rows.map(({ id }) => id),
    )
    const expected = all.filter((call) => matching.has(call.id) && isOwnCall(own, call)).map(({ id }) => id)
    const narrowed = { ...asked, where: { all: [ownCondition(own), asked.where] } }
    const deadline = createSearchDeadline(db, () => 0)
    const page = await readCallPage(db, account, narrowed, sizes, deadline)
    expect(page.rows.map(({ id }) => id)).toEqual(expected.slice(0, 30))
    if (page.atLeast) expect(page.total).toBeLessThanOrEqual(expected.length)
    else expect(page.total).toBe(expected.length)
  }
  await fc.assert(
    fc.asyncProperty(anyOwn, anySizes, anyWhere, (own, sizes, where) => check(own, sizes, where)),
    { numRuns: 60 },
  )
})

test('statistics count the own calls that are over, in every group', async () => {
  const all = (await selectPage(db, account, { ...query({}), limit: 1000 })).rows
  const span = { from: new Date(start), to: new Date(start + 86_400_000), by: 'day' } as const
  const groups = [undefined, 'extension', 'user', 'cause', 'direction', 'outcome'] as const
  const check = async (own: OwnCalls, group: (typeof groups)[number]) => {
    const asked = { ...span, group, accountId: account, timeZone: 'UTC' }
    const rows = await readOwnStats(db, asked, own)
    const mine = all.filter((call) => isOwnCall(own, call))
    const total = (name: 'calls' | 'seconds') => rows.reduce((sum, row) => sum + row[name], 0)
    expect(total('calls')).toBe(mine.length)
    expect(total('seconds')).toBe(mine.reduce((sum, { duration }) => sum + duration, 0))
    if (group === 'direction') {
      const counted = Object.fromEntries(rows.map((row) => [row.group, row.calls]))
      const expected = mine.filter(({ call_type }) => call_type === 'internal').length
      expect(counted.internal ?? 0).toBe(expected)
    }
  }
  await fc.assert(
    fc.asyncProperty(anyOwn, fc.constantFrom(...groups), (own, group) => check(own, group)),
    { numRuns: 30 },
  )
})

test('few own calls among many are found by the indexes on numbers', async () => {
  const other = await insertAccount(db)
  await insertCalls(
    db,
    other,
    Array.from({ length: 300 }, (_, n) => ({
      started_at: new Date(start + n * 1000),
      from_number: n % 100 === 0 ? '1001' : '1000',
      user_uuid: users[0] ?? null,
    })),
  )
  const own = { userUuid: users[0] ?? '', numbers: ['1001'] }
  const plan = await planSearch(db, other, { all: [ownCondition(own)] })
  expect([plan.candidates, plan.search?.sides?.from]).toEqual([3, ['1001']])
})
