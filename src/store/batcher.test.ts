import { expect, test } from 'vitest'
import { createBatcher } from './batcher.ts'

test('items that arrive together, or while a statement runs, are served by one statement', async () => {
  const batches: number[][] = []
  const multiply = createBatcher<number, number>(async (items) => {
    batches.push(items)
    await new Promise(setImmediate)
    return items.map((item) => item * 10)
  })
  const first = [1, 2, 3].map(multiply)
  await new Promise(setImmediate)
  expect(await Promise.all([...first, ...[4, 5].map(multiply)])).toEqual([10, 20, 30, 40, 50])
  expect(batches).toEqual([
    [1, 2, 3],
    [4, 5],
  ])
})

test('an item that is refused fails alone', async () => {
  const store = createBatcher<number, number>(async (items) => {
    if (items.includes(2)) throw new RangeError('two')
    return items
  })
  const results = await Promise.allSettled([1, 2, 3].map(store))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('when the connection to the database breaks, the whole batch fails and is not split', async () => {
  let statements = 0
  const store = createBatcher<number, number>(async () => {
    statements += 1
    throw new Error('Connection terminated unexpectedly')
  })
  const results = await Promise.allSettled([1, 2, 3].map(store))
  expect(results.every(({ status }) => status === 'rejected')).toBe(true)
  expect(statements).toBe(1)
})

/** A batcher whose statements run until `finish`. */
function openSlowly(options: { itemsPerStatement?: number; slowMs?: number }) {
  const batches: number[][] = []
  const { promise, resolve: finish } = Promise.withResolvers<void>()
  const store = createBatcher<number, number>(async (items) => {
    batches.push(items)
    await promise
    return items
  }, options)
  return { store, batches, finish }
}

test('another statement starts beside the running one once enough items wait', async () => {
  const { store, batches, finish } = openSlowly({ itemsPerStatement: 3, slowMs: Number.POSITIVE_INFINITY })
  const stored = [store(1)]
  await new Promise(setImmediate)
  stored.push(...[2, 3, 4].map(store))
  await new Promise(setImmediate)
  expect(batches).toEqual([[1]])
  stored.push(store(5))
  await new Promise(setImmediate)
  expect(batches).toEqual([[1], [2, 3, 4, 5]])
  finish()
  expect(await Promise.all(stored)).toEqual([1, 2, 3, 4, 5])
})

test('another statement starts beside one that takes long', async () => {
  const { store, batches, finish } = openSlowly({ slowMs: 0 })
  const stored = [store(1)]
  await new Promise(setImmediate)
  stored.push(store(2))
  await new Promise(setImmediate)
  expect(batches).toEqual([[1], [2]])
  finish()
  expect(await Promise.all(stored)).toEqual([1, 2])
})
