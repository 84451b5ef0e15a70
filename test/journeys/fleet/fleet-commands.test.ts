/** Transfers and keys are carried out by the node of the call, whichever process was asked, and also when notices are lost. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claims, type Fleet, startFleet } from '../../helpers/service/fleet.ts'
import { endClaimTime, hangupIsAsked, unclaimedTo } from '../../helpers/stored/fleet-rows.ts'

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

beforeAll(async () => {
  fleet = await startFleet({ 2006: {}, 2008: {}, 2009: {} })
  ;({ whole, office, first, second, node, registerAtNode, callOf, callTo, reserved } = fleet)
})
afterAll(() => fleet.stop())

/** An answered call of an extension whose phone is at the voice node. */
async function talk(extension: string, to: string): Promise<string> {
  const { status, body } = await first.api.post('/calls', { extension, called: to }, office)
  expect(status).toBe(200)
  node.engine.pickUp(body.id)
  node.engine.answer(body.id)
  await expect.poll(async () => (await callOf(body.id)).status).toBe('answered')
  return body.id
}
const transfer = (id: string, to: string) => second.api.post(`/calls/${id}/transfer`, { to }, office)
/** The side that ended a call, as its timeline says. */
async function endedBy(id: string): Promise<string | undefined> {
  const { events } = (await first.api.get(`/calls/${id}/events`, office)).body
  return events.at(-1).by
}

test('D282: a call of another process is transferred by its node, which answers once it dials the second call', async () => {
  await registerAtNode('2008')
  const id = await talk('2008', '5548999990010')
  const { status, body } = await transfer(id, '5548999990011')
  expect([status, body.id]).toEqual([200, id])
  expect(await callOf(body.transferId)).toMatchObject({ to: '5548999990011', ended_at: null })
  expect(node.engine.liveCalls()).toContain(body.transferId)

  // The extension has two calls: the node, which counts them, refuses a third.
  const reservedBefore = await reserved()
  const beyond = await transfer(id, '5548999990012')
  expect([beyond.status, beyond.body.error.code]).toEqual([424, 'CALL_FAILED'])
  const refused = await callTo('5548999990012')
  expect(refused).toMatchObject({ hangup_cause: 'NORMAL_CIRCUIT_CONGESTION' })
  expect(await endedBy(refused.id)).toBe('service')
  expect(await reserved()).toBe(reservedBefore)

  node.engine.answer(body.transferId)
  await expect.poll(async () => (await callOf(body.transferId)).status).toBe('answered')
  node.engine.end(id, 'NORMAL_CLEARING', 'other')
  await expect.poll(async () => (await callOf(id)).status).toBe('completed')
  const transferred = { status: 'completed', transferred_from: id }
  await expect.poll(() => callOf(body.transferId)).toMatchObject(transferred)
})

test('D282: a transfer of a call that is over at its node is refused, and the second call has ended, free', async () => {
  const id = await talk('2008', '5548999990013')
  node.engine.lose(id)
  const reservedBefore = await reserved()
  const { status, body } = await transfer(id, '5548999990014')
  expect([status, body.error.code]).toEqual([409, 'CALL_NOT_TRANSFERABLE'])
  const refused = await callTo('5548999990014')
  expect(refused).toMatchObject({ hangup_cause: 'NORMAL_TEMPORARY_FAILURE', call_price: 0 })
  expect(await endedBy(refused.id)).toBe('service')
  expect(await reserved()).toBe(reservedBefore)
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
  await fleet.loseNotices()
  const place = (number: string) => first.api.post('/calls', { extension: '2006', called: number }, office)
  const claim = () => node.app.jobs.run(claims)

  const rung = place('5548999990001')
  await unclaimedTo(whole.db, '5548999990001')
  await claim()
  const { status, body } = await rung
  expect(status).toBe(200)
  await expect.poll(async () => (await callOf(body.id)).status).toBe('ringing')

  const abandoned = place('5548999990002')
  const id = await unclaimedTo(whole.db, '5548999990002')
  const hangUp = second.api.post(`/calls/${id}/hangup`, undefined, office)
  await hangupIsAsked(whole.db, '5548999990002')
  await claim()
  expect((await hangUp).status).toBe(200)
  await abandoned
  await expect.poll(async () => (await callOf(id)).status).toBe('cancelled')
  expect(node.engine.requests().map(({ callId }) => callId)).not.toContain(id)
})

test('without any notice a transfer is claimed by the poll, and keys are refused as not answered', async () => {
  await registerAtNode('2009')
  const rung = first.api.post('/calls', { extension: '2009', called: '5548999990016' }, office)
  const claim = () => node.app.jobs.run(claims)
  await unclaimedTo(whole.db, '5548999990016')
  await claim()
  const { id } = (await rung).body
  node.engine.pickUp(id)
  node.engine.answer(id)
  await expect.poll(async () => (await callOf(id)).status).toBe('answered')

  const keys = await second.api.post(`/calls/${id}/dtmf`, { digits: '1' }, office)
  expect([keys.status, keys.headers.get('retry-after')]).toEqual([503, '5'])

  const transferring = transfer(id, '5548999990017')
  await unclaimedTo(whole.db, '5548999990017')
  await claim()
  const { status, body } = await transferring
  expect(status).toBe(200)
  expect(node.engine.liveCalls()).toContain(body.transferId)

  const late = transfer(id, '5548999990018')
  await unclaimedTo(whole.db, '5548999990018')
  await endClaimTime(whole.db)
  const unclaimed = await late
  expect([unclaimed.status, unclaimed.body.error.code]).toEqual([409, 'CALL_NOT_TRANSFERABLE'])
})
