import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { createLog } from '../kit/log.ts'
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
