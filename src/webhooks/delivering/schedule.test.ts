import { expect, test } from 'vitest'
import { plusSeconds } from '../../kit/clock.ts'
import { nextAttempt, readRetryAfter } from './schedule.ts'

const now = new Date('2026-11-15T12:00:00.000Z')
const failure = { attempts: 1, dueSince: now, now, retryAfter: null, random: () => 0.5 }
const wait = (change: Partial<Parameters<typeof nextAttempt>[0]>) => {
  const at = nextAttempt({ ...failure, ...change })
  return at && (at.getTime() - now.getTime()) / 1000
}

test('after each failure comes its wait, after the tenth none (D86)', () => {
  const waits = Array.from({ length: 10 }, (_, index) => wait({ attempts: index + 1 }))
  expect(waits).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400, null])
})

test('waits are 10 % shorter or longer', () => {
  expect([wait({ random: () => 0 }), wait({ random: () => 1 })]).toEqual([4.5, 5.5])
})

test('a receiver may ask for longer, never for shorter, and for a day at most', () => {
  expect([wait({ retryAfter: '60' }), wait({ retryAfter: '1' }), wait({ retryAfter: '99999999' })]).toEqual([
    60, 5, 86_400,
  ])
})

test('what has been due for as long as all attempts take is given up with its next failure', () => {
  const hours = (count: number) => plusSeconds(now, -count * 3600)
  expect(wait({ dueSince: hours(80) })).toBe(5)
  expect(wait({ dueSince: hours(84) })).toBeNull()
})

test.each([
  ['120', 120],
  [' 7 ', 7],
  ['0', 0],
  ['Sun, 15 Nov 2026 12:01:00 GMT', 60],
  ['Sun, 15 Nov 2026 11:00:00 GMT', 0],
  ['-5', undefined],
  ['1.5', undefined],
  ['soon', undefined],
  ['2026-11-15', undefined],
  ['', undefined],
])('Retry-After: %s', (value, seconds) => {
  expect(readRetryAfter(value, now)).toBe(seconds)
})
