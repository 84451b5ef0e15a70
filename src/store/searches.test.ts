/** D186: what one account's searches may take. */
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTestTimers } from '../kit/testing/test-timers.ts'
import type { Database } from './database.ts'
import { createSearches } from './searches.ts'

function setUp() {
  const timers = createTestTimers()
  const searches = createSearches({} as Database, timers)
  const started: string[] = []
  /** Runs for so long; says when it has begun. */
  const search = (accountId: number, name: string, ms: number) =>
    searches.run(accountId, () => {
      started.push(name)
      return new Promise<string>((resolve) => timers.after(ms, () => resolve(name)))
    })
  const advance = async (ms: number) => {
    // A search starts, and leaves, in turns of its own.
    await turn()
    timers.advance(ms)
    await turn()
  }
  return { search, started, advance }
}

test('an account that has used up its budget waits until a tenth of the time since has made up for it, 10 s at most', async () => {
  const { search, started, advance } = setUp()
  for (const name of ['first', 'second']) {
    const done = search(1, name, 3_100)
    await advance(3_100)
    await done
  }
  // 6,000 ms were used, and 310 came back while the second search ran.
  const third = search(1, 'third', 3_100)
  await advance(3_100)
  await third
  const refused = expect(search(1, 'fourth', 100)).rejects.toMatchObject({ code: 'SEARCHES_BUSY' })
  const overdrawnMs = (3_000 - 310 - 310) * 10
  await advance(overdrawnMs - 10)
  expect(started).toEqual(['first', 'second', 'third'])
  await refused
  const fifth = search(1, 'fifth', 100)
  await advance(20)
  expect(started.at(-1)).toBe('fifth')
  await advance(100)
  expect(await fifth).toBe('fifth')
})

test('searches of up to 100 ms use no budget, and those of other accounts do not wait', async () => {
  const { search, started, advance } = setUp()
  const long = search(1, 'long', 3_000)
  for (let count = 0; count < 200; count += 1) {
    const short = search(2, 'short', 100)
    await advance(100)
    expect(await short).toBe('short')
  }
  expect(started).toHaveLength(201)
  await long
})
