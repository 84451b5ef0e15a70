import { expect, test } from 'vitest'
import { createTestClock } from '../../../test/helpers/run/test-clock.ts'
import { createMemoryRateCounters } from './rate-counters.ts'

const windowMs = 60_000

test('D103: a window begins with the first request of its key, and ends a minute later', async () => {
  const clock = createTestClock()
  const { hit } = createMemoryRateCounters(clock, windowMs)
  expect(await hit('calls', 'ana')).toEqual({ count: 1, resetMs: 60_000 })
  clock.advance(59)
  expect(await hit('calls', 'ana')).toEqual({ count: 2, resetMs: 1_000 })
  clock.advance(1)
  expect(await hit('calls', 'ana')).toEqual({ count: 1, resetMs: 60_000 })
})

test('D103: keys count apart, and so does one key of two counters', async () => {
  const { hit } = createMemoryRateCounters(createTestClock(), windowMs)
  await hit('calls', 'ana')
  const counts = [await hit('calls', 'bia'), await hit('other', 'ana'), await hit('calls', 'ana')]
  expect(counts.map(({ count }) => count)).toEqual([1, 1, 2])
})

test('a request counts as many times as it weighs', async () => {
  const { hit } = createMemoryRateCounters(createTestClock(), windowMs)
  const counts = [await hit('account', 7, 10), await hit('account', 7), await hit('account', 7, 5)]
  expect(counts.map(({ count }) => count)).toEqual([10, 11, 16])
})

test('D103: a window that has ended counts no more, also while it is not deleted yet', async () => {
  const clock = createTestClock()
  const { hit } = createMemoryRateCounters(clock, windowMs)
  clock.advance(30)
  for (const key of ['ana', 'bia']) await hit('calls', key)
  // What has ended is deleted here, and the next time a minute later.
  clock.advance(31)
  await hit('other', 'anyone')
  clock.advance(29)
  expect(await hit('calls', 'ana')).toEqual({ count: 1, resetMs: 60_000 })
  clock.advance(5)
  expect(await hit('calls', 'bia')).toEqual({ count: 1, resetMs: 60_000 })
})

test('windows that have ended are deleted once a minute, and those that go on keep their count', async () => {
  const clock = createTestClock()
  const { hit } = createMemoryRateCounters(clock, windowMs)
  await hit('calls', 'ana')
  clock.advance(30)
  await hit('calls', 'bia')
  // The sweep: ana's window has just ended, bia's lasts for 30 s more.
  clock.advance(30)
  await hit('other', 'anyone')
  expect(await hit('calls', 'bia')).toEqual({ count: 2, resetMs: 30_000 })
  // A clock that is set back shows that a window is gone.
  clock.shift(-10)
  expect((await hit('calls', 'ana')).count).toBe(1)
})
