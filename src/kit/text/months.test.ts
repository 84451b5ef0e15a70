import { expect, test } from 'vitest'
import { startOfMonth } from './months.ts'

const monthOf = (at: string, offset?: number) => startOfMonth(new Date(at), offset).toISOString().slice(0, 16)

test('a month begins at midnight UTC of its first day', () => {
  expect(monthOf('2026-11-16T02:30:00Z')).toBe('2026-11-01T00:00')
  expect(monthOf('2026-11-01T00:00:00Z')).toBe('2026-11-01T00:00')
  expect(monthOf('2026-10-31T23:59:59.999Z')).toBe('2026-10-01T00:00')
})

test('months before and after, over the end of a year', () => {
  expect(monthOf('2026-12-31T12:00:00Z', 1)).toBe('2027-01-01T00:00')
  expect(monthOf('2026-01-31T12:00:00Z', -1)).toBe('2025-12-01T00:00')
  expect(monthOf('2026-03-31T12:00:00Z', -13)).toBe('2025-02-01T00:00')
})
