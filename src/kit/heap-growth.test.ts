import { expect, test } from 'vitest'
import { growthPercent, usualPercent } from './heap-growth.ts'

const mb = 1_000_000

test('a small heap that is collected every few seconds may grow to 96 MB', () => {
  expect(growthPercent({ liveBytes: 32 * mb, sinceLastMs: 2_000 })).toBe(200)
})

test('a heap that is collected rarely stays small', () => {
  expect(growthPercent({ liveBytes: 32 * mb, sinceLastMs: 60_000 })).toBe(usualPercent)
})

test('a large heap grows by the usual share, however often it is collected', () => {
  expect(growthPercent({ liveBytes: 400 * mb, sinceLastMs: 2_000 })).toBe(usualPercent)
})
