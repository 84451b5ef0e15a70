/** D128: each process opens only its own ports, starts only its own jobs and reports its own readiness. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from '../../../src/app/start.ts'
import { readConfig } from '../../../src/config.ts'
import { createFakeEngine, type FakeEngine } from '../../../src/engine/fake.ts'
import { createLog } from '../../../src/kit/process/log.ts'
import { freePort } from '../../helpers/programs/free-port.ts'
import { createClient } from '../../helpers/service/client.ts'
import { followPayments, payAtSandbox } from '../../helpers/service/money.ts'
import { openOffice, startVoiceService, type VoiceService } from '../../helpers/service/voice.ts'
import { nodeState } from '../../helpers/stored/fleet-rows.ts'

let whole: VoiceService
const started: App[] = []

beforeAll(async () => {
  whole = await startVoiceService()
})
afterAll(async () => {
  for (const app of started) await app.stop()
  await whole.stop()
})

/** Another process on the same database. */
async function start(
  roles: string,
  settings: Record<string, string> = {},
  engine?: (fake: FakeEngine) => FakeEngine,
) {
  const config = readConfig({
    ROLES: roles,
    PORT: '0',
    SIP_PORT: '0',
    SIP_WS_PORT: '0',
    DATA_DIR: whole.dataDir,
    DATABASE_URL: whole.database.url,
    RATE_LIMITS: 'off',
    ...settings,
  })
  const app = await startApp(config, {
    clock: whole.clock,
    log: createLog('silent'),
    ...(engine && { engine: (host) => engine(createFakeEngine(host, { now: whole.clock.now })) }),
  })
  started.push(app)
  return { app, http: createClient(app.url), api: createClient(`${app.url}/api/v1`) }
}

test('the API alone has no voice: it opens no SIP port, and calls for phones of other nodes are rung there', async () => {
  const sipPort = await freePort()
  const { app, api, http } = await start('api', { SIP_PORT: String(sipPort) })
  expect(app.jobs.names).toEqual([
    'node lease',
    'clock',
    'secret keys',
    'rates',
    'trunks',
    'last use of tokens',
    'request log',
  ])
  const socket = createSocket('udp4').bind(sipPort, '127.0.0.1')
  await once(socket, 'listening')
  socket.close()
  expect((await http.get('/ready')).body).toEqual({ status: 'ready', waiting: [] })

  const office = await openOffice(whole)
  const call = { extension: '1000', called: '5548999998888' }
  const isRegistered = async () => (await api.get('/extensions', office)).body[0].registered
  await expect.poll(isRegistered).toBe(true)
  const { body } = await api.post('/calls', call, office)
  expect(whole.engine.liveCalls()).toContain(body.id)
  expect((await api.post(`/calls/${body.id}/hangup`, undefined, office)).status).toBe(200)
  await expect.poll(() => whole.engine.liveCalls()).not.toContain(body.id)
})

test('the API alone names the public address for web phones (D350); with voice, what its engine offers', async () => {
  const office = await openOffice(whole)
  const webPhone = async (api: typeof whole.api) =>
    (await api.get('/console/session', office)).body.features.webPhone
  const { api } = await start('api', { PUBLIC_URL: 'https://voz.example' })
  expect(await webPhone(api)).toBe('wss://voz.example/sip')
  // The engine of this test takes no WebSockets.
  expect(await webPhone(whole.api)).toBeNull()
})

test('the set-up sheet of an extension lists the servers of every active voice node, on any process (D300)', async () => {
  const office = await openOffice(whole)
  const { api } = await start('api')
  const addresses = { SIP: '192.0.2.7:5060', 'SIP TLS': '192.0.2.7:5061' }
  const { app } = await start('voice', {}, (fake) => ({ ...fake, addresses: () => addresses }))
  const [{ id }] = (await api.get('/extensions', office)).body
  const servers = async () => (await api.get(`/extensions/${id}/setup`, office)).body.servers
  expect(await servers()).toEqual([
    { transport: 'udp', host: '192.0.2.7', port: 5060, address: 'sip:192.0.2.7:5060;transport=udp' },
    { transport: 'tcp', host: '192.0.2.7', port: 5060, address: 'sip:192.0.2.7:5060;transport=tcp' },
    { transport: 'tls', host: '192.0.2.7', port: 5061, address: 'sip:192.0.2.7:5061;transport=tls' },
  ])
  await app.drain()
  await app.lease.renew()
  expect(await servers()).toEqual([])
})

test('a worker answers its operator and nobody else', async () => {
  const { app, api, http } = await start('worker')
  expect(app.voice).toBeUndefined()
  expect(app.jobs.names).toEqual(
    expect.arrayContaining([
      'node lease',
      'mail',
      'webhook deliveries',
      'orphaned calls',
      'monthly reports',
      'old SIP messages',
    ]),
  )
  expect(app.jobs.names).not.toContain('credit of live calls')
  expect((await api.get('/users/me')).status).toBe(404)
  expect((await http.get('/docs')).status).toBe(404)
  expect((await http.get('/health')).status).toBe(200)
  expect((await http.get('/metrics', { token: app.operatorToken?.token })).body).not.toContain('ramal_voice_')
})

test('a voice node is not ready while its engine has a problem; other processes are', async () => {
  const problem = 'trunk main does not answer'
  const { app, api, http } = await start('voice', {}, (fake) => ({ ...fake, problems: () => [problem] }))
  expect(app.jobs.names).toEqual(expect.arrayContaining(['credit of live calls', 'SIP messages']))
  expect(app.jobs.names).not.toContain('mail')
  expect((await api.get('/users/me')).status).toBe(404)
  const ready = await http.get('/ready')
  expect([ready.status, ready.body.waiting]).toEqual([503, [problem]])
  expect((await createClient(whole.url).get('/ready')).status).toBe(200)
})

test('every process is a node with one id, its roles and a lease', async () => {
  const { app } = await start('api,voice', {}, (fake) => fake)
  const row = () => nodeState(whole.db, app.node.id)
  expect(await row()).toMatchObject({ roles: ['api', 'voice'], state: 'active' })
  await app.drain()
  await app.lease.renew()
  expect(await row()).toMatchObject({ state: 'draining' })
  await app.stop()
  expect(await row()).toMatchObject({ state: 'stopped' })
})

test('a payment of the sandbox gateway is credited by a worker that serves no API', async () => {
  const { app, http } = await start('worker')
  const office = await openOffice(whole)
  await whole.app.jobs.stop()
  const order = { amount: 20, dueDate: '2026-11-18', paymentMethod: 'PIX', description: 'Créditos' }
  const { body } = await whole.api.post('/charges', order, office)
  await payAtSandbox(body.paymentLink)
  await followPayments({ tickNext: app.jobs.runNext })
  const status = async () => (await whole.api.get('/charges?page=1', office)).body.data[0].status
  await expect.poll(status).toBe('RECEIVED')
  const { rows } = await sql<{ attempts: number }>`select attempts from sandbox_events`.execute(whole.db)
  expect(new Set(rows.map(({ attempts }) => attempts)), 'each was accepted at once').toEqual(new Set([1]))
  const forged = await http.post('/gateways/sandbox/events', { event: 'PAYMENT_RECEIVED' })
  expect(forged.status).toBe(401)
})
