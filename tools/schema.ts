/** `npm run schema`: writes src/store/schema.sql as the migrations leave the database. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '../src/kit/process/log.ts'
import { openStore } from '../src/store/open-store.ts'
import { describeSchema } from './describe-schema.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'ramal-schema-'))
const store = await openStore({ databaseUrl: undefined, databasePool: 2, dataDir }, createLog('silent'))
try {
  writeFileSync(new URL('../src/store/schema.sql', import.meta.url), await describeSchema(store.pool))
} finally {
  await store.close()
  rmSync(dataDir, { recursive: true })
}
