/** D616: an account that the operator suspends stops at every process of a fleet, and works again when it is released. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type App, startApp } from '../../../src/app/start.ts'
import { readConfig } from '../../../src/config.ts'
import { createFakeEngine, type FakeEngine } from '../../../src/engine/fake.ts'
import { basePath } from '../../../src/http/entry.ts'
import { createLog } from '../../../src/kit/process/log.ts'
import { createClient } from '../../helpers/service/client.ts'
import { release, suspend } from '../../helpers/service/operator.ts'
import { mailsTo, password } from '../../helpers/service/people.ts'
import { type Office, openOffice, startVoiceService, type VoiceService } from '../../helpers/service/voice.ts'
import { phoneIsAt } from '../../helpers/stored/fleet-rows.ts'
import { suspendAccount } from '../../helpers/stored/people-rows.ts'

let whole: VoiceService
let roaming: Office
let other: { app: App; engine: FakeEngine; api: ReturnType<typeof createClient> }
/** The job of a voice node. */
const claims = 'calls and hang-ups of other processes'
const sweep = 'calls of suspended accounts'
const called = '5548999998888'

beforeAll(async () => {
  whole = await startVoiceService()
  // Before the other process starts: it is notified of new extensions, whose phones must then register again.
  roaming = await openOffice(whole)
  await roaming.addExtension('2000')
  other = await startOther()
})
afterAll(async () => {
  await other?.app.stop()
  await whole?.stop()
})

/** Another process on the same database, with phones of its own. */
async function startOther() {
  const engines: FakeEngine[] = []
  const config = readConfig({
    ROLES: 'api,voice',
    PORT: '0',
    SIP_PORT: '5071',
    SIP_WS_PORT: '0',
    CONSOLE: 'off',
    DATA_DIR: whole.dataDir,
    DATABASE_URL: whole.database.url,
    DATABASE_POOL: '6',
    RATE_LIMITS: 'off',
  })
  const app = await startApp(config, {
    clock: whole.clock,
    log: createLog('silent'),
    engine(host) {
      const engine = createFakeEngine(host, { now: whole.clock.now })
      engines.push(engine)
      return engine
    },
  })
  const [engine] = engines
  if (!engine) throw new Error('no engine was made')
  return { app, engine, api: createClient(`${app.url}${basePath}`) }
}

/** Hangs up what rows ask for, at both nodes. */
async function hangUpAll() {
  await whole.tick(claims)
  await other.app.jobs.run(claims)
}

async function placeCall(office: Office, extension: string): Promise<string> {
  const { status, body } = await whole.api.post('/calls', { extension, called }, office)
  expect([status, body.error]).toEqual([200, undefined])
  return body.id
}

/** The phone of the extension is at the other process. */
async function registerElsewhere(office: Office, number: string) {
  whole.engine.forget(office.extension(number))
  await other.engine.register(office.extension(number))
  await phoneIsAt(whole.db, office.extension(number), other.app.node.id)
}

test('D616: its calls end at every node, and calls of other accounts go on', async () => {
  const [office, neighbour] = [roaming, await openOffice(whole)]
  await registerElsewhere(office, '2000')
  const [here, there, others] = [
    await placeCall(office, '1000'),
    await placeCall(office, '2000'),
    await placeCall(neighbour, '1000'),
  ]
  expect(whole.engine.liveCalls()).toEqual(expect.arrayContaining([here, others]))
  expect(other.engine.liveCalls()).toEqual([there])

  await suspend(whole, office.domain)
  await hangUpAll()
  expect(other.engine.liveCalls()).toEqual([])
  expect(whole.engine.liveCalls()).toEqual([others])
  // The phones are gone from both nodes, also from the one that another process was asked at.
  expect(whole.engine.registration(office.extension('1000'))).toBeUndefined()
  await expect.poll(() => other.engine.registration(office.extension('2000'))).toBeUndefined()
  await whole.api.post(`/calls/${others}/hangup`, undefined, neighbour)

  // Its records are read when it is released.
  await release(whole, office.domain)
  const statusOf = async (id: string) => (await whole.api.get(`/calls/${id}`, office)).body.status
  for (const id of [here, there]) await expect.poll(() => statusOf(id)).toBe('cancelled')
})

test('D616: a call that was being admitted meanwhile is ended by the next sweep', async () => {
  const office = await openOffice(whole)
  const id = await placeCall(office, '1000')
  await suspendAccount(whole.db, office.domain, whole.clock.now())
  await whole.tick(sweep)
  await whole.tick(claims)
  expect(whole.engine.liveCalls()).not.toContain(id)
})

describe('D616: of a suspended account', () => {
  let office: Office
  let session: string
  beforeAll(async () => {
    office = await openOffice(whole, { bina: '+55 48 3333-7777' })
    const login = { email: office.email, password }
    const headers = { 'sec-fetch-site': 'same-origin' }
    const begun = await whole.api.post('/console/session', login, { headers })
    session = begun.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
    // Cached by both processes.
    for (const { api } of [whole, other]) expect((await api.get('/users/me', office)).status).toBe(200)
    await suspend(whole, office.domain)
  })

  const refusalOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [
    status,
    body.error?.code,
  ]
  const refused = [403, 'ACCOUNT_SUSPENDED']

  test('requests with its tokens are refused at every process', async () => {
    expect(refusalOf(await whole.api.get('/users/me', office))).toEqual(refused)
    await expect.poll(async () => refusalOf(await other.api.get('/users/me', office))).toEqual(refused)
    const call = { extension: '1000', called }
    expect(refusalOf(await whole.api.post('/calls', call, office))).toEqual(refused)
    expect((await whole.api.head('/users/accessTokens', office)).status).toBe(403)
  })

  test('log-ins are refused with the right password, and say nothing with a wrong one', async () => {
    const login = (typed: string) => whole.api.post('/users/login', { email: office.email, password: typed })
    expect(refusalOf(await login(password))).toEqual(refused)
    expect(refusalOf(await login('a guess'))).toEqual([401, 'LOGIN_FAILED'])
  })

  test('sessions are over', async () => {
    const headers = { cookie: session, 'sec-fetch-site': 'same-origin' }
    expect((await whole.api.get('/console/session', { headers })).status).toBe(401)
  })

  test('phones are refused, and calls to and from them', async () => {
    const registers = (engine: FakeEngine) =>
      engine.requestRegistration({
        extension: office.extension('1000'),
        password: 's3nha-do-ramal',
        phone: 'desk',
      })
    expect(await registers(whole.engine)).toBe(false)
    await expect.poll(() => registers(other.engine)).toBe(false)
    const rejected = { rejected: 'CALL_REJECTED', phrase: 'Account Suspended' }
    const dials = { from: { extension: office.extension('1000') }, dialled: called }
    expect(await whole.engine.receive(dials)).toEqual(rejected)
    const carrier = { trunk: 'carrier', callerId: { number: '5548988887777' } }
    expect(await whole.engine.receive({ from: carrier, dialled: '554833337777' })).toEqual(rejected)
  })

  test('its ADMINs got a mail with the reason, once, however often it is suspended', async () => {
    const again = await suspend(whole, office.domain)
    expect(again?.reason).toBe('Unpaid invoice 4711')
    const mails = await mailsTo(whole, office.email)
    const [newest] = mails.filter(({ subject }) => subject.includes('Account suspended'))
    expect(newest?.text).toContain('Unpaid invoice 4711')
    expect(mails.filter(({ subject }) => subject.includes('Account suspended'))).toHaveLength(1)
  })

  test('released, its tokens, phones and calls work again, and the audit log has both', async () => {
    await release(whole, office.domain)
    expect((await whole.api.get('/users/me', office)).status).toBe(200)
    await expect.poll(async () => (await other.api.get('/users/me', office)).status).toBe(200)
    const extension = office.extension('1000')
    const registers = () =>
      whole.engine.requestRegistration({ extension, password: 's3nha-do-ramal', phone: 'desk' })
    expect(await registers()).toBe(true)
    const id = await placeCall(office, '1000')
    await whole.tick(sweep)
    await whole.tick(claims)
    expect(whole.engine.liveCalls()).toContain(id)
    const { data } = (await whole.api.get('/accounts/audit?page=1', office)).body
    expect(data.filter(({ action }: { action: string }) => action.startsWith('account.'))).toMatchObject([
      { action: 'account.released', actor: null, details: { reason: 'paid' } },
      {
        action: 'account.suspended',
        actor: null,
        details: { reason: 'Unpaid invoice 4711', tokensEnded: 1 },
      },
      { action: 'account.confirmed' },
      { action: 'account.signed-up' },
    ])
    const [newest] = await mailsTo(whole, office.email)
    expect(newest?.subject).toContain('Account released')
  })
})

test('D616: tokens that were revoked with the suspension stay ended', async () => {
  const office = await openOffice(whole)
  await suspend(whole, office.domain, true)
  await release(whole, office.domain)
  expect((await whole.api.get('/users/me', office)).status).toBe(401)
})

test('D616: an account that does not exist is neither suspended nor released', async () => {
  expect(await suspend(whole, 'nobody.ramal.localhost')).toBeUndefined()
  expect(await release(whole, 'nobody.ramal.localhost')).toBeUndefined()
})
