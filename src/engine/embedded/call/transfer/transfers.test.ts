/** D282: transfers by REFER and by the host. */
import { expect, test } from 'vitest'
import { callRequest, description } from '../testing/stage.ts'
import { ok, second, talk } from '../testing/talk.ts'

test('a phone transfers: the new party is dialled, then takes its place, and both calls end together', async () => {
  const { refer, leg, progress, admitted, settle, sound, events, endOf, calls } = await talk()
  expect(await refer(0)).toBe(202)
  expect(admitted).toEqual([
    { from: { extension: callRequest.extension }, dialled: '1001', transferOf: callRequest.callId },
  ])
  leg(2).listener.onProgress(180, undefined)
  expect(sound.at(-1)).toBe('425 Hz to other')
  leg(2).listener.onAnswered(description(7000), ok)
  await settle()
  expect(progress).toEqual([180, 200])
  expect(leg(0).said.join()).toContain('cancel')
  expect(sound).toContain('extension at 20000 speaks PCMA and PCMU and G722 and opus')
  expect(events.filter(({ type }) => type === 'transferred')).toMatchObject([
    { callId: callRequest.callId, to: second.callId },
  ])
  leg(1).listener.onEnded({ why: 'bye' })
  await settle()
  expect(leg(2).said.join()).toContain('cancel')
  expect([endOf(callRequest.callId), endOf(second.callId)]).toMatchObject([
    [{ cause: 'NORMAL_CLEARING', by: 'other' }],
    [{ cause: 'NORMAL_CLEARING' }],
  ])
  expect(calls.size).toBe(0)
})

test('the end of the new party ends the first call as well, once', async () => {
  const { refer, leg, settle, endOf } = await talk()
  await refer(0)
  leg(2).listener.onAnswered(description(7000), ok)
  await settle()
  leg(2).listener.onEnded({ why: 'bye' })
  await settle()
  expect([endOf(callRequest.callId).length, endOf(second.callId).length]).toEqual([1, 1])
  expect(leg(1).said.join()).toContain('cancel')
})

test('a new party that refuses leaves the call as it was', async () => {
  const { refer, leg, progress, settle, sound, endOf } = await talk()
  await refer(0)
  expect(await refer(0)).toBe(491)
  leg(2).listener.onFailed({ status: 486, why: 'refused' })
  await settle()
  expect(progress).toEqual([486])
  expect(sound.at(-1)).toBe('no tone to other')
  expect([endOf(callRequest.callId).length, endOf(second.callId).length]).toEqual([0, 1])
  expect(leg(0).said).toEqual([])
})

test('a phone that hung up after its REFER does not end the call, unless the new party refuses', async () => {
  const { refer, leg, settle, endOf } = await talk()
  await refer(0)
  leg(0).listener.onEnded({ why: 'bye' })
  await settle()
  expect(endOf(callRequest.callId)).toEqual([])
  leg(2).listener.onFailed({ status: 486, why: 'refused' })
  await settle()
  expect(endOf(callRequest.callId)).toMatchObject([{ cause: 'USER_BUSY' }])
})

test('a transfer that the host rejects, and one that the other side overtakes by hanging up, dial nobody', async () => {
  const rejected = await talk(() => ({ rejected: 'OUTGOING_CALL_BARRED' }))
  expect(await rejected.refer(0)).toBe(202)
  expect([rejected.progress, rejected.outgoing.length]).toEqual([[403], 2])
  const overtaken = await talk()
  await overtaken.refer(0)
  overtaken.leg(1).listener.onEnded({ why: 'bye' })
  await overtaken.settle()
  expect(overtaken.leg(2).said.join()).toContain('cancel')
  expect([overtaken.endOf(callRequest.callId).length, overtaken.endOf(second.callId).length]).toEqual([1, 1])
})

test('a carrier may not transfer', async () => {
  const { refer, admitted } = await talk()
  expect(await refer(1)).toBe(603)
  expect(admitted).toEqual([])
})

test('with Replaces the other sides of two calls of the extension are connected', async () => {
  const { refer, place, leg, progress, timers, settle, events, endOf } = await talk()
  expect(await refer(0, 'unknown')).toBe(603)
  await place(second.callId)
  // The legs of the stage share one Call-ID, and the first call is found first: REFER on the second.
  expect(await refer(2, 'leg')).toBe(202)
  timers.advance(0)
  await settle()
  expect(progress).toEqual([200])
  for (const transferor of [0, 2]) expect(leg(transferor).said.join()).toContain('cancel')
  expect(events.filter(({ type }) => type === 'transferred')).toMatchObject([
    { callId: second.callId, to: callRequest.callId },
  ])
  leg(1).listener.onEnded({ why: 'bye' })
  await settle()
  expect(leg(3).said.join()).toContain('cancel')
  expect([endOf(callRequest.callId).length, endOf(second.callId).length]).toEqual([1, 1])
})

test('D345: one of the two may be a call of another node', async () => {
  const { refer, place, timers, settle, events, calls, relayed } = await talk()
  relayed.push(...calls.values())
  calls.clear()
  await place(second.callId)
  expect(await refer(2, 'leg')).toBe(202)
  timers.advance(0)
  await settle()
  expect(events.filter(({ type }) => type === 'transferred')).toMatchObject([
    { callId: second.callId, to: callRequest.callId },
  ])
})

test('the host transfers a call again: the second call ends, the first goes on with the third', async () => {
  const { transfers, leg, settle, endOf } = await talk()
  expect(transfers.transfer(callRequest.callId, second)).toBe(true)
  await settle()
  leg(2).listener.onAnswered(description(7000), ok)
  await settle()
  const third = { ...second, callId: '019a0000-0000-7000-8000-000000000003' }
  expect(transfers.transfer(callRequest.callId, third)).toBe(true)
  await settle()
  leg(3).listener.onAnswered(description(7100), ok)
  await settle()
  expect([endOf(callRequest.callId).length, endOf(second.callId).length]).toEqual([0, 1])
  leg(3).listener.onEnded({ why: 'bye' })
  await settle()
  expect([endOf(callRequest.callId).length, endOf(third.callId).length]).toEqual([1, 1])
  expect(transfers.transfer(callRequest.callId, second)).toBe(false)
})
