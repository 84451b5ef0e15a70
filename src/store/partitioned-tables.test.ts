/** D254: the audit log and the events, one partition a month, and requests, one a day. */
import { sql } from 'kysely'
import type pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestDatabase } from '../../test/helpers/run/test-database.ts'
import { insertAccount } from '../../test/helpers/service/call-rows.ts'
import { type Database, openDatabase, openPool } from './database.ts'
import { migrate, readMigrations } from './migrate.ts'
import {
  addParts,
  auditTable,
  dropPart,
  eventsTable,
  type PartitionedTable,
  requestsTable,
  selectOldParts,
} from './partitioned-tables.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let pool: pg.Pool
let db: Database
let account: number

beforeEach(async () => {
  database = await createTestDatabase()
  pool = openPool({ connectionString: database.url }, { size: 6, onError: () => {} })
  db = openDatabase(pool)
  account = await insertAccount(db)
})
afterEach(async () => {
  await pool.end()
  await database.drop()
})

const november = new Date('2041-11-16T03:00:00Z')

async function record(at: string) {
  const entry = { account_id: account, at: new Date(at), action: 'login.failed', actor: null, details: '{}' }
  await db.insertInto('audit').values(entry).execute()
}

async function recordEvent(at: string) {
  const call = crypto.randomUUID()
  await pool.query(
    `insert into events (account_id, call_id, sequence, kind, payload, created_at)
     values ($1, $2, 1, 'channel-hangup', '{}', $3)`,
    [account, call, at],
  )
  return call
}

/** The partition of each row, by its time. */
async function placesOf(table: PartitionedTable['name'], column: string) {
  const { rows } = await pool.query(
    `select tableoid::regclass::text as place from ${table} order by ${column}, id`,
  )
  return rows.map(({ place }) => place)
}

test('a row of any time is taken, and moved to its month as soon as that is added', async () => {
  const times = [
    '2001-01-31T23:59:59.999Z',
    '2041-11-01T00:00:00Z',
    '2042-01-31T12:00:00Z',
    '2043-07-09T12:00:00Z',
  ]
  for (const at of times) await record(at)
  expect(new Set(await placesOf('audit', 'at'))).toEqual(new Set(['audit_rest']))
  expect(await addParts(db, auditTable, november)).toBe(true)
  expect(await addParts(db, auditTable, november)).toBe(true)
  expect(await placesOf('audit', 'at')).toEqual([
    'audit_2001_01',
    'audit_2041_11',
    'audit_2042_01',
    'audit_2043_07',
  ])
  await record('2041-12-31T23:59:59.999999Z')
  expect((await placesOf('audit', 'at'))[2]).toBe('audit_2041_12')
})

test('a table by days has a part for each day, and rows of other days are moved to theirs', async () => {
  const add = (at: string) =>
    pool.query(
      `insert into api_requests (account_id, at, request_id, method, route, status, duration_ms, user_uuid, user_email,
         token_ref, token_kind, address)
       values ($1, $2, 'one', 'GET', '/calls', 200, 1, $3, 'ana@aurora.example', $3, 'token', '::1')`,
      [account, at, crypto.randomUUID()],
    )
  for (const at of ['2041-11-15T23:59:59.999Z', '2041-11-17T23:59:59Z', '2041-11-20T00:00:00Z']) await add(at)
  await addParts(db, requestsTable, november)
  await add('2041-11-16T00:00:00Z')
  expect(await placesOf('api_requests', 'at')).toEqual([
    'api_requests_2041_11_15',
    'api_requests_2041_11_16',
    'api_requests_2041_11_17',
    'api_requests_2041_11_20',
  ])
})

test("a month is old once all its rows are, by the database's own clock and no other (D515)", async () => {
  for (const at of ['2021-09-30T12:00:00Z', '2021-11-02T12:00:00Z']) await recordEvent(at)
  await addParts(db, eventsTable, november)
  const daysSince = (at: string) => Math.floor((Date.now() - Date.parse(at)) / 86_400_000)
  const october = daysSince('2021-10-01T00:00:00Z')
  expect(await selectOldParts(db, eventsTable, october + 1)).not.toContainEqual(
    expect.objectContaining({ name: 'events_2021_09' }),
  )
  for (const part of await selectOldParts(db, eventsTable, october)) {
    expect(await dropPart(db, eventsTable, part)).toBe(true)
  }
  expect(await placesOf('events', 'created_at')).toEqual(['events_2021_11'])
})

test('while somebody uses the table for long, its months are left for another time', async () => {
  await record('2021-09-30T12:00:00Z')
  await addParts(db, auditTable, november)
  const [part] = (await selectOldParts(db, auditTable, 0)).filter(({ name }) => name === 'audit_2021_09')
  if (!part) throw new Error('the month is missing')
  await db.transaction().execute(async (tx) => {
    await sql`select count(*) from audit`.execute(tx)
    expect(await dropPart(db, auditTable, part)).toBe(false)
    await record('2041-11-16T12:00:00Z')
  })
  expect(await dropPart(db, auditTable, part)).toBe(true)
})

test('rows that are written while months are added are all there, each in its month', async () => {
  let adding = true
  async function write(worker: number) {
    let written = 0
    for (; adding || written === 0; written += 1) {
      await recordEvent(`2041-${10 + (written % 3)}-0${1 + worker}T12:00:00Z`)
    }
    return written
  }
  const writers = [write(0), write(1), write(2)]
  while (!(await addParts(db, eventsTable, new Date('2041-10-10T00:00:00Z')))) {
    // Somebody used the table for long: the job would try again later too.
  }
  adding = false
  const written = (await Promise.all(writers)).reduce((sum, count) => sum + count, 0)
  await addParts(db, eventsTable, new Date('2041-10-10T00:00:00Z'))
  const places = await placesOf('events', 'created_at')
  expect(places).toHaveLength(written)
  expect(places).not.toContain('events_rest')
})

test('within a month no event is written twice', async () => {
  await addParts(db, eventsTable, november)
  const call = await recordEvent('2041-11-16T12:00:00Z')
  const again = (sequence: number, kind: string) =>
    pool.query(
      `insert into events (account_id, call_id, sequence, kind, payload, created_at)
       values ($1, $2, $3, $4, '{}', '2041-11-17')`,
      [account, call, sequence, kind],
    )
  await expect(again(1, 'channel-answer')).rejects.toThrow(/call_id_sequence/)
  await expect(again(2, 'channel-hangup')).rejects.toThrow(/call_id_kind/)
})

test('entries of the audit log are not deleted one by one, but with their account', async () => {
  await record('2041-11-16T12:00:00Z')
  await addParts(db, auditTable, november)
  await db.deleteFrom('audit').execute()
  expect(await placesOf('audit', 'at')).toEqual(['audit_2041_11'])
  await db.deleteFrom('accounts').where('id', '=', account).execute()
  expect(await placesOf('audit', 'at')).toEqual([])
})

test('tables of the version before become the first partition: every row stays, and ids go on', async () => {
  const migrations = await readMigrations()
  const first = migrations.findIndex(({ name }) => name.includes('event-bounds'))
  await pool.query('drop schema public cascade')
  await pool.query('create schema public')
  await migrate(pool, migrations.slice(0, first))
  account = await insertAccount(db)
  for (const at of ['2026-01-10T12:00:00Z', '2026-11-16T12:00:00Z']) {
    await record(at)
    await recordEvent(at)
  }
  await migrate(pool, migrations)
  for (const table of ['audit', 'events'] as const) {
    const column = table === 'audit' ? 'at' : 'created_at'
    expect(await placesOf(table, column)).toEqual([`${table}_before`, `${table}_before`])
  }
  await addParts(db, auditTable, november)
  await addParts(db, eventsTable, november)
  await record('2041-11-16T12:00:00Z')
  await recordEvent('2041-11-16T12:00:00Z')
  for (const table of ['audit', 'events'] as const) {
    const { rows } = await pool.query(
      `select id, tableoid::regclass::text as place from ${table} order by id`,
    )
    expect(rows.map(({ place }) => place)).toEqual([`${table}_before`, `${table}_before`, `${table}_2041_11`])
    expect(new Set(rows.map(({ id }) => id)).size).toBe(3)
  }
})
