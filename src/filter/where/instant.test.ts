import { describe, expect, test } from 'vitest'
import { readTime } from './instant.ts'

const read = (raw: unknown, timeZone = 'America/Sao_Paulo') => readTime(raw, 'at', timeZone)
const only = (from: string, until: string) => ({ from, until, spans: [{ from, until }] })

describe('a time stands for the span that its precision leaves open (D16)', () => {
  test.each([
    ['2026-11-15T10:00:00Z', '2026-11-15T10:00:00.000Z', '2026-11-15T10:00:01.000Z'],
    ['2026-11-15T10:00Z', '2026-11-15T10:00:00.000Z', '2026-11-15T10:01:00.000Z'],
    ['2026-11-15T10:00:00.5Z', '2026-11-15T10:00:00.500000Z', '2026-11-15T10:00:00.500001Z'],
    ['2026-11-15T10:00:00.000Z', '2026-11-15T10:00:00.000000Z', '2026-11-15T10:00:00.000001Z'],
    ['2026-11-15T10:00:00.123456789Z', '2026-11-15T10:00:00.123456Z', '2026-11-15T10:00:00.123457Z'],
    ['2026-11-15T10:00:59.999999Z', '2026-11-15T10:00:59.999999Z', '2026-11-15T10:01:00.000000Z'],
    ['2026-11-15T10:00:00-03:00', '2026-11-15T13:00:00.000Z', '2026-11-15T13:00:01.000Z'],
    ['2026-11-15T10:00:00+0530', '2026-11-15T04:30:00.000Z', '2026-11-15T04:30:01.000Z'],
    ['2026-11-15T10:00:00-03', '2026-11-15T13:00:00.000Z', '2026-11-15T13:00:01.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z', '0001-01-01T00:00:01.000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z', '2024-02-29T00:00:01.000Z'],
  ])('%s is from %s until %s', (written, from, until) => {
    expect(read(written)).toEqual(only(from, until))
  })

  test('without an offset it is local to the account, as in a webhook', () => {
    const second = only('2026-11-15T11:26:54.000Z', '2026-11-15T11:26:55.000Z')
    expect(read('2026-11-15 08:26:54')).toEqual(second)
    expect(read('2026-11-15T08:26:54')).toEqual(second)
    expect(read('2026-11-15 08:26:54', 'Asia/Kolkata').from).toBe('2026-11-15T02:56:54.000Z')
    expect(read('2026-11-15 08:26:54.25').from).toBe('2026-11-15T11:26:54.250000Z')
  })

  test('a date is the whole local day', () => {
    expect(read('2026-11-15')).toEqual(only('2026-11-15T03:00:00.000Z', '2026-11-16T03:00:00.000Z'))
    expect(read('2026-11-15', 'Asia/Kolkata').from).toBe('2026-11-14T18:30:00.000Z')
    expect(read('2026-11-15', 'UTC').from).toBe('2026-11-15T00:00:00.000Z')
  })

  test('a day on which clocks are changed has 23 or 25 hours', () => {
    expect(read('2026-03-29', 'Europe/Lisbon')).toEqual(
      only('2026-03-29T00:00:00.000Z', '2026-03-29T23:00:00.000Z'),
    )
    expect(read('2026-10-25', 'Europe/Lisbon')).toEqual(
      only('2026-10-24T23:00:00.000Z', '2026-10-26T00:00:00.000Z'),
    )
  })

  test('a time that clocks show twice is both of its seconds', () => {
    expect(read('2026-10-25 01:30:00', 'Europe/Lisbon')).toEqual({
      from: '2026-10-25T00:30:00.000Z',
      until: '2026-10-25T01:30:01.000Z',
      spans: [
        { from: '2026-10-25T00:30:00.000Z', until: '2026-10-25T00:30:01.000Z' },
        { from: '2026-10-25T01:30:00.000Z', until: '2026-10-25T01:30:01.000Z' },
      ],
    })
  })

  test('a time that clocks jump over is never, and lies at the jump', () => {
    const jump = '2026-03-29T01:00:00.000Z'
    expect(read('2026-03-29 01:30:00', 'Europe/Lisbon')).toEqual({ from: jump, until: jump, spans: [] })
    // Samoa went from 29 to 31 December 2011.
    const skipped = '2011-12-30T10:00:00.000Z'
    expect(read('2011-12-30', 'Pacific/Apia')).toEqual({ from: skipped, until: skipped, spans: [] })
  })

  test('what lies beyond the years that can be written is beyond every time', () => {
    expect(read('9999-12-31')).toEqual(only('9999-12-31T03:00:00.000Z', 'infinity'))
    expect(read('9999-12-31 23:59:59')).toEqual(only('infinity', 'infinity'))
    expect(read('0001-01-01T00:00:00+01:00').from).toBe('-infinity')
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
  ])('%s is refused', (written, message) => {
    expect(() => read(written)).toThrow(message)
  })
})
