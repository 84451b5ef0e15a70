/** The API description of a service that is started for the purpose. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startApp } from '../src/app/start.ts'
import { readConfig } from '../src/config.ts'
import type { ApiDocument } from '../src/http/reference/document.ts'
import { createLog } from '../src/kit/process/log.ts'

export async function describeRunningService(): Promise<ApiDocument> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ramal-described-'))
  const env = { PORT: '0', SIP_PORT: '0', SIP_WS_PORT: '0', CONSOLE: 'off', DATA_DIR: dataDir }
  const app = await startApp(readConfig(env), { log: createLog('silent') })
  try {
    const answer = await fetch(`${app.url}/api/v1/openapi.json`)
    return (await answer.json()) as ApiDocument
  } finally {
    await app.stop()
    rmSync(dataDir, { recursive: true })
  }
}
