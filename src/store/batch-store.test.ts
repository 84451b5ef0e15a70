import { describe, expect, test } from 'vitest'
import { createBatchStore, storeOrSplit } from './batch-store.ts'

const transient = () => new Error('Connection terminated unexpectedly')

type Item = { call: string; step: number }

/** Stores items unless `fail` has an error for one of the batch. */
function openStore(fail: (item: Item) => Error | undefined) {
  const stored: string[] = []
  const rejected: string[] = []
  let statements = 0
  const nameOf = ({ call, step }: Item) => `${call}${step}`
  const options = {
    store: async (items: Item[]) => {
      statements += 1
      for (const item of items) {
        const error = fail(item)
        if (error) throw error
      }
      stored.push(...items.map(nameOf))
    },
    onRejected: (item: Item) => void rejected.push(nameOf(item)),
    keyOf: ({ call }: Item) => call,
  }
  return { options, stored, rejected, nameOf, statements: () => statements }
}

const batch: Item[] = [
  { call: 'a', step: 1 },
  { call: 'a', step: 2 },
  { call: 'b', step: 1 },
  { call: 'c', step: 1 },
]

describe('a batch', () => {
  test('with an item that cannot be stored is stored without it', async () => {
    const { options, stored, rejected } = openStore(({ call }) =>
      call === 'b' ? new TypeError('b') : undefined,
    )
    await storeOrSplit(batch, options)
    expect([stored, rejected]).toEqual([['a1', 'a2', 'c1'], ['b1']])
  })

  test('that meets a transient error is not split but thrown back', async () => {
    const { options, stored, rejected, statements } = openStore(transient)
    await expect(storeOrSplit(batch, options)).rejects.toThrow('Connection terminated')
    expect([stored, rejected, statements()]).toEqual([[], [], 1])
  })
})

describe('a batch that is retried', () => {
  test('is given back whole while the database is down, and stored by one statement when it is back', async () => {
    let isDown = true
    const { options, stored, statements } = openStore(() => (isDown ? transient() : undefined))
    const storeBatch = createBatchStore(options)
    for (let tries = 0; tries < 20; tries += 1) {
      expect(new Set((await storeBatch(batch)).retry)).toEqual(new Set(batch))
    }
    isDown = false
    const before = statements()
    expect((await storeBatch(batch)).retry).toEqual([])
    expect([stored, statements() - before]).toEqual([['a1', 'a2', 'b1', 'c1'], 1])
  })

  test('is stored but for the item whose error only looks transient, and what must follow that item', async () => {
    const { options, stored, rejected, nameOf } = openStore((item) =>
      nameOf(item) === 'a1' ? transient() : undefined,
    )
    const storeBatch = createBatchStore(options)
    let waiting = batch
    for (let tries = 0; tries < 10; tries += 1) waiting = (await storeBatch(waiting)).retry
    expect([stored, rejected]).toEqual([['b1', 'c1'], []])
    expect(waiting.map(nameOf)).toEqual(['a1', 'a2'])
  })

  test('is stored but for an item that failed many times, which costs the others no statement more', async () => {
    const { options, stored, nameOf, statements } = openStore((item) =>
      nameOf(item) === 'a1' ? new TypeError('a bug') : undefined,
    )
    const storeBatch = createBatchStore({ ...options, isRetried: () => true })
    let waiting = batch
    for (let tries = 0; tries < 10; tries += 1) waiting = (await storeBatch(waiting)).retry
    expect(waiting.map(nameOf)).toEqual(['a1', 'a2'])
    const others = ['d', 'e', 'f'].map((call) => ({ call, step: 1 }))
    const before = statements()
    waiting = (await storeBatch([...waiting, ...others])).retry
    expect([stored.slice(-3), waiting.map(nameOf)]).toEqual([
      ['d1', 'e1', 'f1'],
      ['a1', 'a2'],
    ])
    expect(statements() - before).toBe(3)
  })

  test('is given back with its error, and without many tries of single items', async () => {
    const { options, statements } = openStore(transient)
    const storeBatch = createBatchStore(options)
    const items = Array.from({ length: 100 }, (_, step) => ({ call: String(step), step }))
    for (let tries = 0; tries < 9; tries += 1) await storeBatch(items)
    const before = statements()
    const { retry, error } = await storeBatch(items)
    expect(statements() - before).toBe(4)
    expect([retry.length, error]).toEqual([100, transient()])
  })
})
