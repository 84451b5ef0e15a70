import { expect, test } from 'vitest'
import { createTestTimers } from '../../kit/testing/test-timers.ts'
import { createClaimQueue } from './claim-queue.ts'
import { createLanes } from './lanes.ts'

test('a webhook is claimed for once at a time, also one that had a backlog a moment ago', () => {
  const timers = createTestTimers()
  const queue = createClaimQueue(createLanes({ timers, clock: { now: () => new Date(timers.now()) } }))
  queue.add([7])
  for (const request of queue.next()) queue.record(request, request.limit)
  const again = queue.next()
  // Added while the claim runs, which then finds nothing left.
  queue.add([7])
  for (const request of again) queue.record(request, 0)
  queue.add([7])
  expect(queue.next().map(({ integrationId }) => integrationId)).toEqual([7])
  expect(queue.next()).toEqual([])
})

test('a webhook that keeps up is not treated as backlogged when others left it little capacity', () => {
  const timers = createTestTimers()
  const lanes = createLanes({ timers, clock: { now: () => new Date(timers.now()) }, maxRecent: 20 })
  const succeed = (id: number) => lanes.release(lanes.acquire(lanes.of(id)), { ok: true })
  for (let times = 0; times < 5; times++) for (const id of [1, 2]) succeed(id)
  const queue = createClaimQueue(lanes)
  queue.add([1])
  for (const request of queue.next()) queue.record(request, request.limit)
  // All but two slots are taken.
  for (let slot = 0; slot < 18; slot++) lanes.acquire(lanes.of(3))
  queue.add([2])
  const [short] = queue.next()
  expect(short).toEqual({ integrationId: 2, limit: 2, provesBacklog: false })
  if (short) queue.record(short, 2)
  expect(queue.next().map(({ integrationId }) => integrationId)).toEqual([2])
})

test('webhooks not known to be fast get no more than what fast ones have left of the capacity', () => {
  const timers = createTestTimers()
  const limits = { maxRecent: 12, maxUnproven: 6 }
  const lanes = createLanes({ timers, clock: { now: () => new Date(timers.now()) }, ...limits })
  for (const id of [1, 2, 3])
    for (let times = 0; times < 4; times++) lanes.release(lanes.acquire(lanes.of(id)), { ok: true })
  const queue = createClaimQueue(lanes)
  queue.add([1, 2, 3, 4])
  const requests = queue.next()
  expect(requests.reduce((sum, { limit }) => sum + limit, 0)).toBe(limits.maxRecent)
  lanes.acquire(lanes.of(9))
  queue.add([1, 2, 4, 5])
  expect(queue.next().reduce((sum, { limit }) => sum + limit, 0)).toBe(limits.maxRecent - 1)
})

test('webhooks that wait because the process has no free place are behind; those whose own lane is full are not (D625)', () => {
  const timers = createTestTimers()
  const lanes = createLanes({ timers, clock: { now: () => new Date(timers.now()) }, maxRecent: 3 })
  const queue = createClaimQueue(lanes)
  for (let slot = 0; slot < 2; slot++) lanes.acquire(lanes.of(1))
  queue.add([1])
  expect([queue.next(), queue.isBehind()]).toEqual([[], false])
  const last = lanes.acquire(lanes.of(2))
  queue.add([3])
  expect([queue.next(), queue.isBehind()]).toEqual([[], true])
  lanes.release(last, { ok: true })
  expect(queue.next()).toHaveLength(1)
  expect(queue.isBehind()).toBe(false)
})
