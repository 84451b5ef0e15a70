import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/helpers/run/test-database.ts'
import { insertAccount, insertCalls } from '../../../test/helpers/service/call-rows.ts'
import { readPagedList } from '../../filter/list-query.ts'
import { openDatabase, openPool } from '../../store/database.ts'
import { callList } from './call-list.ts'
import { findKeySearches } from './key-search-store.ts'
import { countMatching, selectPage } from './list-store.ts'
import { readCallPage } from './page-reader.ts'

const database = await createTestDatabase()
const pool = openPool({ connectionString: database.url }, { size: 4, onError: () => {} })
const db = openDatabase(pool)
let account = 0

beforeAll(async () => {
  account = await insertAccount(db)
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

const query = (criteria: object) =>
  readPagedList(callList, { page: '1', filter: JSON.stringify(criteria) }, { timeZone: 'UTC' })
const where = (criteria: object) => query({ where: criteria }).where

/** What the filter alone lets through. */
const looked = (criteria: object) => countMatching(db, account, where(criteria))

async function found(criteria: object): Promise<number> {
  return (await readCallPage(db, account, query({ where: criteria }))).total
}

async function page(criteria: object) {
  const asked = query({ where: criteria, limit: 20 })
  const [search] = await findKeySearches(db, account, asked.where)
  const ids = ({ rows }: { rows: { id: string }[] }) => rows.map(({ id }) => id)
  return {
    found: ids(await selectPage(db, account, asked, search)),
    looked: ids(await selectPage(db, account, asked)),
  }
}

const key = fc.constantFrom('a', 'b', 'é', 'true', '__proto__')
const scalar = fc.constantFrom('x', '', '42', 42, '42.0', 42.5, 1e21, -0.5, '007', true, 'true', null, 'ação')
const { document } = fc.letrec<{ document: unknown; value: unknown }>((tie) => ({
  document: fc.dictionary(key, tie('value'), { maxKeys: 4 }),
  value: fc.oneof({ depthSize: 'small' }, scalar, fc.array(scalar, { maxLength: 2 }), tie('document')),
}))
const path = fc.array(key, { minLength: 1, maxLength: 3 }).map((keys) => `metadata.${keys.join('.')}`)
const asked = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 3 }).map((inq) => ({ inq })),
  scalar.map((neq) => ({ neq })),
  fc.constant({ like: 'x' }),
)
const leaf = fc.tuple(path, asked).map(([name, value]) => ({ [name]: value }))
const criteria = fc.oneof(
  leaf,
  fc.array(leaf, { maxLength: 3 }).map((or) => ({ or })),
  fc.array(leaf, { maxLength: 3 }).map((and) => ({ and })),
  fc.tuple(leaf, leaf).map(([one, other]) => ({ and: [one], or: [other, { from: '1000' }] })),
)

test('what is found by key is what the filter finds, in the same order (D28)', async () => {
  const documents = fc.sample(document, { numRuns: 400, seed: 7 })
  await insertCalls(
    db,
    account,
    documents.map((metadata) => ({ metadata })),
  )
  await fc.assert(
    fc.asyncProperty(criteria, async (one) => {
      expect(await found(one)).toBe(await looked(one))
      const rows = await page(one)
      expect(rows.found).toEqual(rows.looked)
    }),
    { numRuns: 300 },
  )
}, 60_000)

test('numbers are found by their value, at any spelling', async () => {
  account = await insertAccount(db)
  await insertCalls(db, account, [
    { metadata: { n: 42 } },
    { metadata: { n: '42.0' } },
    { metadata: { n: '042' } },
  ])
  for (const [value, calls] of [
    [42, 1],
    ['42', 1],
    ['42.0', 2],
    ['4.2e1', 1],
    ['042', 1],
  ] as const) {
    expect(await found({ 'metadata.n': value }), String(value)).toBe(calls)
  }
})

test('a document of more values than are indexed is still found', async () => {
  account = await insertAccount(db)
  const large = (values: number) => Object.fromEntries(Array.from({ length: values }, (_, n) => [`k${n}`, n]))
  await insertCalls(db, account, [{ metadata: large(64) }, { metadata: { ...large(30), inside: large(60) } }])
  expect(await found({ 'metadata.k29': 29 })).toBe(2)
  expect(await found({ 'metadata.inside.k59': 59 })).toBe(1)
  const { rows } = await sql<{ size: number }>`
    select count(*)::int as size from calls join call_values on call_id = id
    where account_id = ${account} group by id order by size`.execute(db)
  expect(rows).toEqual([{ size: 1 + 5 }, { size: 64 + 5 }])
})

test('one account is looked for among its own values only', async () => {
  const other = await insertAccount(db)
  account = await insertAccount(db)
  const metadata = { lead_id: 'shared' }
  await insertCalls(
    db,
    other,
    Array.from({ length: 300 }, () => ({ metadata })),
  )
  await insertCalls(db, account, [{ metadata }])
  const [search] = await findKeySearches(db, account, where({ 'metadata.lead_id': 'shared' }))
  const rows = db
    .selectFrom('call_values')
    .where('key', 'in', search?.keys ?? [])
    .select('call_id')
  expect(await rows.execute()).toHaveLength(1)
})

test('a call that goes leaves no key behind', async () => {
  account = await insertAccount(db)
  const [id = ''] = await insertCalls(db, account, [{ metadata: { a: 1, b: { c: 'x' } } }])
  const keys = () => db.selectFrom('call_values').where('call_id', '=', id).select('call_id').execute()
  expect(await keys()).toHaveLength(2 + 5)
  await db.deleteFrom('accounts').where('id', '=', account).execute()
  expect(await keys()).toEqual([])
})

test('many values at once are found, in order', async () => {
  account = await insertAccount(db)
  const at = (n: number) => new Date(Date.UTC(2026, 10, 15, 12, 0, n))
  await insertCalls(
    db,
    account,
    Array.from({ length: 60 }, (_, n) => ({ started_at: at(n), metadata: { n } })),
  )
  const inq = Array.from({ length: 50 }, (_, n) => n)
  const rows = await page({ 'metadata.n': { inq } })
  expect(rows.found).toEqual(rows.looked)
  expect(await found({ 'metadata.n': { inq } })).toBe(50)
})
