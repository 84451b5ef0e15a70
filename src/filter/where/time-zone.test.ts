import { describe, expect, test } from 'vitest'
import { startOfDay } from './time-zone.ts'

const begins = (date: string, timeZone: string) =>
  startOfDay(new Date(`${date}T00:00:00Z`), timeZone).toISOString()

describe('a day begins', () => {
  test('at midnight of the place', () => {
    expect(begins('2026-06-01', 'America/Sao_Paulo')).toBe('2026-06-01T03:00:00.000Z')
    expect(begins('2026-06-01', 'Europe/Lisbon')).toBe('2026-05-31T23:00:00.000Z')
    expect(begins('2026-01-01', 'Pacific/Kiritimati')).toBe('2025-12-31T10:00:00.000Z')
  })

  test('at the jump where clocks jump over midnight', () => {
    // 4 November 2018, São Paulo: 23:59:59 was followed by 01:00:00.
    expect(begins('2018-11-04', 'America/Sao_Paulo')).toBe('2018-11-04T03:00:00.000Z')
    // 31 March 1919, Toronto: 23:30 of the day before was followed by 00:30.
    expect(begins('1919-03-31', 'America/Toronto')).toBe('1919-03-31T04:30:00.000Z')
  })

  test('the first time where clocks pass midnight twice', () => {
    // 1 November 2026, Havana: 01:00 is followed by 00:00.
    expect(begins('2026-11-01', 'America/Havana')).toBe('2026-11-01T04:00:00.000Z')
  })

  test('once where clocks go back at midnight to the day before', () => {
    expect(begins('2018-02-18', 'America/Sao_Paulo')).toBe('2018-02-18T03:00:00.000Z')
  })

  test('with the next day where the whole day never was', () => {
    // Samoa went from 29 to 31 December 2011.
    expect(begins('2011-12-30', 'Pacific/Apia')).toBe('2011-12-30T10:00:00.000Z')
    expect(begins('2011-12-31', 'Pacific/Apia')).toBe('2011-12-30T10:00:00.000Z')
  })
})
