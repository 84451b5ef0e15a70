/** Processes on one database: the service of a test, two that serve the API, and a voice node with phones. */
import { type App, startApp } from '../../../src/app/start.ts'
import { readConfig } from '../../../src/config.ts'
import { createFakeEngine, type FakeEngine } from '../../../src/engine/fake.ts'
import { createLog } from '../../../src/kit/process/log.ts'
import { forgetPhones, phoneIsAt } from '../stored/fleet-rows.ts'
import { createClient, filter } from './client.ts'
import { openOffice, startVoiceService, type VoiceService } from './voice.ts'

/** The job of a voice node that claims calls. */
export const claims = 'calls and hang-ups of other processes'

/**
 * Extensions by number, with further fields. They are added before the other processes start, because a process that is
 * notified of a new extension lets its phones register again.
 */
export async function startFleet(extensions: Record<string, object>) {
  const whole = await startVoiceService()
  const office = await openOffice(whole)
  const extensionIds = new Map<string, number>()
  for (const [number, more] of Object.entries(extensions)) {
    const { body } = await whole.api.post('/extensions', { ...person, ramal: number, ...more }, office)
    extensionIds.set(number, Number(body.id))
  }
  const first = await startProcess(whole, 'api')
  const second = await startProcess(whole, 'api')
  const voice = await startProcess(whole, 'voice')
  const [engine] = voice.engines
  if (!engine) throw new Error('no engine was made')
  const node = { ...voice, engine }

  return {
    whole,
    office,
    first,
    second,
    node,
    /** A call as the API shows it. */
    callOf: async (id: string) => (await first.api.get(`/calls/${id}`, office)).body,

    /** The newest call to this number. */
    async callTo(number: string) {
      const { body } = await first.api.get(`/calls?${filter({ where: { to: number } })}`, office)
      return body.data[0]
    },

    /** Reais that are set aside for calls under way. */
    reserved: async (): Promise<number> => (await first.api.get('/credits/balance', office)).body.reserved,

    /** Registers the phone of an extension at the voice node. Returns the id of the extension. */
    async registerAtNode(number: string) {
      const id = extensionIds.get(number) ?? 0
      // Without an older row: what is waited for is that this registration was stored.
      await forgetPhones(whole.db, id)
      await engine.register(office.extension(number))
      await phoneIsAt(whole.db, office.extension(number), node.app.node.id)
      return id
    },

    /** Its connection for notices is lost, and only the test runs its jobs. */
    async loseNotices() {
      await node.app.jobs.stop()
      await node.app.services.base.notices.stop()
    },

    async stop() {
      for (const process of [first, second, node]) await process.app.stop()
      await whole.stop()
    },
  }
}
export type Fleet = Awaited<ReturnType<typeof startFleet>>

const person = {
  senha: 's3nha-do-ramal',
  first_name: 'Rui',
  last_name: 'Lima',
  email_address: 'r@r.example',
}

/** Another process on the database of the service. */
async function startProcess(whole: VoiceService, roles: string) {
  const config = readConfig({
    ROLES: roles,
    PORT: '0',
    // Other nodes are given the address of the settings: the fake engine has none.
    SIP_PORT: '5070',
    SIP_WS_PORT: '0',
    DATA_DIR: whole.dataDir,
    DATABASE_URL: whole.database.url,
    DATABASE_POOL: '6',
    RATE_LIMITS: 'off',
    CALLS_PER_EXTENSION: '2',
    CALL_ATTEMPTS: '10000',
    NEW_CALLS_PER_DAY: '1000000',
    NEW_SPENDING_PER_DAY: '1000000.00',
  })
  const engines: FakeEngine[] = []
  const app: App = await startApp(config, {
    clock: whole.clock,
    log: createLog('silent'),
    engine(host) {
      const engine = createFakeEngine(host, { now: whole.clock.now })
      engines.push(engine)
      return engine
    },
  })
  return { app, engines, api: createClient(`${app.url}/api/v1`) }
}
