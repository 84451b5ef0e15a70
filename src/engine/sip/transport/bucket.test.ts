import { expect, test } from 'vitest'
import { createTestTimers } from '../../../kit/testing/test-timers.ts'
import { createBucket } from './bucket.ts'

test('lets a burst through, then so many a second, and saves no more than a burst', () => {
  const timers = createTestTimers()
  const take = createBucket(timers, { perSecond: 10, burst: 3 })
  const taken = () => Array.from({ length: 10 }, take).filter(Boolean).length
  expect(taken()).toBe(3)
  timers.advance(200)
  expect(taken()).toBe(2)
  timers.advance(60_000)
  expect(taken()).toBe(3)
})
