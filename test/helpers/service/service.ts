/** The whole service on its own database, with a clock that the test advances. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Overrides } from '../../../src/app/services/services.ts'
import { startApp } from '../../../src/app/start.ts'
import { type Config, readConfig } from '../../../src/config.ts'
import { createFakeEngine } from '../../../src/engine/fake.ts'
import type { EngineHost } from '../../../src/engine/port.ts'
import { basePath } from '../../../src/http/entry.ts'
import { createLog } from '../../../src/kit/process/log.ts'
import { createAnswerCheck } from '../description/described-answers.ts'
import { cheapPasswords } from '../run/cheap-passwords.ts'
import { createTestClock } from '../run/test-clock.ts'
import { createTestDatabase } from '../run/test-database.ts'
import { createClient, fetchAsOperator } from './client.ts'

type Settings = Record<string, string>

/** Starts the app with every role in this process. */
export async function startAllRoles(config: Config, overrides: Overrides = {}) {
  const { voice, worker, ...app } = await startApp(config, overrides)
  if (!voice || !worker) throw new Error('ROLES must name all roles')
  return { ...app, voice, worker }
}

/** Calls of the fake engine live until a test ends them, and need no ports. */
const manyCalls = {
  CALLS_PER_EXTENSION: '10000',
  CALLS_PER_ACCOUNT: '10000',
  CALL_ATTEMPTS: '10000',
  NEW_CALLS_PER_DAY: '1000000',
  NEW_SPENDING_PER_DAY: '1000000.00',
  INTEGRATIONS_PER_USER: '1000',
  INTEGRATIONS_PER_ACCOUNT: '1000',
  WEBHOOKS_PER_HOST_SECOND: '100000',
  RTP_PORTS: '10000-65535',
}

/** Rate limits and ceilings are off unless the test is about them: all tests share one address. */
export async function startService(settings: Settings = {}, overrides: Overrides = {}) {
  const clock = createTestClock()
  const database = await createTestDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'ramal-'))
  const env = {
    PORT: '0',
    CONSOLE: 'off',
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    DATABASE_POOL: '5',
    // Three test files at once share a server of 57 connections.
    DATABASE_SEARCH_POOL: '3',
    RATE_LIMITS: 'off',
    // With TRUNKS too.
    TRIAL_PROOF: 'email',
    PAYMENT_GATEWAY: 'sandbox',
    ...manyCalls,
    ...settings,
  }
  const engine = (host: EngineHost) => createFakeEngine(host, { now: clock.now })
  const parts = { clock, log: createLog('silent'), engine, passwords: cheapPasswords, ...overrides }
  const app = await startAllRoles(readConfig(env), parts)
  let running = app
  // Where requests are counted, one more would change what a test sees.
  const check = env.RATE_LIMITS === 'off' ? createAnswerCheck(app.url) : undefined
  return {
    app,
    clock,
    dataDir,
    database,
    db: app.services.base.store.db,
    url: app.url,
    api: createClient(`${app.url}${basePath}`, fetch, check),
    operator: createClient(app.url, fetchAsOperator(app.operatorToken?.token ?? '')),
    /** Runs a background job now, by its name in the tables of `src/app`; answers with the result of its tick. */
    tick: (job: string) => running.jobs.run(job),
    /** The same, once the tick that runs by itself has ended, which may have claimed what the test waits for. */
    tickNext: (job: string) => running.jobs.runNext(job),
    /** Returns when the events of calls that have happened so far are stored. */
    async eventsStored() {
      await running.voice.node.events.drained(5_000)
    },
    /** Stops it, and starts it again at the same address; `app` is the first one. */
    async restart(whileDown: () => Promise<void>) {
      await running.stop()
      await whileDown()
      running = await startAllRoles(readConfig({ ...env, PORT: new URL(app.url).port }), parts)
    },
    async stop() {
      await running.stop()
      await database.drop()
      await rm(dataDir, { recursive: true })
    },
  }
}
export type Service = Awaited<ReturnType<typeof startService>>
