import { expect, test } from 'vitest'
import { createTestTimers } from '../../kit/testing/test-timers.ts'
import type { CallEnd } from '../endpoint/call/endpoint-call.ts'
import type { IncomingCall } from '../endpoint/call/incoming-call.ts'
import { runScenario } from './run-scenario.ts'
import { scenarioFor, scenarios } from './scenarios.ts'

/** A call that writes down what is done to it. */
function createWitness() {
  const timers = createTestTimers()
  const done: string[] = []
  const { promise: ended, resolve } = Promise.withResolvers<CallEnd>()
  const note = (what: string) => void done.push(`${timers.now() / 1000} ${what}`)
  const over = () => resolve({ why: 'they gave up', heard: undefined })
  const call: IncomingCall = {
    ended,
    ring: () => note('ring'),
    early: async () => note('early'),
    answer: async () => {
      note('answer')
      return true
    },
    press: (keys) => note(`press ${keys}`),
    hold: async (on) => note(on ? 'hold' : 'resume'),
    hangUp: () => note('hang up'),
    refuse: (status, headers) => note(`${status} ${headers?.[0]?.[1]}`),
    heard: () => undefined,
  }
  async function pass(seconds: number) {
    for (let second = 0; second < seconds; second += 1) {
      await settle()
      timers.advance(1000)
      await settle()
    }
  }
  return { timers, done, call, over, pass }
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

test.each([
  ['5511987654321', ['0 ring', '2 answer']],
  ['+5511987654321', ['0 ring', '2 answer']],
  ['5511999990001', ['0 ring', '180 480 Q.850;cause=19']],
  ['5511999990002', ['0 486 Q.850;cause=17']],
  ['5511999990003', ['0 603 Q.850;cause=21']],
  ['011999990004', ['0 404 Q.850;cause=1']],
  ['5511999990005', ['0 503 Q.850;cause=34']],
  ['5511999990006', ['0 early', '2 answer']],
  ['5511999990007', ['0 ring', '2 answer']],
  ['5511999990008', ['0 ring', '2 answer', '10 hang up']],
  ['5511999990009', ['0 answer']],
  ['5511999990010', ['0 early', '2 486 Q.850;cause=17']],
  ['5511999990011', ['0 ring', '2 answer', '3 press 1234']],
  ['5511999990012', ['0 ring', '2 answer', '4 hold', '6 resume']],
  ['5511999990130', ['0 ring', '2 answer', '32 hang up']],
  ['5511999990205', ['0 ring', '5 answer']],
  ['190', ['0 484 Q.850;cause=28']],
  ['anna', ['0 484 Q.850;cause=28']],
])('%s: %j', async (dialled, wanted) => {
  const { timers, done, call, pass } = createWitness()
  const running = runScenario(scenarioFor(dialled).steps, call, timers)
  await pass(181)
  await running
  expect(done).toEqual(wanted)
})

test('a call that is over is left alone', async () => {
  const { timers, done, call, over, pass } = createWitness()
  const running = runScenario(scenarioFor('5511999990001').steps, call, timers)
  await pass(1)
  over()
  await running
  expect(timers.waiting()).toBe(0)
  expect(done).toEqual(['0 ring'])
})

test('every ending is listed once, with words (D119)', () => {
  expect(new Set(scenarios.map(({ ending }) => ending)).size).toBe(scenarios.length)
  expect(scenarios.every(({ ending, about }) => ending.length === 4 && about !== '')).toBe(true)
})
