import { describe, expect, test } from 'vitest'
import { readInstant } from './instant.ts'

const read = (raw: unknown, timeZone = 'America/Sao_Paulo') => readInstant(raw, 'at', timeZone)

describe('an instant', () => {
  test.each([
    ['2026-11-15T10:00:00Z', '2026-11-15T10:00:00.000000Z'],
    ['2026-11-15T10:00:00.5Z', '2026-11-15T10:00:00.500000Z'],
    ['2026-11-15T10:00:00.123456789Z', '2026-11-15T10:00:00.123456Z'],
    ['2026-11-15T10:00Z', '2026-11-15T10:00:00.000000Z'],
    ['2026-11-15T10:00:00-03:00', '2026-11-15T13:00:00.000000Z'],
    ['2026-11-15T10:00:00+0530', '2026-11-15T04:30:00.000000Z'],
    ['2026-11-15T10:00:00-03', '2026-11-15T13:00:00.000000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000000Z'],
  ])('%s is %s', (written, meant) => {
    expect(read(written)).toBe(meant)
  })

  test('without an offset is UTC', () => {
    expect(read('2026-11-15T10:00:00')).toBe('2026-11-15T10:00:00.000000Z')
    expect(read('2026-11-15 10:00:00')).toBe('2026-11-15T10:00:00.000000Z')
  })

  test('without a time is midnight in the account’s time zone', () => {
    expect(read('2026-11-15')).toBe('2026-11-15T03:00:00.000Z')
    expect(read('2026-11-15', 'Asia/Kolkata')).toBe('2026-11-14T18:30:00.000Z')
    expect(read('2026-11-15', 'UTC')).toBe('2026-11-15T00:00:00.000Z')
  })

  test.each([
    ['2026-02-30', 'at: 2026-02-30 is not a date of the calendar'],
    ['2025-02-29T00:00:00Z', 'at: 2025-02-29 is not a date of the calendar'],
    ['2026-13-01', 'at: 2026-13-01 is not a date of the calendar'],
    ['2026-11-15T25:00:00Z', 'at: must be an ISO 8601 date'],
    ['2026-11-15T24:00:00Z', 'at: must be an ISO 8601 date'],
    ['2026-11-15T10:60:00Z', 'at: must be an ISO 8601 date'],
    ['2026-11-15T10:00:00 03:00', 'at: must be an ISO 8601 date'],
    ['2026-11', 'at: must be an ISO 8601 date'],
    ['yesterday', 'at: must be an ISO 8601 date'],
    [' 2026-11-15', 'at: must be an ISO 8601 date'],
    ['1763164800000', 'at: must be an ISO 8601 date'],
    [1763164800000, 'at: must be an ISO 8601 date'],
    ['0000-01-01T00:00:00Z', 'at: must lie in the years 0001 to 9999'],
    ['9999-12-31T23:59:59-01:00', 'at: must lie in the years 0001 to 9999'],
    ['0001-01-01T00:00:00+01:00', 'at: must lie in the years 0001 to 9999'],
  ])('%s is refused', (written, message) => {
    expect(() => read(written)).toThrow(message)
  })
})
