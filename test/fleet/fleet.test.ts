/** D240, D241: two API processes, a worker and two voice nodes, each a process of its own, are one service. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toneSource } from '../../src/engine/endpoint/audio/audio-source.ts'
import { createSoftphone, type PhoneEvent } from '../../src/engine/endpoint/softphone/softphone.ts'
import { createLog } from '../../src/kit/log.ts'
import { systemTimers } from '../../src/kit/timers.ts'
import { freePort } from '../helpers/free-port.ts'
import { makeDataDir, runRamal } from '../helpers/ramal-process.ts'
import { createTestDatabase } from '../helpers/test-database.ts'
import { createJournal } from '../sip/peers/journal.ts'
import { readWav, secondsOfTone } from '../sip/peers/tones.ts'
import { type FleetProcess, startFleetProcess } from './fleet-process.ts'

const domain = 'padaria.ramal.localhost'
const senha = 'segredo-do-ramal'
/** A number of the sandbox carrier that answers at once and plays 1000 Hz. */
const playing = '5548999990009'
const patience = { timeout: 60_000, interval: 100 }

const data = makeDataDir()
const processes: FleetProcess[] = []
const phones: { stop(): Promise<void> }[] = []
let database: Awaited<ReturnType<typeof createTestDatabase>>
let sql: pg.Client
let env: Record<string, string>
let token: string

beforeAll(async () => {
  database = await createTestDatabase()
  sql = new pg.Client({ connectionString: database.url })
  await sql.connect()
  env = {
    DATABASE_URL: database.url,
    DATABASE_POOL: '6',
    DATA_DIR: data.path,
    RECORDINGS: `${data.path}/shared-recordings`,
    SECRET_KEY: randomBytes(32).toString('hex'),
  }
})
afterAll(async () => {
  for (const one of processes) await one.stop()
  await Promise.all(phones.map((phone) => phone.stop()))
  await sql.end()
  await database.drop()
  data.remove()
})

async function start(roles: string, more: Record<string, string> = {}): Promise<FleetProcess> {
  const started = await startFleetProcess(roles, { ...env, ...more })
  processes.push(started)
  return started
}

async function startVoice(name: string, rtpPorts: string) {
  const port = await freePort()
  const node = { SIP_PORT: String(port), RTP_PORTS: rtpPorts, DATA_DIR: `${data.path}/${name}` }
  return { port, ...(await start('voice', node)) }
}

/** A phone that answers at once and plays a tone. */
async function startPhone(number: string, port: number, hertz: number) {
  const events = createJournal<PhoneEvent>(`phone ${number} at ${port}`)
  const phone = await createSoftphone({
    extension: number,
    password: senha,
    domain,
    transport: 'udp',
    answer: 'auto',
    server: { address: '127.0.0.1', port },
    play: () => toneSource(hertz),
    timers: systemTimers,
    log: createLog('silent'),
    onEvent: events.write,
  })
  phones.push(phone)
  await events.until(({ type }) => type === 'registered', { within: 30_000 })
  return { ...phone, until: events.until }
}

async function query(text: string, values: unknown[]) {
  return (await sql.query(text, values)).rows
}

/** The registration is stored a moment after the phone was answered. */
async function place(at: FleetProcess, extension: string, called: string): Promise<string> {
  let answer = await at.api.post('/calls', { extension, called }, { token })
  await expect
    .poll(async () => {
      if (answer.status === 422) answer = await at.api.post('/calls', { extension, called }, { token })
      return answer.status
    }, patience)
    .toBe(200)
  return answer.body.id
}

test('any API process places and hangs up for phones at any node, phones of two nodes talk, and a killed node takes nothing with it', async () => {
  const first = await start('api')
  const signup = ['account', 'create', '--domain', domain, '--email', 'a@b.example']
  token = /Token\s+(\w{64})/.exec((await runRamal(signup, env)).text)?.[1] ?? ''
  // Before the nodes start: a node is notified of new extensions, and their phones must then register again.
  for (const ramal of ['1000', '1001']) {
    const person = { first_name: 'Ana', last_name: 'Souza', email_address: 'a@b.example', gravar_audio: 1 }
    const { status } = await first.api.post('/extensions', { ...person, ramal, senha }, { token })
    expect(status).toBe(200)
  }
  const [second, a, b] = await Promise.all([
    start('api'),
    startVoice('a', '27000-27099'),
    startVoice('b', '27100-27199'),
    start('worker'),
  ])
  const ana = await startPhone('1000', a.port, 440)
  const bia = await startPhone('1001', b.port, 600)

  // Ana's node has the call, and reaches Bia through hers.
  const talk = await place(first, '1000', '1001')
  const call = async (at: FleetProcess, id: string) => (await at.api.get(`/calls/${id}`, { token })).body
  await expect.poll(async () => (await call(second, talk)).status, patience).toBe('answered')
  await expect.poll(() => bia.heard()?.soundSeconds ?? 0, patience).toBeGreaterThan(3)
  await expect.poll(() => ana.heard()?.soundSeconds ?? 0, patience).toBeGreaterThan(3)
  expect((await second.api.post(`/calls/${talk}/hangup`, undefined, { token })).status).toBe(200)
  expect(await call(first, talk)).toMatchObject({ status: 'completed', hangup_cause: 'NORMAL_CLEARING' })
  await bia.until(({ type }) => type === 'ended')
  await expect.poll(async () => (await call(second, talk)).record_url, patience).not.toBe('')
  const link = new URL((await call(second, talk)).record_url)
  const file = async () => await fetch(`${second.url}${link.pathname}${link.search}`)
  await expect.poll(async () => (await file()).status, patience).toBe(200)
  const { channels } = readWav(Buffer.from(await (await file()).arrayBuffer()))
  expect(secondsOfTone(channels[0] ?? new Int16Array(), 440)).toBeGreaterThan(1.5)
  expect(secondsOfTone(channels[1] ?? new Int16Array(), 600)).toBeGreaterThan(1.5)
  expect(await query('select id from calls', [])).toHaveLength(1)

  // A node dies in the middle of a call; its phone registers at the other node and is called there at once.
  const cut = await place(second, '1001', playing)
  await expect.poll(async () => (await call(first, cut)).status, patience).toBe('answered')
  await b.stop('SIGKILL')
  const moved = await startPhone('1001', a.port, 600)
  const nodes = async () => await query('select count(distinct node)::int as nodes from registrations', [])
  await expect.poll(nodes, patience).toEqual([{ nodes: 1 }])
  const again = await place(first, '1001', playing)
  await moved.until((event) => event.type === 'incoming' && event.callId === again)
  expect((await second.api.post(`/calls/${again}/hangup`, undefined, { token })).status).toBe(200)

  await expect.poll(async () => (await call(first, cut)).status, patience).toBe('completed')
  expect(await call(second, cut)).toMatchObject({ hangup_cause: 'RECOVERY_ON_TIMER_EXPIRE' })
  const ends = `select call_id, count(*)::int from events where kind = 'channel-hangup' group by call_id order by 1`
  expect(await query(ends, [])).toEqual(
    [talk, cut, again].toSorted().map((call_id) => ({ call_id, count: 1 })),
  )
  expect(
    await query('select call_id from reservations union all select call_id from unclaimed_calls', []),
  ).toEqual([])
}, 180_000)
