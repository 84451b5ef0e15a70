import { mkdtempSync, rmSync } from 'node:fs'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createLog } from '../../kit/process/log.ts'
import type { Database } from '../database.ts'
import { openStore } from '../open-store.ts'

async function priorityOf(db: Database): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  return getPriority(rows[0]?.pid ?? 0)
}

test('searches on the embedded server run with a lower priority than calls and the rest (D186)', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ramal-priority-'))
  const store = await openStore({ databaseUrl: undefined, databasePool: 2, dataDir }, createLog('silent'))
  try {
    const [rest, calls] = [await priorityOf(store.db), await priorityOf(store.callsDb)]
    const searches = await store.searches.run(1, priorityOf)
    expect([calls, searches]).toEqual([rest, Math.min(rest + 10, 19)])
  } finally {
    await store.close()
    rmSync(dataDir, { recursive: true })
  }
})
