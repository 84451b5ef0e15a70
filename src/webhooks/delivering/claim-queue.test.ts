import { expect, test } from 'vitest'
import { createTestTimers } from '../../kit/testing/test-timers.ts'
import { createLanes } from './lanes.ts'
import { createTurns } from './claim-queue.ts'

test('a webhook is asked once at a time, also one that had a backlog a moment ago', () => {
  const timers = createTestTimers()
  const turns = createTurns(createLanes({ timers, clock: { now: () => new Date(timers.now()) } }))
  turns.add([7])
  for (const turn of turns.next()) turns.note(turn, turn.room)
  const again = turns.next()
  // Told of while it is asked, and there is nothing left when the answer comes.
  turns.add([7])
  for (const turn of again) turns.note(turn, 0)
  turns.add([7])
  expect(turns.next().map(({ id }) => id)).toEqual([7])
  expect(turns.next()).toEqual([])
})

test('one that keeps up is not taken for one that does not when others left it little room', () => {
  const timers = createTestTimers()
  const lanes = createLanes({ timers, clock: { now: () => new Date(timers.now()) }, mostFresh: 20 })
  const answer = (id: number) => lanes.end(lanes.begin(lanes.of(id)), { ok: true })
  for (let times = 0; times < 5; times++) for (const id of [1, 2]) answer(id)
  const turns = createTurns(lanes)
  turns.add([1])
  for (const turn of turns.next()) turns.note(turn, turn.room)
  // All but two places are taken.
  for (let place = 0; place < 18; place++) lanes.begin(lanes.of(3))
  turns.add([2])
  const [cut] = turns.next()
  expect(cut).toEqual({ id: 2, room: 2, telling: false })
  if (cut) turns.note(cut, 2)
  expect(turns.next().map(({ id }) => id)).toEqual([2])
})
