/** A temporary PostgreSQL for one benchmark. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '../../src/kit/log.ts'
import { openStore } from '../../src/store/open-store.ts'

export async function startScratchDatabase() {
  const dataDir = mkdtempSync(join(tmpdir(), 'ramal-bench-'))
  const store = await openStore({ databaseUrl: undefined, databasePool: 4, dataDir }, createLog('silent'))
  return {
    pool: store.pool,
    async stop() {
      await store.close()
      rmSync(dataDir, { recursive: true })
    },
  }
}
