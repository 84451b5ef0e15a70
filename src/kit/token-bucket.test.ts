import { expect, test } from 'vitest'
import { fullBucket, takeToken } from './token-bucket.ts'

test('allows a burst, then its rate, and saves no more than a burst', () => {
  const rate = { perSecond: 10, burst: 3 }
  const bucket = fullBucket(rate, 0)
  const allowedAt = (now: number) =>
    Array.from({ length: 10 }, () => takeToken(bucket, rate, now)).filter(Boolean).length
  expect(allowedAt(0)).toBe(3)
  expect(allowedAt(200)).toBe(2)
  expect(allowedAt(60_000)).toBe(3)
})
