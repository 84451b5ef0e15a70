import { expect, test } from 'vitest'
import type { Outcome } from './simulate-process.ts'
import { findSmallerRun } from './smaller-replay.ts'

/** A run that shows its violation from so many calls on. */
function failingFrom(needed: number) {
  const tried: number[] = []
  async function simulate(calls: number) {
    tried.push(calls)
    const found = calls < needed ? [] : [{ check: 'one end', text: 'two ends' }]
    return { calls, found, replay: `--calls ${calls}` } as unknown as Outcome
  }
  return { tried, simulate }
}

test('D555: the run with the fewest calls that has a violation too is found', async () => {
  const { tried, simulate } = failingFrom(300)
  expect((await findSmallerRun({ calls: 10_000 }, simulate))?.replay).toBe('--calls 400')
  expect(tried).toEqual([100, 400])
})

test('D555: a violation that needs all calls is reported with all of them', async () => {
  const { tried, simulate } = failingFrom(1_000)
  expect(await findSmallerRun({ calls: 1_000 }, simulate)).toBeUndefined()
  expect(tried).toEqual([100, 400])
})
