import { expect, test } from 'vitest'
import { createTestClock } from '../../../test/helpers/test-clock.ts'
import { createTestTimers } from '../../kit/testing/test-timers.ts'
import { createLanes } from './lanes.ts'
import { createTurns } from './claim-queue.ts'

function start(limits = {}) {
  const timers = createTestTimers()
  const clock = createTestClock()
  const lanes = createLanes({ timers, clock, ...limits })
  const beginAll = (id: number) =>
    Array.from({ length: lanes.roomOf(lanes.of(id)) }, () => lanes.begin(lanes.of(id)))
  const finish = (id: number, ok: boolean, ms = 10) => {
    const flight = lanes.begin(lanes.of(id))
    timers.advance(ms)
    lanes.end(flight, { ok })
  }
  return { timers, clock, lanes, beginAll, finish, room: (id: number) => lanes.roomOf(lanes.of(id)) }
}

test('a lane widens while its webhook answers promptly, to 32', () => {
  const { finish, room } = start()
  const widths = [room(1)]
  for (let times = 0; times < 7; times++) {
    finish(1, true)
    widths.push(room(1))
  }
  expect(widths).toEqual([2, 4, 8, 16, 32, 32, 32, 32])
})

test('and not beyond 16 while it answers slowly', () => {
  const { finish, room } = start()
  for (let times = 0; times < 30; times++) finish(1, true, 3_000)
  expect(room(1)).toBe(16)
})

test('after five failures in a row it rests, for longer each time, then one attempt is made', () => {
  const { finish, room, clock } = start()
  for (let times = 0; times < 5; times++) finish(1, false)
  expect(room(1)).toBe(0)
  clock.advance(5)
  expect(room(1)).toBe(1)
  finish(1, false)
  clock.advance(5)
  expect(room(1)).toBe(0)
  clock.advance(5)
  expect(room(1)).toBe(1)
  for (let times = 0; times < 20; times++) finish(1, false)
  clock.advance(60)
  finish(1, true)
  expect(room(1)).toBeGreaterThan(1)
})

test('one that asks for a rest gets it', () => {
  const { lanes, room, clock } = start()
  lanes.end(lanes.begin(lanes.of(1)), { ok: false, restMs: 30_000 })
  expect(room(1)).toBe(0)
  clock.advance(30)
  expect(room(1)).toBeGreaterThan(0)
})

test('one whose answers must be cut off is sent one at a time, with a pause after each (D126)', () => {
  const { lanes, clock, finish, room } = start()
  for (let times = 0; times < 5; times++) finish(1, true)
  lanes.end(lanes.begin(lanes.of(1)), { ok: true, overlong: true })
  expect(room(1)).toBe(0)
  clock.advance(0.2)
  expect(room(1)).toBe(1)
  finish(1, true)
  expect(room(1)).toBeGreaterThan(1)
})

test('a clock that is set back does not make a rest last', () => {
  const { finish, room, clock } = start()
  for (let times = 0; times < 5; times++) finish(1, false)
  clock.advance(-3600)
  expect(room(1)).toBe(1)
})

test('those not known to be quick leave room to those that are; the slow are soon no longer counted', () => {
  const { lanes, timers, beginAll, finish } = start({ mostFresh: 20, mostUnsure: 8 })
  finish(99, true)
  const turns = createTurns(lanes)
  turns.add([1, 2, 3, 4, 5, 6, 99])
  const rooms = turns.next()
  expect(rooms.reduce((sum, { id, room }) => sum + (id === 99 ? 0 : room), 0)).toBe(8)
  expect(rooms.find(({ id }) => id === 99)?.room).toBe(4)
  for (const id of [1, 2, 3, 4]) beginAll(id)
  expect(lanes.free()).toEqual({ all: 12, unsure: 0 })
  timers.advance(1_000)
  lanes.look()
  expect(lanes.free()).toEqual({ all: 20, unsure: 8 })
  expect(lanes.underWay()).toBe(8)
})

test('those with a backlog take turns behind those just told of', () => {
  const { lanes, finish } = start({ mostFresh: 16 })
  for (const id of [1, 2, 3]) finish(id, true)
  const turns = createTurns(lanes)
  turns.add([1, 2])
  for (const turn of turns.next()) turns.note(turn, turn.room)
  turns.add([1, 2, 3])
  expect(turns.next().map(({ id }) => id)).toEqual([3, 1, 2])
})
