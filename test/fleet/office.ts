/** An account with phones at processes of a fleet: all on one database, each started as an operator does. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { verifyLedger } from '../../src/billing/ledger/verify.ts'
import { toneSource } from '../../src/engine/endpoint/audio/audio-source.ts'
import { createSoftphone, type PhoneEvent } from '../../src/engine/endpoint/softphone/softphone.ts'
import { createLog } from '../../src/kit/process/log.ts'
import { systemTimers } from '../../src/kit/timers.ts'
import { openDatabase } from '../../src/store/database.ts'
import { freePort } from '../helpers/programs/free-port.ts'
import { makeDataDir, runRamal } from '../helpers/programs/ramal-process.ts'
import { createJournal } from '../sip/peers/journal.ts'
import { type FleetProcess, startFleetProcess } from './fleet-process.ts'

/** A number of the sandbox carrier that answers at once and plays 1000 Hz. */
export const playing = '5548999990009'
/** An equal call within 3 s would be refused (D149). */
export const alsoPlaying = '5548988880009'
export const patience = { timeout: 60_000, interval: 100 }
export const domain = 'padaria.ramal.localhost'
export const senha = 'segredo-do-ramal'
const person = { first_name: 'Ana', last_name: 'Souza', email_address: 'a@b.example', gravar_audio: 1 }

type Settings = Record<string, string>
type Where = Parameters<typeof startFleetProcess>[2]
/** A voice node; phones register at its SIP address. */
export type VoiceProcess = FleetProcess & { address: string; port: number }
type NodeOptions = { roles?: string; settings?: Settings; where?: Where }
type PhoneOptions = { hertz?: number; answer?: 'auto' | 'ask' }

/** `more`: settings of all processes. */
export async function openFleetOffice(databaseUrl: string, more: Settings = {}) {
  const data = makeDataDir()
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 })
  const env: Settings = {
    DATABASE_URL: databaseUrl,
    DATABASE_POOL: '6',
    DATA_DIR: data.path,
    RECORDINGS: `${data.path}/shared-recordings`,
    SECRET_KEY: randomBytes(32).toString('hex'),
    WEBHOOK_ALLOW_PRIVATE: 'true',
    ...more,
  }
  const processes: FleetProcess[] = []
  const phones: { stop(): Promise<void> }[] = []
  let token = ''

  async function start(roles: string, settings: Settings = {}, where?: Where): Promise<FleetProcess> {
    const started = await startFleetProcess(roles, { ...env, ...settings }, where)
    processes.push(started)
    return started
  }

  async function startVoice(
    name: string,
    rtpPorts: string,
    { roles = 'voice', settings = {}, where }: NodeOptions = {},
  ): Promise<VoiceProcess> {
    const port = Number(settings.SIP_PORT ?? (await freePort()))
    const node = { SIP_PORT: String(port), RTP_PORTS: rtpPorts, DATA_DIR: `${data.path}/${name}` }
    const started = await start(roles, { ...node, ...settings }, where)
    return { address: settings.SIP_HOST ?? '127.0.0.1', port, ...started }
  }

  /**
   * Opens the account, and its extensions before the voice nodes start: a node is notified of new ones, and their phones
   * must then register again.
   */
  async function open(at: FleetProcess, extensions: string[]) {
    const signup = ['account', 'create', '--domain', domain, '--email', 'a@b.example']
    token = /Token\s+(\w{64})/.exec((await runRamal(signup, env)).text)?.[1] ?? ''
    for (const ramal of extensions) {
      const { status } = await at.api.post('/extensions', { ...person, ramal, senha }, { token })
      if (status !== 200) throw new Error(`extension ${ramal}: ${status}`)
    }
  }

  /** A phone that plays a tone, and answers at once unless `answer` says otherwise. */
  async function startPhone(
    number: string,
    { address, port }: Pick<VoiceProcess, 'address' | 'port'>,
    { hertz = 440, answer = 'auto' }: PhoneOptions = {},
  ) {
    const events = createJournal<PhoneEvent>(`phone ${number} at ${address}:${port}`)
    const phone = await createSoftphone({
      extension: number,
      password: senha,
      domain,
      transport: 'udp',
      answer,
      server: { address, port },
      play: () => toneSource(hertz),
      timers: systemTimers,
      log: createLog('silent'),
      onEvent: events.write,
    })
    phones.push(phone)
    await events.until(({ type }) => type === 'registered', { within: 30_000 })
    return { ...phone, until: events.until }
  }

  /** The registration is stored a moment after the phone was answered. */
  async function place(at: FleetProcess, extension: string, called: string): Promise<string> {
    for (const began = performance.now(); ; await sleep(patience.interval)) {
      const { status, body } = await at.api.post('/calls', { extension, called }, { token })
      if (status === 200) return body.id
      const isOver = performance.now() - began > patience.timeout
      if (status !== 422 || isOver) throw new Error(`a call was refused: ${status} ${JSON.stringify(body)}`)
    }
  }

  /** The numbers of the extensions whose phone is registered. */
  async function registered(at: FleetProcess): Promise<string[]> {
    const { body } = await at.api.get('/extensions', { token })
    const extensions: { ramal: string; registered: boolean }[] = body
    return extensions.flatMap(({ ramal, registered: isRegistered }) => (isRegistered ? [ramal] : []))
  }

  const query = async (text: string, values: unknown[] = []) => (await pool.query(text, values)).rows

  /** Calls that did not end, or were not reported, exactly once; credit left reserved; books that do not add up. */
  async function violations(): Promise<string[]> {
    const found = await query(`select calls.id, calls.ended_at is not null as ended,
        calls.answered_at is null or calls.ended_at >= calls.answered_at as ordered,
        count(*) filter (where kind = 'channel-hangup') as ends, count(*) filter (where kind = 'channel-answer') as answers
      from calls left join events on events.call_id = calls.id
      group by calls.id having calls.ended_at is null or calls.ended_at < calls.answered_at
        or count(*) filter (where kind = 'channel-hangup') <> 1
        or count(*) filter (where kind = 'channel-answer') <> (calls.answered_at is not null)::int`)
    const left = await query('select call_id from reservations union all select call_id from unclaimed_calls')
    const db = openDatabase(new pg.Pool({ connectionString: databaseUrl, max: 1 }))
    const { findings } = await verifyLedger(db)
    await db.destroy()
    return [...found, ...left, ...findings].map((row) => JSON.stringify(row))
  }

  return {
    env,
    start,
    startVoice,
    open,
    startPhone,
    place,
    query,
    registered,
    violations,
    as: () => ({ token }),
    callIds: async (): Promise<string[]> => (await query('select id from calls')).map(({ id }) => id),
    call: async (at: FleetProcess, id: string) => (await at.api.get(`/calls/${id}`, { token })).body,
    hangUp: (at: FleetProcess, id: string) => at.api.post(`/calls/${id}/hangup`, undefined, { token }),
    async close() {
      for (const one of processes) await one.stop()
      await Promise.all(phones.map((phone) => phone.stop()))
      await pool.end()
      data.remove()
    },
  }
}
export type FleetOffice = Awaited<ReturnType<typeof openFleetOffice>>
