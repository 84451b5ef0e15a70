import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Refusal } from '../../contract/errors.ts'
import { readBareList, readPagedList } from '../list-query.ts'
import { pageMeta } from '../page.ts'
import { filter, things } from '../testing/filters.ts'
import { hostileQuery } from '../testing/hostile.ts'
import { naiveList } from '../testing/naive.ts'
import { connectTestDatabase } from '../testing/test-pool.ts'
import { createThingTable, type ThingTable, thingList } from '../testing/things.ts'

const pool = connectTestDatabase()
const reader = { timeZone: 'America/Sao_Paulo' }
let table: ThingTable

beforeAll(async () => {
  table = await createThingTable(pool)
})

afterAll(async () => {
  await table.drop()
  await pool.end()
})

describe('a filter run by PostgreSQL, its order ended by the id (D22)', () => {
  test('finds the same rows in the same order as a plain reading of it, and none of another account', async () => {
    await fc.assert(
      fc.asyncProperty(things, fc.array(filter, { minLength: 20, maxLength: 20 }), async (rows, filters) => {
        await table.fill(rows)
        for (const one of filters) {
          const query = readBareList(thingList, { filter: JSON.stringify(one) }, reader)
          const found = await table.list(1, query)
          expect(found.map(({ id }) => id)).toEqual(naiveList(rows, 1, one))
        }
      }),
      { numRuns: 120 },
    )
  }, 180_000)

  test('is read page by page with a cursor as in one piece (D135)', async () => {
    await fc.assert(
      fc.asyncProperty(things, fc.array(filter, { minLength: 8, maxLength: 8 }), async (rows, filters) => {
        await table.fill(rows)
        for (const one of filters) {
          const whole = naiveList(rows, 1, { ...one, limit: 1000 })
          expect(await readPages({ ...one, limit: 4 })).toEqual(whole)
        }
      }),
      { numRuns: 20, endOnFailure: true },
    )
  }, 180_000)

  test('never fails, whatever a stranger sends', async () => {
    await table.fill(fc.sample(things, 1)[0] ?? [])
    await fc.assert(
      fc.asyncProperty(hostileQuery, async (query) => {
        const asked = attempt(() => readBareList(thingList, query, reader))
        if (asked instanceof Refusal) expect(asked.statusCode).toBe(400)
        else for (const { account } of await table.list(1, asked)) expect(account).toBe(1)
      }),
      { numRuns: 1200 },
    )
  })
})

async function readPages(asked: object): Promise<string[]> {
  const seen: string[] = []
  const filter = JSON.stringify(asked)
  let cursor: string | undefined
  do {
    const query = readPagedList(thingList, { filter, cursor }, reader)
    const page = await table.page(1, query)
    seen.push(...page.rows.map(({ id }) => id))
    cursor = pageMeta(query, { ...page, total: 0 }).nextCursor
  } while (cursor !== undefined)
  return seen
}

function attempt<T>(read: () => T): T | Refusal {
  try {
    return read()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}
