import { expect, test } from 'vitest'
import { createTestClock } from '../../../test/helpers/run/test-clock.ts'
import { createTestTimers } from '../../kit/testing/test-timers.ts'
import { createClaimQueue } from './claim-queue.ts'
import { createLanes } from './lanes.ts'

function start(limits: { maxRecent?: number; maxUnproven?: number } = {}) {
  const timers = createTestTimers()
  const clock = createTestClock()
  const lanes = createLanes({ timers, clock, ...limits })
  const capacity = (id: number) => lanes.capacityOf(lanes.of(id))
  const acquireAll = (id: number) => Array.from({ length: capacity(id) }, () => lanes.acquire(lanes.of(id)))
  const attempt = (id: number, ok: boolean, ms = 10) => {
    const slot = lanes.acquire(lanes.of(id))
    timers.advance(ms)
    lanes.release(slot, { ok })
  }
  return { timers, clock, lanes, acquireAll, attempt, capacity }
}

test('a lane widens while its webhook answers promptly, to 32', () => {
  const { attempt, capacity } = start()
  const widths = [capacity(1)]
  for (let times = 0; times < 7; times++) {
    attempt(1, true)
    widths.push(capacity(1))
  }
  expect(widths).toEqual([2, 4, 8, 16, 32, 32, 32, 32])
})

test('and not beyond 16 while it answers slowly', () => {
  const { attempt, capacity } = start()
  for (let times = 0; times < 30; times++) attempt(1, true, 3_000)
  expect(capacity(1)).toBe(16)
})

test('after five failures in a row it is paused, for longer each time, then one attempt is made', () => {
  const { attempt, capacity, clock } = start()
  for (let times = 0; times < 5; times++) attempt(1, false)
  expect(capacity(1)).toBe(0)
  clock.advance(5)
  expect(capacity(1)).toBe(1)
  attempt(1, false)
  clock.advance(5)
  expect(capacity(1)).toBe(0)
  clock.advance(5)
  expect(capacity(1)).toBe(1)
  for (let times = 0; times < 20; times++) attempt(1, false)
  clock.advance(60)
  attempt(1, true)
  expect(capacity(1)).toBeGreaterThan(1)
})

test('a receiver that asks for a pause gets it', () => {
  const { lanes, capacity, clock } = start()
  lanes.release(lanes.acquire(lanes.of(1)), { ok: false, pauseMs: 30_000 })
  expect(capacity(1)).toBe(0)
  clock.advance(30)
  expect(capacity(1)).toBeGreaterThan(0)
})

test('a webhook whose answers must be cut off is sent one at a time, with a pause after each (D126)', () => {
  const { lanes, clock, attempt, capacity } = start()
  for (let times = 0; times < 5; times++) attempt(1, true)
  lanes.release(lanes.acquire(lanes.of(1)), { ok: true, overlong: true })
  expect(capacity(1)).toBe(0)
  clock.advance(0.2)
  expect(capacity(1)).toBe(1)
  attempt(1, true)
  expect(capacity(1)).toBeGreaterThan(1)
})

test('a clock that is set back does not prolong a pause', () => {
  const { attempt, capacity, clock } = start()
  for (let times = 0; times < 5; times++) attempt(1, false)
  clock.advance(-3600)
  expect(capacity(1)).toBe(1)
})

test('webhooks not known to be fast leave capacity to those that are; slow attempts soon stop counting', () => {
  const { lanes, timers, acquireAll, attempt } = start({ maxRecent: 20, maxUnproven: 8 })
  attempt(99, true)
  const queue = createClaimQueue(lanes)
  queue.add([1, 2, 3, 4, 5, 6, 99])
  const requests = queue.next()
  const unproven = requests.filter(({ integrationId }) => integrationId !== 99)
  expect(unproven.reduce((sum, { limit }) => sum + limit, 0)).toBe(8)
  expect(requests.find(({ integrationId }) => integrationId === 99)?.limit).toBe(4)
  for (const id of [1, 2, 3, 4]) acquireAll(id)
  expect(lanes.freeCapacity()).toEqual({ all: 12, unproven: 0 })
  timers.advance(1_000)
  lanes.markSlow()
  expect(lanes.freeCapacity()).toEqual({ all: 20, unproven: 8 })
  expect(lanes.inFlight()).toBe(8)
})

test('webhooks with a backlog take turns behind those with new events', () => {
  const { lanes, attempt } = start({ maxRecent: 16 })
  for (const id of [1, 2, 3]) attempt(id, true)
  const queue = createClaimQueue(lanes)
  queue.add([1, 2])
  for (const request of queue.next()) queue.record(request, request.limit)
  queue.add([1, 2, 3])
  expect(queue.next().map(({ integrationId }) => integrationId)).toEqual([3, 1, 2])
})
