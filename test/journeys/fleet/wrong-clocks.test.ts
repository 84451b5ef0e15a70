/** D515: the clock of the database is the service's, so that a process on a machine whose clock is wrong does what the others do. */
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type App, startApp } from '../../../src/app/start.ts'
import { readConfig } from '../../../src/config.ts'
import { createFakeEngine, type FakeEngine } from '../../../src/engine/fake.ts'
import type { EngineHost } from '../../../src/engine/port.ts'
import type { Clock } from '../../../src/kit/clock.ts'
import { createLog } from '../../../src/kit/process/log.ts'
import { type Receiver, startReceiver } from '../../helpers/programs/receiver.ts'
import { days, minutes } from '../../helpers/run/test-clock.ts'
import { createClient } from '../../helpers/service/client.ts'
import { type Service, startService } from '../../helpers/service/service.ts'
import { openOffice, type VoiceService } from '../../helpers/service/voice.ts'
import { phoneIsAt } from '../../helpers/stored/fleet-rows.ts'
import { countRows } from '../../helpers/stored/row-counts.ts'

const called = '5548999998888'
const offsets = [5 * minutes, -5 * minutes, 60 * days, -60 * days, 100 * days]

/** The processes whose machine has the right time. */
let whole: Service & { engine: FakeEngine }
let receiver: Receiver
const started: App[] = []

beforeAll(async () => {
  receiver = await startReceiver()
  const engines: FakeEngine[] = []
  const service = await startService(
    { WEBHOOK_ALLOW_PRIVATE: 'true', SIP_PORT: '5070', RATE_LIMITS: 'off' },
    { clock: undefined, engine: (host) => keep(createFakeEngine(host), engines) },
  )
  const [engine] = engines
  if (!engine) throw new Error('no engine was made')
  whole = { ...service, engine }
})
afterEach(async () => {
  for (const app of started.splice(0)) await app.stop()
})
afterAll(async () => {
  await receiver.stop()
  await whole.stop()
})

function keep<T>(made: T, all: T[]): T {
  all.push(made)
  return made
}

/** The clock of a machine, ahead by so many seconds. */
function createMachineClock(aheadSeconds: number) {
  let ahead = aheadSeconds
  return {
    now: () => new Date(Date.now() + ahead * 1000),
    elapsed: () => performance.now(),
    set(seconds: number) {
      ahead = seconds
    },
  }
}

/** Another process on the same database, on a machine whose clock is wrong. */
async function start(roles: string, aheadSeconds: number) {
  const machineClock = createMachineClock(aheadSeconds)
  const config = readConfig({
    ROLES: roles,
    PORT: '0',
    SIP_PORT: '5071',
    SIP_WS_PORT: '0',
    CONSOLE: 'off',
    DATA_DIR: whole.dataDir,
    DATABASE_URL: whole.database.url,
    DATABASE_POOL: '6',
    RATE_LIMITS: 'off',
    WEBHOOK_ALLOW_PRIVATE: 'true',
  })
  const engines: FakeEngine[] = []
  let clock: Clock | undefined
  const engine = (host: EngineHost): FakeEngine =>
    keep(createFakeEngine(host, { now: () => clock?.now() ?? new Date() }), engines)
  const app = keep(await startApp(config, { machineClock, log: createLog('silent'), engine }), started)
  clock = app.services.base.clock
  return { app, machineClock, engine: engines[0], api: createClient(`${app.url}/api/v1`) }
}

/** An account whose administrator has a webhook. */
async function openListeningOffice() {
  const office = await openOffice(whole as unknown as VoiceService)
  const metadata = { webhookUrl: receiver.url, webhookTypes: ['channel-hangup'] }
  await whole.api.patch('/integrations', { gateway: 'crm', webhook: true, metadata }, office)
  return office
}
type Office = Awaited<ReturnType<typeof openListeningOffice>>

/** The extension's phone registers at the engine; returns when the directory says so, and the process where it was has noticed. */
async function register(office: Office, engine: FakeEngine, node: string) {
  const extension = office.extension('1000')
  await engine.register(extension)
  await phoneIsAt(whole.db, extension, node)
  if (engine !== whole.engine) await expect.poll(() => whole.engine.registration(extension)).toBeUndefined()
}

/** How far the time of the newest row is from the database's, in seconds. */
async function distance(table: 'calls' | 'events' | 'audit', column: string) {
  const { rows } = await sql<{ seconds: number }>`
    select abs(extract(epoch from now() - max(${sql.ref(column)})))::float8 as seconds from ${sql.table(table)}`.execute(
    whole.db,
  )
  return rows[0]?.seconds
}

describe.each(offsets)('a machine whose clock is %i s ahead', (ahead) => {
  test('as an API process places calls for phones that are registered, also after its clock was set', async () => {
    const office = await openListeningOffice()
    await register(office, whole.engine, whole.app.node.id)
    const { api, machineClock } = await start('api', ahead)
    for (const offset of [ahead, -ahead]) {
      machineClock.set(offset)
      const to = offset === ahead ? called : '5548988887777'
      const placed = await api.post('/calls', { extension: '1000', called: to }, office)
      expect([placed.status, placed.body.message]).toEqual([200, 'successful request'])
      await expect
        .poll(() => whole.engine.hangUpBy(placed.body.id, 'extension'), { timeout: 60_000 })
        .toBe(true)
      expect(await distance('calls', 'started_at')).toBeLessThan(60)
    }
  })

  test('as a voice node has calls whose webhooks are sent at once, also after its clock was set', async () => {
    const office = await openListeningOffice()
    const { app, engine, machineClock } = await start('voice', ahead)
    if (!engine) throw new Error('no engine was made')
    await register(office, engine, app.node.id)
    for (const offset of [ahead, -ahead]) {
      machineClock.set(offset)
      const to = offset === ahead ? called : '5548988887777'
      const placed = await whole.api.post('/calls', { extension: '1000', called: to }, office)
      expect(placed.status).toBe(200)
      // The answer may come before the node has claimed the call.
      await expect.poll(() => engine.hangUpBy(placed.body.id, 'extension'), { timeout: 60_000 }).toBe(true)
      const hangups = () => receiver.received.filter(({ body }) => body.id === placed.body.id)
      await expect.poll(() => hangups().length, { timeout: 60_000 }).toBe(1)
      expect(await distance('events', 'created_at')).toBeLessThan(60)
    }
  })

  test('as a worker removes nothing before its time, also after its clock was set', async () => {
    const office = await openListeningOffice()
    await register(office, whole.engine, whole.app.node.id)
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const request = { extension: '1000', called }
    const { body } = await whole.api.post('/calls', request, { ...office, headers })
    whole.engine.hangUpBy(body.id, 'extension')
    await expect.poll(() => receiver.received.some(({ body: { id } }) => id === body.id)).toBe(true)
    const before = await countSwept()
    const { app, machineClock } = await start('worker', ahead)
    for (const offset of [ahead, -ahead]) {
      machineClock.set(offset)
      await sweepAll(app)
      expect(await countSwept()).toEqual(before)
    }
  })

  test('is reported in /ready until its clock is right', async () => {
    const { app, machineClock } = await start('api', ahead)
    const ready = async () => {
      const response = await fetch(`${app.url}/ready`)
      return { status: response.status, body: await response.json() }
    }
    expect(await ready()).toMatchObject({ status: 503, body: { waiting: ['clock'] } })
    machineClock.set(0)
    expect((await ready()).status).toBe(200)
  })
})

const swept = [
  'registrations',
  'access_tokens',
  'idempotency_keys',
  'events',
  'deliveries',
  'audit',
  'calls',
  'mails',
  'accounts',
] as const

async function countSwept() {
  const counts: Record<string, number> = {}
  for (const table of swept) counts[table] = await countRows(whole.db, table)
  return counts
}

/** Runs the worker's jobs of ten minutes, whether its clock agrees with the database's or not. */
async function sweepAll({ services }: App) {
  const { users, accounts, webhooks, extensions, calls, mail, base } = services
  await extensions.extensions.sweepRegistrations()
  await users.tokens.sweep()
  await users.links.sweep()
  await users.audit.sweep()
  await base.idempotency.sweep()
  await webhooks.webhooks.sweep()
  await accounts.signups.sweep()
  await mail.outbox.sweep()
  await calls.recordings.sweep()
}
