/**
 * `npm run api-types`: writes the types of the clients, and with them of the console, from the description of a service
 * that it starts for the purpose.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startApp } from '../src/app/start.ts'
import { readConfig } from '../src/config.ts'
import type { ApiDocument } from '../src/http/reference/document.ts'
import { createLog } from '../src/kit/process/log.ts'
import { describeClientTypes } from './client-types/files.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'ramal-types-'))
const env = { PORT: '0', SIP_PORT: '0', SIP_WS_PORT: '0', CONSOLE: 'off', DATA_DIR: dataDir }
const app = await startApp(readConfig(env), { log: createLog('silent') })
try {
  const answer = await fetch(`${app.url}/api/v1/openapi.json`)
  for (const { file, text } of describeClientTypes((await answer.json()) as ApiDocument))
    writeFileSync(file, text)
} finally {
  await app.stop()
  rmSync(dataDir, { recursive: true })
}
