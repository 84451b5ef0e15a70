/** D240: any API process places and hangs up calls for phones at any voice node, as on one machine (D6, D8, D13). */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from '../../../src/app/start.ts'
import { readConfig } from '../../../src/config.ts'
import { createFakeEngine, type FakeEngine } from '../../../src/engine/fake.ts'
import { createLog } from '../../../src/kit/process/log.ts'
import { createNodes } from '../../../src/nodes/nodes.ts'
import { renewNode } from '../../../src/nodes/nodes-store.ts'
import { createClient } from '../../helpers/service/client.ts'
import { type Office, openOffice, startVoiceService, type VoiceService } from '../../helpers/service/voice.ts'

let whole: VoiceService
let office: Office
let first: Process
let second: Process
let node: Process & { engine: FakeEngine }
const started: App[] = []
const extensionIds = new Map<string, number>()
/** The number of an extension whose phone is at the voice node. */
const ofTheNode = '554833335555'

type Process = { app: App; api: ReturnType<typeof createClient> }

beforeAll(async () => {
  whole = await startVoiceService()
  office = await openOffice(whole)
  // Before the other processes start: they are notified of new extensions, whose phones must then register again.
  for (const number of ['2000', '2001', '2002', '2003', '2004', '2005', '2006', '2008', '2009'])
    await addExtension(number)
  await addExtension('2007', { bina: `+${ofTheNode}` })
  first = await start('api')
  second = await start('api')
  const engines: FakeEngine[] = []
  const voice = await start('voice', (engine) => engines.push(engine))
  const [engine] = engines
  if (!engine) throw new Error('no engine was made')
  node = { ...voice, engine }
})
afterAll(async () => {
  for (const app of started) await app.stop()
  await whole.stop()
})

async function addExtension(number: string, more: object = {}) {
  const person = {
    senha: 's3nha-do-ramal',
    first_name: 'Rui',
    last_name: 'Lima',
    email_address: 'r@r.example',
  }
  const { body } = await whole.api.post('/extensions', { ...person, ramal: number, ...more }, office)
  extensionIds.set(number, Number(body.id))
}

/** Another process on the same database. */
async function start(roles: string, onEngine: (engine: FakeEngine) => void = () => {}): Promise<Process> {
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
  })
  const app = await startApp(config, {
    clock: whole.clock,
    log: createLog('silent'),
    engine(host) {
      const engine = createFakeEngine(host, { now: whole.clock.now })
      onEngine(engine)
      return engine
    },
  })
  started.push(app)
  return { app, api: createClient(`${app.url}/api/v1`) }
}

/** Registers the phone of an extension at the voice node. Returns the id of the extension. */
async function registerAtNode(number: string) {
  const id = extensionIds.get(number) ?? 0
  // Without an older row: what is waited for is that this registration was stored.
  await whole.db.deleteFrom('registrations').where('extension_id', '=', id).execute()
  node.engine.register(office.extension(number))
  const registered = whole.db.selectFrom('registrations').select('node').where('extension_id', '=', id)
  await expect.poll(() => registered.executeTakeFirst()).toEqual({ node: node.app.node.id })
  return id
}

/** As if the phone were registered at a node that runs nowhere, with this lease and state. */
async function registerElsewhere(
  number: string,
  id: string,
  leaseSeconds: number,
  state: 'active' | 'draining',
) {
  const extensionId = await registerAtNode(number)
  const startedAt = whole.clock.now()
  const leased = {
    id,
    state,
    startedAt,
    roles: ['voice'],
    host: 'elsewhere',
    version: '1',
    address: null,
    calls: 0,
    phones: 1,
    clockOffsetMs: 0,
    trunks: [],
    phoneAddresses: {},
    takesCalls: true,
  }
  await renewNode(whole.db, leased, leaseSeconds)
  await whole.db
    .updateTable('registrations')
    .set({ node: id })
    .where('extension_id', '=', extensionId)
    .execute()
}

const called = '5548999998888'
/** The job of a voice node. */
const claims = 'calls and hang-ups of other processes'
const rowOf = (id: string) =>
  whole.db.selectFrom('calls').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

test('a call is placed at one process, rung by the node of the phone, and hung up at another process', async () => {
  await registerAtNode('2000')
  const placed = await first.api.post('/calls', { extension: '2000', called, metadata: { lead: 7 } }, office)
  expect([placed.status, placed.body.message]).toEqual([200, 'successful request'])
  const { id } = placed.body
  expect(await rowOf(id)).toMatchObject({ node: node.app.node.id, status: 'ringing' })
  expect(node.engine.requests().at(-1)).toMatchObject({
    callId: id,
    extension: office.extension('2000'),
    shown: { number: called },
    destination: { number: called },
    limits: { ring: expect.any(Number) },
  })
  const again = await second.api.post('/calls', { extension: '2000', called }, office)
  expect([again.status, again.body.error.details.callId]).toEqual([409, id])

  node.engine.pickUp(id)
  node.engine.answer(id)
  await expect.poll(async () => (await rowOf(id)).status).toBe('answered')
  const hungUp = await second.api.post(`/calls/${id}/hangup`, undefined, office)
  expect(hungUp.status).toBe(200)
  expect(await rowOf(id)).toMatchObject({ status: 'completed', hangup_cause: 'NORMAL_CLEARING' })
  expect((await first.api.post(`/calls/${id}/hangup`, undefined, office)).body.error.code).toBe('CALL_ENDED')
})

test('a process with phones of its own places for those of other nodes too', async () => {
  await registerAtNode('2001')
  const placed = await whole.api.post('/calls', { extension: '2001', called }, office)
  expect(placed.status).toBe(200)
  expect(await rowOf(placed.body.id)).toMatchObject({ node: node.app.node.id, status: 'ringing' })
  expect(whole.engine.liveCalls()).not.toContain(placed.body.id)
  expect((await whole.api.post(`/calls/${placed.body.id}/hangup`, undefined, office)).status).toBe(200)
})

test('D8: a phone that refuses before the answer went out is 424; D6: a silent one is 200 after two seconds', async () => {
  await registerAtNode('2002')
  node.engine.behave(() => [{ ends: 'USER_BUSY', by: 'extension' }])
  const refused = await first.api.post('/calls', { extension: '2002', called }, office)
  expect([refused.status, refused.body.error.code]).toEqual([424, 'CALL_FAILED'])
  node.engine.behave(() => [])
  const began = performance.now()
  const silent = await first.api.post('/calls', { extension: '2002', called }, office)
  expect(silent.status).toBe(200)
  expect(performance.now() - began).toBeGreaterThan(1_900)
  node.engine.behave(() => ['rings'])
})

test('D241: a call of a carrier for a phone at another node belongs to the node it came to, answered or not', async () => {
  await registerAtNode('2007')
  const receive = async () => {
    const from = { trunk: 'carrier', callerId: { number: '5548988887777' } }
    const accepted = await whole.engine.receive({ from, dialled: ofTheNode })
    if ('rejected' in accepted) throw new Error(accepted.rejected)
    expect(accepted.destination).toEqual({ extension: office.extension('2007') })
    return accepted.callId
  }
  const unanswered = await receive()
  expect(await rowOf(unanswered)).toMatchObject({ node: whole.app.node.id, call_type: 'inbound' })
  whole.engine.end(unanswered, 'NO_ANSWER', 'service')
  await expect.poll(async () => (await rowOf(unanswered)).status).toBe('no_answer')

  const talk = await receive()
  whole.engine.ring(talk)
  whole.engine.pickUp(talk)
  expect((await first.api.post(`/calls/${talk}/hangup`, undefined, office)).status).toBe(200)
  await expect.poll(async () => (await rowOf(talk)).status).toBe('completed')
  expect(node.engine.liveCalls()).not.toContain(talk)
})

test('a phone at a dead node is not registered, one at a node that is about to stop is refused for a moment', async () => {
  await registerElsewhere('2003', 'dead', 0, 'active')
  const dead = await first.api.post('/calls', { extension: '2003', called }, office)
  expect([dead.status, dead.body.error.code]).toEqual([422, 'EXTENSION_NOT_REGISTERED'])
  await registerElsewhere('2004', 'leaving', 60, 'draining')
  await whole.db.updateTable('voice_nodes').set({ takes_calls: false }).where('id', '=', 'leaving').execute()
  const leaving = await first.api.post('/calls', { extension: '2004', called }, office)
  expect([leaving.status, leaving.headers.get('retry-after')]).toEqual([503, '5'])
})

test('D502: a draining node carries calls for the phones it still has, of the API and of other nodes', async () => {
  await registerAtNode('2000')
  const nodes = createNodes({ db: whole.db })
  await nodes.drain(node.app.node.id, true)
  await expect.poll(node.engine.isDraining).toBe(true)
  const placed = await first.api.post('/calls', { extension: '2000', called: '5548999990000' }, office)
  expect(placed.status).toBe(200)
  expect(await rowOf(placed.body.id)).toMatchObject({ node: node.app.node.id, status: 'ringing' })
  await registerAtNode('2007')
  const from = { trunk: 'carrier', callerId: { number: '5548988887777' } }
  expect(await whole.engine.receive({ from, dialled: ofTheNode })).toMatchObject({
    destination: { extension: office.extension('2007') },
  })
  await nodes.drain(node.app.node.id, false)
  await expect.poll(node.engine.isDraining).toBe(false)
})

test('D502: a call for a phone that moved to another node before it was claimed is rung there', async () => {
  await registerElsewhere('2004', 'left behind', 600, 'active')
  const placing = first.api.post('/calls', { extension: '2004', called: '5548999990004' }, office)
  const unclaimed = whole.db.selectFrom('unclaimed_calls').select('call_id').where('node', '=', 'left behind')
  await expect.poll(() => unclaimed.executeTakeFirst()).toBeDefined()
  // Claimed by a process that has no such phone, while the directory knows where it is.
  const [{ id } = { id: '' }] = await whole.db
    .updateTable('calls')
    .set({ node: whole.app.node.id })
    .where('node', '=', 'left behind')
    .returning('id')
    .execute()
  await registerAtNode('2004')
  await whole.db.updateTable('unclaimed_calls').set({ node: whole.app.node.id }).execute()
  await whole.tick(claims)
  const { status, body } = await placing
  expect([status, body.id]).toEqual([200, id])
  expect(await rowOf(id)).toMatchObject({ node: node.app.node.id, status: 'ringing' })
})

test('D501: a call that its node does not claim in time is 503, ends as failed, once, and its credit is released', async () => {
  await registerElsewhere('2005', 'hanging', 600, 'active')
  const headers = { 'Idempotency-Key': 'not claimed' }
  const place = () => first.api.post('/calls', { extension: '2005', called }, { ...office, headers })
  const refused = place()
  const unclaimed = whole.db.selectFrom('unclaimed_calls').select('call_id').where('node', '=', 'hanging')
  await expect.poll(() => unclaimed.executeTakeFirst()).toBeDefined()
  const { call_id: id } = await unclaimed.executeTakeFirstOrThrow()
  await whole.db
    .updateTable('unclaimed_calls')
    .set({ claim_until: new Date(0) })
    .execute()
  const { status, body } = await refused
  expect([status, body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
  await expect.poll(async () => (await rowOf(id)).status).toBe('failed')
  expect(await rowOf(id)).toMatchObject({ hangup_cause: 'NORMAL_TEMPORARY_FAILURE', call_price: 0 })
  const ends = whole.db.selectFrom('events').select('kind').where('call_id', '=', id)
  expect(await ends.where('kind', '=', 'channel-hangup').execute()).toHaveLength(1)
  const reserved = whole.db.selectFrom('reservations').select('call_id').where('call_id', '=', id)
  expect(await reserved.execute()).toEqual([])

  // Nothing was done, so the same request may be sent again.
  await registerAtNode('2005')
  const again = await place()
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, null])
  expect(again.body.id).not.toBe(id)
  expect(await rowOf(again.body.id)).toMatchObject({ status: 'ringing' })
})

test('D501: a call that its node claims late is answered when it is claimed', async () => {
  await registerElsewhere('2005', 'slow', 600, 'active')
  const placing = first.api.post('/calls', { extension: '2005', called: '5548999990005' }, office)
  const unclaimed = whole.db.selectFrom('unclaimed_calls').select('call_id').where('node', '=', 'slow')
  await expect.poll(() => unclaimed.executeTakeFirst()).toBeDefined()
  const { call_id: id } = await unclaimed.executeTakeFirstOrThrow()
  const early = await Promise.race([placing, sleep(2_500, 'still waits')])
  expect(early).toBe('still waits')
  await whole.db.updateTable('unclaimed_calls').set({ node: node.app.node.id }).execute()
  await node.app.jobs.run(claims)
  const { status, body } = await placing
  expect([status, body.id]).toEqual([200, id])
})

test('D501: a call that rang was taken, although its node stopped and ended it at once: its key does not place another', async () => {
  await registerElsewhere('2005', 'stopping', 600, 'active')
  const headers = { 'Idempotency-Key': 'rang at a node that stopped' }
  const place = () =>
    first.api.post('/calls', { extension: '2005', called: '5548999990006' }, { ...office, headers })
  const placing = place()
  const unclaimed = whole.db.selectFrom('unclaimed_calls').select('call_id').where('node', '=', 'stopping')
  await expect.poll(() => unclaimed.executeTakeFirst()).toBeDefined()
  const { call_id: id } = await unclaimed.executeTakeFirstOrThrow()
  const now = whole.clock.now()
  const cause = 'NORMAL_TEMPORARY_FAILURE'
  const end = { status: 'failed', ended_at: now, hangup_cause: cause, ended_by: 'service' } as const
  await whole.db.transaction().execute(async (tx) => {
    await tx.deleteFrom('unclaimed_calls').where('call_id', '=', id).execute()
    await tx
      .updateTable('calls')
      .set({ ...end, ringing_at: now })
      .where('id', '=', id)
      .execute()
  })
  expect((await placing).status).toBe(424)
  const again = await place()
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([424, 'true'])
})

/** An answered call of an extension whose phone is at the voice node. */
async function talk(extension: string, to: string): Promise<string> {
  const { status, body } = await first.api.post('/calls', { extension, called: to }, office)
  expect(status).toBe(200)
  node.engine.pickUp(body.id)
  node.engine.answer(body.id)
  await expect.poll(async () => (await rowOf(body.id)).status).toBe('answered')
  return body.id
}
const transfer = (id: string, to: string) => second.api.post(`/calls/${id}/transfer`, { to }, office)
const reservationOf = (id: string) =>
  whole.db.selectFrom('reservations').select('call_id').where('call_id', '=', id).execute()
const callTo = (number: string) =>
  whole.db.selectFrom('calls').selectAll().where('to_number', '=', number).executeTakeFirstOrThrow()

test('D282: a call of another process is transferred by its node, which answers once it dials the second call', async () => {
  await registerAtNode('2008')
  const id = await talk('2008', '5548999990010')
  const { status, body } = await transfer(id, '5548999990011')
  expect([status, body.id]).toEqual([200, id])
  expect(await rowOf(body.transferId)).toMatchObject({
    node: node.app.node.id,
    transfer_of: id,
    ended_at: null,
  })
  expect(node.engine.liveCalls()).toContain(body.transferId)

  // The extension has two calls: the node, which counts them, refuses a third.
  const beyond = await transfer(id, '5548999990012')
  expect([beyond.status, beyond.body.error.code]).toEqual([424, 'CALL_FAILED'])
  const refused = await callTo('5548999990012')
  expect(refused).toMatchObject({ hangup_cause: 'NORMAL_CIRCUIT_CONGESTION', ended_by: 'service' })
  expect(await reservationOf(refused.id)).toEqual([])

  node.engine.answer(body.transferId)
  await expect.poll(async () => (await rowOf(body.transferId)).status).toBe('answered')
  node.engine.end(id, 'NORMAL_CLEARING', 'other')
  await expect.poll(async () => (await rowOf(id)).status).toBe('completed')
  await expect.poll(async () => (await rowOf(body.transferId)).status).toBe('completed')
})

test('D282: a transfer of a call that is over at its node is refused, and the second call has ended, free', async () => {
  const id = await talk('2008', '5548999990013')
  node.engine.lose(id)
  const { status, body } = await transfer(id, '5548999990014')
  expect([status, body.error.code]).toEqual([409, 'CALL_NOT_TRANSFERABLE'])
  const refused = await callTo('5548999990014')
  expect(refused).toMatchObject({ hangup_cause: 'NORMAL_TEMPORARY_FAILURE', ended_by: 'service' })
  expect(await reservationOf(refused.id)).toEqual([])
})

test('D280: keys for a call of another process are answered by its node', async () => {
  const id = await talk('2008', '5548999990015')
  const press = () => second.api.post(`/calls/${id}/dtmf`, { digits: '12#' }, office)
  expect((await press()).status).toBe(200)
  node.engine.lose(id)
  const { status, body } = await press()
  expect([status, body.error.code]).toEqual([404, 'CALL_ENDED'])
})

test('without any notice a call is claimed by the poll; one hung up before that never rings', async () => {
  await registerAtNode('2006')
  await node.app.jobs.stop()
  await node.app.services.base.notices.stop()
  const place = (number: string) => first.api.post('/calls', { extension: '2006', called: number }, office)
  const waiting = (to: string) =>
    whole.db
      .selectFrom('unclaimed_calls')
      .innerJoin('calls', 'calls.id', 'unclaimed_calls.call_id')
      .select(['calls.id', 'calls.hangup_requested_at'])
      .where('calls.to_number', '=', to)
      .executeTakeFirst()
  const claim = () => node.app.jobs.run(claims)

  const rung = place('5548999990001')
  await expect.poll(() => waiting('5548999990001')).toBeDefined()
  await claim()
  const { status, body } = await rung
  expect(status).toBe(200)
  await expect.poll(async () => (await rowOf(body.id)).status).toBe('ringing')

  const abandoned = place('5548999990002')
  await expect.poll(() => waiting('5548999990002')).toBeDefined()
  const { id = '' } = (await waiting('5548999990002')) ?? {}
  const hangUp = second.api.post(`/calls/${id}/hangup`, undefined, office)
  await expect.poll(async () => (await waiting('5548999990002'))?.hangup_requested_at).toBeInstanceOf(Date)
  await claim()
  expect((await hangUp).status).toBe(200)
  await abandoned
  await expect.poll(async () => (await rowOf(id)).status).toBe('cancelled')
  expect(node.engine.requests().map(({ callId }) => callId)).not.toContain(id)
})

test('without any notice a transfer is claimed by the poll, and keys are refused as not answered', async () => {
  await registerAtNode('2009')
  const rung = first.api.post('/calls', { extension: '2009', called: '5548999990016' }, office)
  const claim = () => node.app.jobs.run(claims)
  const isWaiting = async () =>
    (await whole.db.selectFrom('unclaimed_calls').select('call_id').execute()).length > 0
  await expect.poll(isWaiting).toBe(true)
  await claim()
  const { id } = (await rung).body
  node.engine.pickUp(id)
  node.engine.answer(id)
  await expect.poll(async () => (await rowOf(id)).status).toBe('answered')

  const keys = await second.api.post(`/calls/${id}/dtmf`, { digits: '1' }, office)
  expect([keys.status, keys.headers.get('retry-after')]).toEqual([503, '5'])

  const transferring = transfer(id, '5548999990017')
  await expect.poll(isWaiting).toBe(true)
  await claim()
  const { status, body } = await transferring
  expect(status).toBe(200)
  expect(node.engine.liveCalls()).toContain(body.transferId)

  const late = transfer(id, '5548999990018')
  await expect.poll(isWaiting).toBe(true)
  await whole.db
    .updateTable('unclaimed_calls')
    .set({ claim_until: new Date(0) })
    .execute()
  const unclaimed = await late
  expect([unclaimed.status, unclaimed.body.error.code]).toEqual([409, 'CALL_NOT_TRANSFERABLE'])
})
