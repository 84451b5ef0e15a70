/** Every call ends exactly once, whatever is killed (D116). */
import pg from 'pg'
import { expect, test } from 'vitest'
import { readConfig } from '../../../src/config.ts'
import { basePath } from '../../../src/http/entry.ts'
import { createLog } from '../../../src/kit/process/log.ts'
import { passDatabaseTime } from '../../../src/nodes/testing/database-time.ts'
import type { Database } from '../../../src/store/database.ts'
import { hideDatabase, runAs } from '../../helpers/run/test-database.ts'
import { createClient } from '../../helpers/service/client.ts'
import { startAllRoles } from '../../helpers/service/service.ts'
import {
  allowDuplicate,
  type Office,
  openOffice,
  startVoiceService,
  type VoiceService,
} from '../../helpers/service/voice.ts'

/** For all processes and their database. */
async function pass({ clock, database }: VoiceService, seconds: number) {
  clock.advance(seconds)
  await passDatabaseTime((statement) => runAs(database.url, statement), seconds)
}

const callRequest = { extension: '1000', called: '5548999998888' }

/** Another process on the same database. */
async function startAnother({ dataDir, database, clock, makeEngine }: VoiceService) {
  const settings = { PORT: '0', DATA_DIR: dataDir, DATABASE_URL: database.url, DATABASE_POOL: '4' }
  const log = createLog('silent')
  return await startAllRoles(readConfig({ ...settings, RATE_LIMITS: 'off' }), {
    clock,
    log,
    engine: makeEngine,
  })
}

/** All connections of a pool, and no more: one that waits for its turn gives up after five seconds. */
function occupy(db: Database, connections: number) {
  const { promise: isFree, resolve } = Promise.withResolvers<void>()
  const busy = Array.from({ length: connections }, () => db.connection().execute(() => isFree))
  return {
    async free() {
      resolve()
      await Promise.all(busy)
    },
  }
}

/** A call as the API shows it, with how it ended. */
async function shown({ api }: VoiceService, office: Office, id: string) {
  const { body: call } = await api.get(`/calls/${id}`, office)
  const { body: timeline } = await api.get(`/calls/${id}/events`, office)
  return { ...call, end: timeline.events?.at(-1) }
}

test('the calls of a node that died are ended by others within a minute, once, at its last proof of life', async () => {
  const service = await startVoiceService()
  const office = await openOffice(service)
  const others = [await startAnother(service), await startAnother(service)]
  // From here on only the test runs jobs.
  for (const { jobs } of [service.app, ...others]) await jobs.stop()
  const place = async () =>
    String((await service.api.post('/calls', callRequest, { ...office, headers: allowDuplicate })).body.id)
  const [ringing, talking, over] = [await place(), await place(), await place()]
  service.engine.pickUp(talking)
  service.engine.answer(talking)
  await service.api.post(`/calls/${over}/hangup`, undefined, office)
  await expect.poll(async () => (await shown(service, office, talking)).status).toBe('answered')
  const finished = await shown(service, office, over)
  await pass(service, 4.5)
  await service.app.lease.renew()
  const lastSign = service.clock.now().toISOString()

  // The node dies: its lease is not renewed from here on.
  const [diedAt, began] = [service.clock.now().getTime(), performance.now()]
  let ended = 0
  while (ended < 2 && service.clock.now().getTime() - diedAt < 60_000) {
    await pass(service, 5)
    await Promise.all(others.map(({ lease }) => lease.renew()))
    const counts = await Promise.all(others.map(({ jobs }) => jobs.run('orphaned calls')))
    ended += counts.reduce<number>((all, some) => all + Number(some), 0)
  }
  expect(ended).toBe(2)
  // D225: it might have lost the database only, and be back by then.
  const passedMs = service.clock.now().getTime() - diedAt
  // The time of the database goes on by itself, too.
  expect(passedMs + performance.now() - began).toBeGreaterThan(55_000)
  const lost = {
    hangup_cause: 'RECOVERY_ON_TIMER_EXPIRE',
    ended_at: lastSign,
    end: { type: 'ended', by: 'service' },
  }
  expect(await shown(service, office, ringing)).toMatchObject({ ...lost, status: 'failed', duration: 0 })
  expect(await shown(service, office, talking)).toMatchObject({ ...lost, status: 'completed', duration: 4 })
  expect(await shown(service, office, over)).toEqual(finished)

  // The node was only suspended: it drops the calls that others ended, and their rows do not change.
  const before = await shown(service, office, talking)
  await service.app.lease.renew()
  expect(service.engine.liveCalls()).toEqual([])
  await service.eventsStored()
  expect(await shown(service, office, talking)).toEqual(before)

  for (const other of others) await other.stop()
  await service.stop()
})

test('the calls of a process that was killed are ended once another one has taken its place and its lease is over', async () => {
  const service = await startVoiceService()
  const office = await openOffice(service)
  await service.app.jobs.stop()
  const id = String((await service.api.post('/calls', callRequest, office)).body.id)
  await service.app.lease.renew()
  await pass(service, 5)
  const next = await startAnother(service)
  await next.jobs.stop()
  let passed = 5
  for (let ended = 0; ended === 0 && passed < 60; passed += 5) {
    await pass(service, 5)
    await next.lease.renew()
    ended = Number(await next.jobs.run('orphaned calls'))
  }
  expect(passed).toBeLessThanOrEqual(30)
  expect(await shown(service, office, id)).toMatchObject({ hangup_cause: 'RECOVERY_ON_TIMER_EXPIRE' })
  for (const app of [next, service]) await app.stop()
})

test('a call that ended while its node could not store that is no lost one: its end is stored when the node can', async () => {
  const service = await startVoiceService()
  const office = await openOffice(service)
  const other = await startAnother(service)
  for (const { jobs } of [service.app, other]) await jobs.stop()
  const id = String((await service.api.post('/calls', callRequest, office)).body.id)
  service.engine.pickUp(id)
  service.engine.answer(id)
  await expect.poll(async () => (await shown(service, office, id)).status).toBe('answered')

  const connections = occupy(service.app.services.base.eventsDb, 2)
  await pass(service, 7)
  const endedAt = service.clock.now().toISOString()
  service.engine.hangUpBy(id, 'other')
  for (let seconds = 0; seconds < 60; seconds += 5) {
    await pass(service, 5)
    await Promise.all([service.app, other].map(({ lease }) => lease.renew()))
    expect(await other.jobs.run('orphaned calls')).toBe(0)
  }
  expect(await shown(service, office, id)).toMatchObject({ status: 'answered', ended_at: null })
  await connections.free()
  const seen = async () => {
    service.timers.advance(500)
    return await shown(service, office, id)
  }
  await expect.poll(seen).toMatchObject({ status: 'completed' })
  const { hangup_cause, ended_at, duration } = await seen()
  expect([hangup_cause, ended_at, duration]).toEqual(['NORMAL_CLEARING', endedAt, 7])
  for (const app of [other, service]) await app.stop()
})

test('the end of a call is stored while others occupy every connection for calls (D565)', async () => {
  const service = await startVoiceService()
  const office = await openOffice(service)
  const id = String((await service.api.post('/calls', callRequest, office)).body.id)
  const connections = occupy(service.app.services.base.callsDb, 6)
  for (const happens of ['pickUp', 'answer'] as const) service.engine[happens](id)
  service.engine.hangUpBy(id, 'other')
  await expect.poll(async () => (await shown(service, office, id)).status).toBe('completed')
  await connections.free()
  await service.stop()
})

test('a call that its living node no longer carries is ended too', async () => {
  const service = await startVoiceService()
  const office = await openOffice(service)
  const lost = String(
    (await service.api.post('/calls', callRequest, { ...office, headers: allowDuplicate })).body.id,
  )
  await service.app.jobs.stop()
  const kept = String(
    (await service.api.post('/calls', callRequest, { ...office, headers: allowDuplicate })).body.id,
  )
  service.engine.lose(lost)
  for (let passed = 0; passed < 90; passed += 5) {
    await pass(service, 5)
    await service.app.lease.renew()
    await service.tick('orphaned calls')
  }
  expect(await shown(service, office, lost)).toMatchObject({ hangup_cause: 'RECOVERY_ON_TIMER_EXPIRE' })
  expect(await shown(service, office, kept)).toMatchObject({ ended_at: null })
  await service.stop()
})

test('a process that lost the database waits before it ends calls of other nodes', async () => {
  const service = await startVoiceService()
  const office = await openOffice(service)
  const id = String(
    (await service.api.post('/calls', callRequest, { ...office, headers: allowDuplicate })).body.id,
  )
  const { lease, jobs } = service.app
  const endOrphans = () => service.tick('orphaned calls')
  await jobs.stop()
  await endOrphans()
  await pass(service, 300)
  expect(await endOrphans()).toBe(0)
  await lease.renew()
  await pass(service, 10)
  await lease.renew()
  expect(await endOrphans()).toBe(0)
  expect((await shown(service, office, id)).ended_at).toBeNull()
  await service.stop()
})

test('events during a database outage are stored when it is back, with their own times', async () => {
  const service = await startVoiceService()
  const office = await openOffice(service)
  const id = String(
    (await service.api.post('/calls', callRequest, { ...office, headers: allowDuplicate })).body.id,
  )
  const { show } = await hideDatabase(service.database.url)

  service.engine.pickUp(id)
  await expect.poll(() => service.timers.waiting()).toBeGreaterThan(0)
  service.clock.advance(1)
  service.engine.answer(id)
  service.clock.advance(8)
  service.engine.hangUpBy(id, 'other')
  const endedAt = service.clock.now().toISOString()
  const operator = createClient(service.url)
  await expect
    .poll(async () => (await operator.get('/ready')).body.waiting)
    .toContain('events of 1 calls wait for the database')
  expect((await service.operator.get('/metrics')).body).toContain('ramal_voice_calls_with_waiting_events 1')
  service.timers.advance(500)
  expect((await service.api.post('/calls', callRequest, { ...office, headers: allowDuplicate })).status).toBe(
    503,
  )

  await show()
  const seen = async () => {
    service.timers.advance(500)
    return await shown(service, office, id)
  }
  await expect
    .poll(seen)
    .toMatchObject({ status: 'completed', duration: 8, ended_at: endedAt, hangup_cause: 'NORMAL_CLEARING' })
  await service.stop()
})

test('stopping refuses new calls, ends the live ones and stores their ends before the database closes', async () => {
  const service = await startVoiceService()
  const office = await openOffice(service)
  const id = String(
    (await service.api.post('/calls', callRequest, { ...office, headers: allowDuplicate })).body.id,
  )
  service.app.voice.node.refuseNewCalls(true)
  const refused = await service.api.post('/calls', callRequest, { ...office, headers: allowDuplicate })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
  expect(
    await service.engine.receive({ from: { extension: office.extension('1000') }, dialled: '48999998888' }),
  ).toEqual({ rejected: 'NORMAL_TEMPORARY_FAILURE' })
  await service.app.stop()
  const client = new pg.Client({ connectionString: service.database.url })
  await client.connect()
  const { rows } = await client.query('select ended_at from calls where id = $1', [id])
  expect(rows[0].ended_at).not.toBeNull()
  expect((await client.query('select state from voice_nodes')).rows).toEqual([{ state: 'stopped' }])
  await client.end()
  await service.database.drop()
})

test('a call is hung up whichever process gets the request', async () => {
  const service = await startVoiceService()
  const office = await openOffice(service)
  const other = await startAnother(service)
  const { id } = (await service.api.post('/calls', callRequest, { ...office, headers: allowDuplicate })).body
  const elsewhere = createClient(`${other.url}${basePath}`)
  expect((await elsewhere.post(`/calls/${id}/hangup`, undefined, office)).status).toBe(200)
  await expect.poll(async () => (await shown(service, office, id)).status).toBe('cancelled')
  expect((await elsewhere.post(`/calls/${id}/hangup`, undefined, office)).status).toBe(404)
  await other.stop()
  await service.stop()
})
