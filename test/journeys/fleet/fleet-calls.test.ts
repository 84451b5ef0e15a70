/** D240: any API process places and hangs up calls for phones at any voice node, as on one machine (D6, D8, D13). */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { claimCalls } from '../../../src/calls/admission/unclaimed-store.ts'
import type { Destination } from '../../../src/engine/port.ts'
import { systemTimers } from '../../../src/kit/timers.ts'
import { createNodes } from '../../../src/nodes/nodes.ts'
import { createRemoteCommands } from '../../../src/voice/fleet/remote-commands.ts'
import { runAs } from '../../helpers/run/test-database.ts'
import { claims, type Fleet, startFleet } from '../../helpers/service/fleet.ts'
import {
  addNode,
  carryOut,
  endClaimTime,
  handCalls,
  movePhone,
  unclaimedTo,
} from '../../helpers/stored/fleet-rows.ts'

let fleet: Fleet
let whole: Fleet['whole']
let office: Fleet['office']
let first: Fleet['first']
let second: Fleet['second']
let node: Fleet['node']
let registerAtNode: Fleet['registerAtNode']
let callOf: Fleet['callOf']
let callTo: Fleet['callTo']
let reserved: Fleet['reserved']
/** The number of an extension whose phone is at the voice node. */
const ofTheNode = '554833335555'

beforeAll(async () => {
  fleet = await startFleet({
    2000: {},
    2001: {},
    2002: {},
    2003: {},
    2004: {},
    2005: {},
    2007: { bina: `+${ofTheNode}` },
    2010: {},
    2011: {},
  })
  ;({ whole, office, first, second, node, registerAtNode, callOf, callTo, reserved } = fleet)
})
afterAll(() => fleet.stop())

/** As if the phone were registered at a node that runs nowhere, with this lease. */
async function registerElsewhere(number: string, id: string, lease: { seconds: number; isLeaving?: true }) {
  const extensionId = await registerAtNode(number)
  await addNode(whole.db, id, {
    leaseSeconds: lease.seconds,
    state: lease.isLeaving ? 'draining' : 'active',
    takesCalls: !lease.isLeaving,
    startedAt: whole.clock.now(),
  })
  await movePhone(whole.db, extensionId, id)
}

/** The node of the phones carries the call, and nobody else. */
function expectAtNode(id: string) {
  expect(node.engine.liveCalls()).toContain(id)
  expect(whole.engine.liveCalls()).not.toContain(id)
}

const called = '5548999998888'

test('a call is placed at one process, rung by the node of the phone, and hung up at another process', async () => {
  await registerAtNode('2000')
  const placed = await first.api.post('/calls', { extension: '2000', called, metadata: { lead: 7 } }, office)
  expect([placed.status, placed.body.message]).toEqual([200, 'successful request'])
  const { id } = placed.body
  await expect.poll(() => callOf(id)).toMatchObject({ status: 'ringing' })
  expectAtNode(id)
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
  await expect.poll(async () => (await callOf(id)).status).toBe('answered')
  const hungUp = await second.api.post(`/calls/${id}/hangup`, undefined, office)
  expect(hungUp.status).toBe(200)
  expect(await callOf(id)).toMatchObject({ status: 'completed', hangup_cause: 'NORMAL_CLEARING' })
  expect((await first.api.post(`/calls/${id}/hangup`, undefined, office)).body.error.code).toBe('CALL_ENDED')
})

test('a process with phones of its own places for those of other nodes too', async () => {
  await registerAtNode('2001')
  const placed = await whole.api.post('/calls', { extension: '2001', called }, office)
  expect(placed.status).toBe(200)
  await expect.poll(() => callOf(placed.body.id)).toMatchObject({ status: 'ringing' })
  expectAtNode(placed.body.id)
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
  expect(await callOf(unanswered)).toMatchObject({ call_type: 'inbound' })
  expect(whole.engine.liveCalls()).toContain(unanswered)
  expect(node.engine.liveCalls()).not.toContain(unanswered)
  whole.engine.end(unanswered, 'NO_ANSWER', 'service')
  await expect.poll(async () => (await callOf(unanswered)).status).toBe('no_answer')

  const talk = await receive()
  whole.engine.ring(talk)
  whole.engine.pickUp(talk)
  expect((await first.api.post(`/calls/${talk}/hangup`, undefined, office)).status).toBe(200)
  await expect.poll(async () => (await callOf(talk)).status).toBe('completed')
  expect(node.engine.liveCalls()).not.toContain(talk)
})

test('a phone at a dead node is not registered, one at a node that is about to stop is refused for a moment', async () => {
  await registerElsewhere('2003', 'dead', { seconds: 0 })
  const dead = await first.api.post('/calls', { extension: '2003', called }, office)
  expect([dead.status, dead.body.error.code]).toEqual([422, 'EXTENSION_NOT_REGISTERED'])
  await registerElsewhere('2004', 'leaving', { seconds: 60, isLeaving: true })
  const leaving = await first.api.post('/calls', { extension: '2004', called }, office)
  expect([leaving.status, leaving.headers.get('retry-after')]).toEqual([503, '5'])
})

test('D502: a draining node carries calls for the phones it still has, of the API and of other nodes', async () => {
  await registerAtNode('2000')
  const nodes = createNodes(whole)
  await nodes.drain(node.app.node.id, true)
  await expect.poll(node.engine.isDraining).toBe(true)
  const placed = await first.api.post('/calls', { extension: '2000', called: '5548999990000' }, office)
  expect(placed.status).toBe(200)
  await expect.poll(() => callOf(placed.body.id)).toMatchObject({ status: 'ringing' })
  expectAtNode(placed.body.id)
  await registerAtNode('2007')
  const from = { trunk: 'carrier', callerId: { number: '5548988887777' } }
  expect(await whole.engine.receive({ from, dialled: ofTheNode })).toMatchObject({
    destination: { extension: office.extension('2007') },
  })
  await nodes.drain(node.app.node.id, false)
  await expect.poll(node.engine.isDraining).toBe(false)
})

test('D502: a call for a phone that moved to another node before it was claimed is rung there', async () => {
  await registerElsewhere('2004', 'left behind', { seconds: 600 })
  const placing = first.api.post('/calls', { extension: '2004', called: '5548999990004' }, office)
  const id = await unclaimedTo(whole.db, '5548999990004')
  await registerAtNode('2004')
  // Claimed by a process that has no such phone, while the directory knows where it is.
  await handCalls(whole.db, { from: 'left behind', to: whole.app.node.id })
  await whole.tick(claims)
  const { status, body } = await placing
  expect([status, body.id]).toEqual([200, id])
  await expect.poll(() => callOf(id)).toMatchObject({ status: 'ringing' })
  expectAtNode(id)
})

test('D501: a call that its node does not claim in time is 503, ends as failed, once, and its credit is released', async () => {
  await registerElsewhere('2005', 'hanging', { seconds: 600 })
  const headers = { 'Idempotency-Key': 'not claimed' }
  const place = () => first.api.post('/calls', { extension: '2005', called }, { ...office, headers })
  const reservedBefore = await reserved()
  const refused = place()
  const id = await unclaimedTo(whole.db, called)
  expect(await reserved()).toBeGreaterThan(reservedBefore)
  await endClaimTime(whole.db)
  const { status, body } = await refused
  expect([status, body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
  await expect.poll(async () => (await callOf(id)).status).toBe('failed')
  expect(await callOf(id)).toMatchObject({ hangup_cause: 'NORMAL_TEMPORARY_FAILURE', call_price: 0 })
  const { data: events } = (await first.api.get('/events?limit=1000', office)).body
  const ends = events.filter((event: { id: string }) => event.id === id)
  expect(ends).toMatchObject([{ eventType: 'channel-hangup' }])
  expect(await reserved()).toBe(reservedBefore)

  // Nothing was done, so the same request may be sent again.
  await registerAtNode('2005')
  const again = await place()
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, null])
  expect(again.body.id).not.toBe(id)
  await expect.poll(() => callOf(again.body.id)).toMatchObject({ status: 'ringing' })
})

test('D501: a call that its node claims late is answered when it is claimed', async () => {
  await registerElsewhere('2005', 'slow', { seconds: 600 })
  const placing = first.api.post('/calls', { extension: '2005', called: '5548999990005' }, office)
  const id = await unclaimedTo(whole.db, '5548999990005')
  const early = await Promise.race([placing, sleep(2_500, 'still waits')])
  expect(early).toBe('still waits')
  await handCalls(whole.db, { from: 'slow', to: node.app.node.id })
  await node.app.jobs.run(claims)
  const { status, body } = await placing
  expect([status, body.id]).toEqual([200, id])
})

test('D501, D557: a call that its node had dialled was taken, although the node stopped before the phone rang', async () => {
  await registerAtNode('2010')
  node.engine.behave(() => [])
  const headers = { 'Idempotency-Key': 'dialled by a node that stopped' }
  const request = { extension: '2010', called: '5548999990006' }
  const place = () => first.api.post('/calls', request, { ...office, headers })
  const dialled = () => node.engine.requests().find(({ destination }) => isTo(destination, request.called))
  const placing = place()
  await expect.poll(dialled).toBeDefined()
  await node.engine.stop()
  node.engine.behave(() => ['rings'])
  expect((await placing).status).toBe(424)
  const ended = await callTo(request.called)
  expect(ended).toMatchObject({ hangup_cause: 'NORMAL_TEMPORARY_FAILURE' })
  const { events } = (await first.api.get(`/calls/${ended.id}/events`, office)).body
  expect(events.map(({ type }: { type: string }) => type)).toEqual(['created', 'ended'])
  const again = await place()
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([424, 'true'])
})

test('D6: a call that rang was placed, although it is over when the process that placed it learns of it', async () => {
  await registerElsewhere('2011', 'elsewhere', { seconds: 600 })
  const request = { extension: '2011', called: '5548999990010' }
  const placing = first.api.post('/calls', request, office)
  const id = await unclaimedTo(whole.db, request.called)
  await carryOut(whole.db, id, whole.clock.now())
  const { status, body } = await placing
  expect([status, body.id]).toEqual([200, id])
})

test('D501, D557: a call that its node claimed and could not dial was not taken: 503, and its key places it again', async () => {
  await registerAtNode('2010')
  const headers = { 'Idempotency-Key': 'claimed and not dialled' }
  const request = { extension: '2010', called: '5548999990007' }
  const place = () => first.api.post('/calls', request, { ...office, headers })
  vi.spyOn(node.engine, 'place').mockImplementationOnce(() => {
    throw new Error('no ports are left')
  })
  const { status, body } = await place()
  expect([status, body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
  const { id } = await callTo(request.called)
  const { events } = (await first.api.get(`/calls/${id}/events`, office)).body
  expect(events.at(-1)).toMatchObject({ cause: 'NORMAL_TEMPORARY_FAILURE', by: 'service' })
  const again = await place()
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, null])
})

test('D563: a key whose call was not taken places it again, though the process could not release the key', async () => {
  await registerAtNode('2010')
  const headers = { 'Idempotency-Key': 'not taken and not released' }
  const place = () =>
    first.api.post('/calls', { extension: '2010', called: '5548999990017' }, { ...office, headers })
  vi.spyOn(node.engine, 'place').mockImplementationOnce(() => {
    throw new Error('no ports are left')
  })
  await runAs(whole.database.url, 'create rule keys_stay as on delete to idempotency_keys do instead nothing')
  expect((await place()).status).toBe(503)
  await runAs(whole.database.url, 'drop rule keys_stay on idempotency_keys')
  expect((await place()).body.error.code).toBe('IDEMPOTENCY_KEY_IN_USE')
  await runAs(whole.database.url, "update idempotency_keys set lease_until = '-infinity'")
  const again = await place()
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, null])
  await expect.poll(() => callOf(again.body.id)).toMatchObject({ status: 'ringing' })
})

test('D227, D501: of a node and a request that nobody waits for one gets the call', async () => {
  await registerElsewhere('2011', 'racing', { seconds: 600 })
  const commands = createRemoteCommands({
    db: whole.db,
    timers: systemTimers,
    notices: { listen() {} },
    callNotices: { toNode() {} },
    process: 'of this test',
    answerWithinMs: 100,
  })
  const giveUp = (id: string) => commands.place({ id, node: 'racing' }, { isWanted: () => false })
  const place = async (number: string) => {
    const answer = first.api.post('/calls', { extension: '2011', called: number }, office)
    return { answer, id: await unclaimedTo(whole.db, number) }
  }
  const withdrawn = await place('5548999990008')
  expect(await giveUp(withdrawn.id)).toBe('not taken')
  expect(await claimCalls(whole.db, 'racing')).toEqual([])
  expect((await withdrawn.answer).status).toBe(503)
  await expect.poll(async () => (await callOf(withdrawn.id)).status).toBe('cancelled')
  expect(await callOf(withdrawn.id)).toMatchObject({ hangup_cause: 'ORIGINATOR_CANCEL', call_price: 0 })

  const claimed = await place('5548999990009')
  expect(await claimCalls(whole.db, 'racing')).toMatchObject([{ callId: claimed.id, isHungUp: false }])
  expect(await giveUp(claimed.id)).toBeUndefined()
  expect((await claimed.answer).status).toBe(200)
})

const isTo = (destination: Destination, number: string) =>
  'number' in destination && destination.number === number
