/** A temporary PostgreSQL for one benchmark. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '../../src/kit/process/log.ts'
import type { Connection } from '../../src/store/database.ts'
import { openStore } from '../../src/store/open-store.ts'

export async function startScratchDatabase() {
  const dataDir = mkdtempSync(join(tmpdir(), 'ramal-bench-'))
  const store = await openStore({ databaseUrl: undefined, databasePool: 4, dataDir }, createLog('silent'))
  return {
    pool: store.pool,
    url: urlOf(store.connection),
    async stop() {
      await store.close()
      rmSync(dataDir, { recursive: true })
    },
  }
}

function urlOf(connection: Connection): string {
  if ('connectionString' in connection) return connection.connectionString
  const { host, port, user, database } = connection
  return `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`
}
