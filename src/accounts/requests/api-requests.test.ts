/** D619: the log of requests is bounded in memory, survives a database that is away, and counts what it drops. */
import type pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestClock } from '../../../test/helpers/run/test-clock.ts'
import { createTestDatabase } from '../../../test/helpers/run/test-database.ts'
import { type Database, openDatabase, openPool } from '../../store/database.ts'
import { createSearches } from '../../store/searches.ts'
import { type ApiRequest, createApiRequests } from './api-requests.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let pool: pg.Pool
let db: Database

beforeEach(async () => {
  database = await createTestDatabase()
  pool = openPool({ connectionString: database.url }, { size: 3, onError: () => {} })
  db = openDatabase(pool)
})
afterEach(async () => {
  await pool.end()
  await database.drop()
})

const bounds = { waiting: 10, ofAccount: 6, perStatement: 4 }
const create = () => createApiRequests({ db, clock: createTestClock(), searches: createSearches(db), bounds })

const request = (accountId: number, requestId: string): Omit<ApiRequest, 'at'> => ({
  accountId,
  requestId,
  method: 'GET',
  route: '/calls/{id}',
  status: 404,
  code: 'CALL_NOT_FOUND',
  durationMs: 1.5,
  userUuid: '0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d',
  userEmail: 'ana@aurora.example',
  tokenRef: '0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8e',
  tokenKind: 'token',
  address: '203.0.113.7',
  callId: undefined,
})

const addMany = (requests: ReturnType<typeof create>, accountId: number, count: number) => {
  for (let number = 1; number <= count; number += 1)
    requests.add(request(accountId, `${accountId}.${number}`))
}

const stored = async () => {
  const rows = await db.selectFrom('api_requests').select('request_id').orderBy('id').execute()
  return rows.map((row) => row.request_id)
}

test('nothing is written before the tick, which writes all that waits, in statements of some rows', async () => {
  const requests = create()
  addMany(requests, 1, 6)
  expect(await stored()).toEqual([])
  await requests.tick()
  expect(await stored()).toEqual(['1.1', '1.2', '1.3', '1.4', '1.5', '1.6'])
  expect(requests.figures()).toEqual({ waiting: 0, written_total: 6, dropped_total: 0 })
  await requests.tick()
  expect(await stored()).toHaveLength(6)
})

test('one account that floods the service loses its own requests, and not those of others', async () => {
  const requests = create()
  addMany(requests, 1, 100)
  addMany(requests, 2, 2)
  await requests.tick()
  expect((await stored()).filter((id) => id.startsWith('2.'))).toEqual(['2.1', '2.2'])
  expect(requests.figures()).toMatchObject({ written_total: 8, dropped_total: 94 })
  addMany(requests, 1, 1)
  await requests.tick()
  expect(requests.figures()).toMatchObject({ written_total: 9, dropped_total: 94 })
})

test('no more waits than the bound, whatever comes', () => {
  const requests = create()
  for (let account = 1; account <= 5; account += 1) addMany(requests, account, 5)
  expect(requests.figures()).toEqual({ waiting: 10, written_total: 0, dropped_total: 15 })
})

test('what a database that is away did not take is written when it is back, in order, as far as it fits', async () => {
  const rename = (from: string, to: string) => pool.query(`alter table ${from} rename to ${to}`)
  await rename('api_requests', 'away')
  const requests = create()
  addMany(requests, 1, 6)
  await expect(requests.tick()).rejects.toThrow()
  expect(requests.figures()).toMatchObject({ waiting: 6, dropped_total: 0 })
  addMany(requests, 2, 6)
  await expect(requests.tick()).rejects.toThrow()
  expect(requests.figures()).toMatchObject({ waiting: 10, dropped_total: 2 })
  await rename('away', 'api_requests')
  await requests.tick()
  expect(await stored()).toEqual(['1.1', '1.2', '1.3', '1.4', '1.5', '1.6', '2.1', '2.2', '2.3', '2.4'])
})

test("days are dropped whole once they are a week old, by the database's clock", async () => {
  const requests = create()
  addMany(requests, 1, 1)
  await requests.tick()
  await pool.query("update api_requests set at = now() - interval '9 days'")
  addMany(requests, 2, 1)
  await requests.tick()
  await pool.query("update api_requests set at = now() - interval '6 days' where account_id = 2")
  await requests.sweep()
  expect(await stored()).toEqual(['2.1'])
})
