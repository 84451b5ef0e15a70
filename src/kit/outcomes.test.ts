import { expect, test } from 'vitest'
import { createOutcomes } from './outcomes.ts'

function create() {
  let now = 0
  const outcomes = createOutcomes({ now: () => now })
  return {
    ...outcomes,
    pass: (ms: number) => {
      now += ms
    },
  }
}

test('nothing is known before the first attempt, and ten minutes after the last', () => {
  const { record, health, pass } = create()
  expect(health()).toBeUndefined()
  record(true)
  pass(600_000)
  expect(health()).toBe('working')
  pass(1)
  expect(health()).toBeUndefined()
})

test('three failures in a row are failing, one or two prove nothing, one success is working again', () => {
  const { record, health } = create()
  const after = (succeeded: boolean) => {
    record(succeeded)
    return health()
  }
  expect([true, false, false, false, false, true].map(after)).toEqual([
    'working',
    undefined,
    undefined,
    'failing',
    'failing',
    'working',
  ])
})

test('a promise that is watched keeps its result and its error', async () => {
  const { watch, health } = create()
  expect(await watch(Promise.resolve(7))).toBe(7)
  expect(health()).toBe('working')
  await expect(watch(Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(health()).toBeUndefined()
})
