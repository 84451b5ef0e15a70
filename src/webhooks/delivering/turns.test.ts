import { expect, test } from 'vitest'
import { createTestTimers } from '../../kit/testing/test-timers.ts'
import { createLanes } from './lanes.ts'
import { createTurns } from './turns.ts'

test('a webhook is asked once at a time, also one that had a backlog a moment ago', () => {
  const timers = createTestTimers()
  const turns = createTurns(createLanes({ timers, clock: { now: () => new Date(timers.now()) } }))
  turns.add([7])
  const [first] = turns.next()
  turns.note(7, first?.room ?? 0, first?.room ?? 0)
  const [again] = turns.next()
  // Told of while it is asked, and there is nothing left when the answer comes.
  turns.add([7])
  turns.note(7, again?.room ?? 0, 0)
  turns.add([7])
  expect(turns.next().map(({ id }) => id)).toEqual([7])
  expect(turns.next()).toEqual([])
})
