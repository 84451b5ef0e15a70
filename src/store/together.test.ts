import { expect, test } from 'vitest'
import { createTogether } from './together.ts'

test('those who ask at once, and those who come meanwhile, are served together', async () => {
  const served: number[][] = []
  const ask = createTogether<number, number>(async (items) => {
    served.push(items)
    await new Promise(setImmediate)
    return items.map((item) => item * 10)
  })
  const first = [1, 2, 3].map(ask)
  await new Promise(setImmediate)
  expect(await Promise.all([...first, ...[4, 5].map(ask)])).toEqual([10, 20, 30, 40, 50])
  expect(served).toEqual([
    [1, 2, 3],
    [4, 5],
  ])
})

test('one that is refused fails alone', async () => {
  const ask = createTogether<number, number>(async (items) => {
    if (items.includes(2)) throw new RangeError('two')
    return items
  })
  const outcomes = await Promise.allSettled([1, 2, 3].map(ask))
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('when the way to the database is broken all are told, and none tries alone', async () => {
  let tries = 0
  const ask = createTogether<number, number>(async () => {
    tries += 1
    throw new Error('Connection terminated unexpectedly')
  })
  const outcomes = await Promise.allSettled([1, 2, 3].map(ask))
  expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
  expect(tries).toBe(1)
})
