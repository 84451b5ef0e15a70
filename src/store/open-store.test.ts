import { CompiledQuery, sql } from 'kysely'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../test/helpers/run/test-database.ts'
import { createLog } from '../kit/process/log.ts'
import type { Database } from './database.ts'
import { startEmbeddedPostgres } from './embedded/embedded-postgres.ts'
import { makeFolder, removeFolder } from './embedded/testing/scratch.ts'
import { advisoryLock } from './migrate.ts'
import { openStore } from './open-store.ts'

const dataDir = makeFolder()
afterAll(() => removeFolder(dataDir))

test('a process whose embedded PostgreSQL is stopped by its owner while it migrates starts it again', async () => {
  const owner = await startEmbeddedPostgres({ dataDir, log: () => {} })
  const observer = new pg.Client(owner.connection)
  observer.on('error', () => {})
  await observer.connect()
  await observer.query(`select pg_advisory_lock(${advisoryLock})`)
  const opening = openStore({ databaseUrl: undefined, databasePool: 2, dataDir }, createLog('silent'))
  const waiting = `select from pg_locks where locktype = 'advisory' and not granted`
  await expect.poll(async () => (await observer.query(waiting)).rowCount).toBe(1)
  await owner.stop()
  const store = await opening
  expect(store.migrated.length).toBeGreaterThan(0)
  await store.close()
})

test('a statement of calls on an array is planned once, however often and for how many rows it runs', async () => {
  const scratch = await createTestDatabase()
  const options = { databaseUrl: scratch.url, databasePool: 2, databaseCallPool: 1, dataDir }
  const store = await openStore(options, createLog('silent'))
  const text = 'select id from calls where id = any($1::uuid[])'
  for (let count = 0; count < 8; count += 1) {
    const ids = Array.from({ length: count }, () => crypto.randomUUID())
    await store.callsDb.executeQuery(CompiledQuery.raw(text, [ids]))
  }
  const { rows } =
    await sql`select custom_plans::int from pg_prepared_statements where statement = ${text}`.execute(
      store.callsDb,
    )
  expect(rows).toEqual([{ custom_plans: 0 }])
  await store.close()
  await scratch.drop()
})

test('statements of calls read indexes, also of a small table', async () => {
  const scratch = await createTestDatabase()
  const store = await openStore({ databaseUrl: scratch.url, databasePool: 2, dataDir }, createLog('silent'))
  await sql`analyze migrations`.execute(store.db)
  const planOf = async (db: Database) => {
    const plan = await sql<{ 'QUERY PLAN': string }>`explain select from migrations where name = 'x'`.execute(
      db,
    )
    return plan.rows[0]?.['QUERY PLAN']
  }
  expect(await planOf(store.db)).toContain('Seq Scan')
  expect(await planOf(store.callsDb)).toContain('Index')
  await store.close()
  await scratch.drop()
})
