/** D440, D441, D442: whatever way a page of calls is found, it is the page of the filter. */
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/helpers/run/test-database.ts'
import { insertAccount, insertCalls } from '../../../test/helpers/service/call-rows.ts'
import { type PagedQuery, readPagedList } from '../../filter/list-query.ts'
import { openDatabase, openPool } from '../../store/database.ts'
import { createSearchDeadline, type SearchDeadline, searchTimeoutMs } from '../../store/searches.ts'
import { callList } from './call-list.ts'
import { scanPage } from './call-scan.ts'
import { advance, lockCounts, selectCountKeys } from './counts/call-counts-store.ts'
import { readFromIndexes, readIndexSearch } from './index-scan-store.ts'
import { countMatching, selectPage } from './list-store.ts'
import { readCallPage } from './page-reader.ts'
import { laneOf, planSearch, searchSizes } from './search-plan.ts'

const database = await createTestDatabase()
const pool = openPool({ connectionString: database.url }, { size: 4, onError: () => {} })
const db = openDatabase(pool)
const start = Date.parse('2026-11-15T12:00:00.000Z')
const at = (ms: number) => new Date(start + ms)
let account = 0

beforeAll(async () => {
  account = await insertAccount(db)
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

/** So small that a few hundred calls are many. */
const small = { few: 20, sorted: 1_000, window: 12, skipped: 5 }

/** No search takes any time: whether one is refused must not depend on how busy the machine is. */
const readPage = (asked: PagedQuery, sizes = small) =>
  readCallPage(
    db,
    account,
    asked,
    sizes,
    createSearchDeadline(db, () => 0),
  )

type Criteria = { where?: object; order?: string; limit?: number }
const query = (criteria: Criteria, page = 1) =>
  readPagedList(callList, { page: String(page), filter: JSON.stringify(criteria) }, { timeZone: 'UTC' })

/** Steps so small that a handful of calls makes many. */
async function count(upTo: Date, step: number) {
  const once = async () => {
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

const names = ['Ana', 'ana', 'Ánna', 'Bruno', 'Br_no', '']
const causes = ['NO_ANSWER', 'USER_BUSY', 'NORMAL_CLEARING'] as const
const numbers = ['1000', '1001', '1002']
const someCalls = (calls: number) =>
  Array.from({ length: calls }, (_, n) => {
    const scattered = (n * 7919) % 1009
    return {
      started_at: at(Math.floor(n / 2)),
      first_name: names[scattered % names.length] ?? '',
      last_name: names[(scattered >> 2) % names.length] ?? '',
      email: `person${scattered % 40}@padaria.example`,
      caller_number: scattered % 5 === 0 ? null : `55483333000${scattered % 4}`,
      from_number: numbers[scattered % 3] ?? '',
      to_number: `5548${99990000 + scattered}`,
      hangup_cause: causes[scattered % 3] ?? 'NO_ANSWER',
      duration: scattered % 60,
      metadata: { lead: scattered % 30, campaign: `c${scattered % 3}` },
    }
  })

const text = fc.constantFrom(...names, 'zz')
const pattern = fc.oneof(
  fc.constantFrom('an', 'A%', '%o', '_', 'zz').map((like) => ({ like })),
  fc.constantFrom('AN', 'br%').map((ilike) => ({ ilike })),
  fc.constantFrom('^A', 'n+').map((regexp) => ({ regexp })),
  fc.constantFrom('an').map((nlike) => ({ nlike })),
  fc.subarray(names).map((inq) => ({ inq })),
  text.map((neq) => ({ neq })),
)
const name = fc.tuple(fc.constantFrom('first_name', 'last_name'), fc.oneof(text, pattern))
const moment = fc.integer({ min: 0, max: 160 }).map((ms) => at(ms).toISOString())
const leaf = fc.oneof(
  name.map(([field, value]) => ({ [field]: value })),
  fc.constantFrom('person7@padaria.example', 'x').map((email) => ({ email })),
  fc.constantFrom('person1', '%2@padaria.example').map((like) => ({ email: { like } })),
  fc
    .constantFrom('+55 48 3333-0001', null, { like: '3333' }, { neq: '554833330001' })
    .map((BINA) => ({ BINA })),
  fc.constantFrom(...numbers).map((from) => ({ from })),
  fc.subarray(numbers).map((inq) => ({ from: { inq } })),
  moment.map((gte) => ({ started_at: { gte } })),
  fc.tuple(moment, moment).map((between) => ({ started_at: { between } })),
  fc.constantFrom(...causes).map((hangup_cause) => ({ hangup_cause })),
  fc.integer({ min: 0, max: 60 }).map((gt) => ({ duration: { gt } })),
  fc.constantFrom('9999', '%7', '5548%').map((like) => ({ to: { like } })),
  fc.constantFrom('c1', { inq: ['c0', 'c2'] }, 'none').map((campaign) => ({ 'metadata.campaign': campaign })),
  fc.integer({ min: 0, max: 30 }).map((lead) => ({ 'metadata.lead': lead })),
)
const part = fc.oneof(
  { weight: 4, arbitrary: leaf },
  { weight: 1, arbitrary: fc.array(leaf, { minLength: 1, maxLength: 3 }).map((or) => ({ or })) },
  {
    weight: 1,
    arbitrary: fc
      .array(name, { minLength: 2, maxLength: 3 })
      .map((some) => ({ or: some.map(([field, value]) => ({ [field]: value })) })),
  },
)
const where = fc.array(part, { maxLength: 3 }).map((and) => ({ and }))
const order = fc.constantFrom('started_at DESC', 'started_at ASC', 'duration DESC')

describe('among calls that are partly counted', () => {
  beforeAll(async () => {
    account = await insertAccount(db)
    await insertCalls(db, account, someCalls(300))
    await count(at(130), 7)
  })

  test('every page is that of the filter alone, and a total is exact or a bound that says so', async () => {
    await fc.assert(
      fc.asyncProperty(
        where,
        order,
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 25 }),
        async (one, by, page, limit) => {
          const asked = query({ where: one, order: by, limit }, page)
          const plain = await selectPage(db, account, asked)
          const total = await countMatching(db, account, asked.where)
          const read = await readPage(asked)
          const ids = ({ rows }: { rows: { id: string }[] }) => rows.map(({ id }) => id)
          expect(ids(read)).toEqual(ids(plain))
          if (read.atLeast) {
            expect(read.total).toBeLessThanOrEqual(total)
            expect(read.total).toBeGreaterThanOrEqual(asked.offset + read.rows.length)
            expect(read.end).toBeDefined()
          } else {
            expect(read.total).toBe(total)
            expect(read.end).toEqual(plain.end)
          }
        },
      ),
      { numRuns: 200 },
    )
  }, 240_000)

  test('indexes on numbers find the same as the filter', async () => {
    const number = fc.constantFrom(
      '9999',
      '%7',
      '5548%',
      '12',
      '1001',
      '99990',
      '999901',
      '%9990012_',
      '%0123',
      '%90124',
      '548999%1',
    )
    const branch = fc.oneof(
      fc.tuple(fc.constantFrom('to', 'from', 'BINA'), number).map(([field, like]) => ({ [field]: { like } })),
      name.map(([field, value]) => ({ [field]: value })),
    )
    const searched = fc.tuple(fc.array(branch, { minLength: 1, maxLength: 3 }), moment)
    await fc.assert(
      fc.asyncProperty(searched, order, fc.integer({ min: 1, max: 4 }), async ([or, gte], by, page) => {
        const asked = query(
          { where: { or, started_at: { gte } }, order: by.replace('duration', 'started_at'), limit: 20 },
          page,
        )
        const search = readIndexSearch(asked.where)
        const read = search && (await readFromIndexes(db, account, asked, { search, calls: 300 }))
        const plain = await selectPage(db, account, asked)
        expect(read).toEqual({ ...plain, total: await countMatching(db, account, asked.where) })
      }),
      { numRuns: 60 },
    )
    expect(readIndexSearch(query({ where: { hangup_cause: 'USER_BUSY' } }).where)).toBeUndefined()
  }, 240_000)

  test('page after page shows every call of the filter once, and the last one says how many there are', async () => {
    await fc.assert(
      fc.asyncProperty(where, fc.constantFrom('started_at DESC', 'started_at ASC'), async (one, by) => {
        const all = query({ where: one, order: by, limit: 1_000 })
        const expected = (await selectPage(db, account, all)).rows.map(({ id }) => id)
        const seen: string[] = []
        let asked = query({ where: one, order: by, limit: 17 })
        for (;;) {
          const { rows, end, total, atLeast } = await readPage(asked)
          seen.push(...rows.map(({ id }) => id))
          if (!end) {
            expect([total, atLeast ?? false]).toEqual([expected.length, false])
            break
          }
          asked = { ...asked, page: asked.page + 1, offset: 0, after: { key: end, total, atLeast } }
        }
        expect(seen).toEqual(expected)
      }),
      { numRuns: 60 },
    )
  }, 240_000)
})

describe('while calls arrive, late ones too, and are counted', () => {
  test.each([
    {},
    { from: '1001' },
    { first_name: 'Ana' },
    { or: [{ first_name: { like: 'an' } }, { last_name: 'Bruno' }] },
    { 'metadata.campaign': 'c1', first_name: { like: 'n' } },
    { hangup_cause: 'USER_BUSY' },
    { to: { like: '9999' } },
  ])('a page far behind and those that follow it by cursor show each call once: %j', async (where) => {
    for (const order of ['started_at DESC', 'started_at ASC']) {
      account = await insertAccount(db)
      await insertCalls(db, account, someCalls(300))
      await count(at(130), 7)
      const all = query({ where, order, limit: 1_000 })
      const before = (await selectPage(db, account, all)).rows.map(({ id }) => id)
      const limit = 14
      const page = 3
      let asked = query({ where, order, limit }, page)
      const seen: string[] = []
      for (let round = 1; ; round += 1) {
        const { rows, end, total, atLeast } = await readPage(asked)
        seen.push(...rows.map(({ id }) => id))
        if (!end) break
        asked = { ...asked, page: asked.page + 1, offset: 0, after: { key: end, total, atLeast } }
        // Oldest first, a list to which calls are always added would have no end.
        if (round > 4) continue
        const arrived = someCalls(8).map((call, n) => ({
          ...call,
          started_at: at(n % 4 === 0 ? 20 * n : 1_000 * round),
        }))
        await insertCalls(db, account, arrived)
        if (round === 2) await count(at(140), 7)
      }
      expect(seen.length).toBe(new Set(seen).size)
      const known = new Set(before)
      expect(seen.filter((id) => known.has(id))).toEqual(before.slice((page - 1) * limit))
    }
  })
})

test('a page past the end of a list whose calls were not all counted has the exact total', async () => {
  account = await insertAccount(db)
  await insertCalls(db, account, someCalls(300))
  const asked = { where: { email: { like: 'person1' } }, limit: 12 }
  const all = await countMatching(db, account, query(asked).where)
  expect(await readPage(query(asked))).toMatchObject({ atLeast: true })
  expect(await readPage(query(asked, 30))).toMatchObject({ rows: [], total: all })
})

test('lists that an index serves have a lane of their own, apart from searches that read calls (D186)', () => {
  const lane = (where: object) => laneOf(query({ where }).where)
  for (const where of [
    {},
    { started_at: '2026-11-15' },
    { and: [{ started_at: { gte: '2026-11-15' } }, { started_at: { lte: '2026-11-16' } }] },
    { extension: '1000', started_at: { gte: '2026-11-15' } },
    { to: '+55 48 99999-8888' },
    { id: '0199a4b1-5555-7000-8000-000000000000' },
    { first_name: 'Ana' },
    { last_name: { like: 'x' } },
    { or: [{ first_name: { ilike: 'an' } }, { email: { ilike: 'an' } }] },
    { email: { inq: ['ana@padaria.example'] }, started_at: { gte: '2026-11-15' } },
    { 'metadata.lead': 7 },
  ]) {
    expect(lane(where), JSON.stringify(where)).toBe('served')
  }
  for (const where of [
    { last_name: { regexp: 'x' } },
    { status: 'completed' },
    { BINA: null },
    { to: { like: '%1234' } },
    { first_name: 'Ana', duration: { gt: 1 } },
  ]) {
    expect(lane(where), JSON.stringify(where)).toBe('scanned')
  }
})

describe('a search that reads more than it may', () => {
  /** Every statement seems to take that long. */
  function slowDeadline(msOfOne: number) {
    let statements = 0
    const deadline: SearchDeadline = {
      within: (work) => {
        statements += 1
        return work(db)
      },
      spentMs: () => statements * msOfOne,
      leftMs: () => searchTimeoutMs - statements * msOfOne,
    }
    return { deadline, statements: () => statements }
  }

  test('is given up after the first calls, once these show that it would take too long (D441)', async () => {
    const asked = query({ where: { hangup_cause: 'CALL_REJECTED' } })
    const plan = await planSearch(db, account, asked.where, small)
    const slow = slowDeadline(300)
    const scanned = { plan, window: small.window, insteadMs: undefined }
    expect(await scanPage(slow.deadline, account, asked, scanned)).toBeUndefined()
    // The ends of two windows, and the calls in these.
    expect(slow.statements()).toBe(4)
    const quick = slowDeadline(1)
    expect(await scanPage(quick.deadline, account, asked, scanned)).toMatchObject({ rows: [], total: 0 })
  })

  test('is not given up where it fills its page in time', async () => {
    const asked = query({ where: { hangup_cause: 'USER_BUSY' }, limit: 20 })
    const plan = await planSearch(db, account, asked.where, small)
    const scanned = { plan, window: small.window, insteadMs: undefined }
    const page = await scanPage(slowDeadline(100).deadline, account, asked, scanned)
    expect(page).toMatchObject({ atLeast: true, total: 21 })
    expect(page?.rows).toHaveLength(20)
  })

  beforeEach(async () => {
    account = await insertAccount(db)
    await insertCalls(db, account, someCalls(300))
    await count(at(1_000), 7)
  })

  test('is refused before anything is sorted', async () => {
    const asked = query({ order: 'duration DESC', where: { hangup_cause: 'USER_BUSY' } })
    await expect(readPage(asked, { ...small, sorted: 250 })).rejects.toMatchObject({
      code: 'SEARCH_TOO_EXPENSIVE',
    })
    expect((await readPage(asked, searchSizes)).total).toBe(102)
  })
})
