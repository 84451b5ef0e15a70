/** D607: the periods of reports, and the time before each. */
import { expect, test } from 'vitest'
import { byDate, callsHref, totalHref } from '../../console/pages/reports/figures.ts'
import { hasHours, previousOf, readPeriod } from '../../console/pages/reports/period.ts'

const zone = 'America/Sao_Paulo'
const now = new Date('2026-11-17T15:00:00Z')
const nothing = { days: '', since: '', until: '' }
const read = (chosen: Partial<typeof nothing>, timeZone = zone) =>
  readPeriod({ ...nothing, ...chosen }, now, timeZone)
const texts = ({ from, to }: { from: Date; to: Date }) => [from.toISOString(), to.toISOString()]

test('the last 7 days end now, and are compared with the 7 before until the same time', () => {
  const week = read({})
  expect(week.dates).toEqual([
    '2026-11-11',
    '2026-11-12',
    '2026-11-13',
    '2026-11-14',
    '2026-11-15',
    '2026-11-16',
    '2026-11-17',
  ])
  expect(texts(week.bounds(now))).toEqual(['2026-11-11T03:00:00.000Z', '2026-11-17T15:00:00.000Z'])
  expect(texts(previousOf(week).bounds(now))).toEqual([
    '2026-11-04T03:00:00.000Z',
    '2026-11-10T15:00:00.000Z',
  ])
})

test('today is compared with yesterday until the same time', () => {
  const today = read({ days: '1' })
  expect(texts(previousOf(today).bounds(now))).toEqual([
    '2026-11-16T03:00:00.000Z',
    '2026-11-16T15:00:00.000Z',
  ])
})

test('chosen dates are whole days of the account, both included', () => {
  const october = read({ since: '2026-10-01', until: '2026-10-31' })
  expect([october.days, october.isCurrent]).toEqual([31, false])
  expect(texts(october.bounds(now))).toEqual(['2026-10-01T03:00:00.000Z', '2026-11-01T03:00:00.000Z'])
  expect(texts(previousOf(october).bounds(now))).toEqual([
    '2026-08-31T03:00:00.000Z',
    '2026-10-01T03:00:00.000Z',
  ])
})

test('a day on which clocks are set has its own length', () => {
  const { bounds } = read({ since: '2026-10-25', until: '2026-10-25' }, 'Europe/Lisbon')
  const { from, to } = bounds(now)
  expect((to.getTime() - from.getTime()) / 3_600_000).toBe(25)
})

test('dates in the wrong order, or of more than a year, are not taken', () => {
  for (const dates of [
    { since: '2026-10-31', until: '2026-10-01' },
    { since: '2024-10-01', until: '2026-10-01' },
    { since: '2026-10-01', until: '' },
  ]) {
    expect(read(dates).isCurrent).toBe(true)
  }
  expect(hasHours(read({ since: '2026-01-01', until: '2026-10-01' }))).toBe(false)
})

test('D604: a figure leads to the calls of its dates and group', () => {
  const today = read({ days: '1' })
  const dates = 'since=2026-11-17&until=2026-11-17'
  expect(callsHref('cause', 'USER_BUSY', today)).toBe(`/calls?${dates}&cause=USER_BUSY`)
  expect(callsHref('direction', 'inbound', today)).toBe(`/calls?${dates}&type=inbound`)
  expect(callsHref('outcome', null, today)).toBe(`/calls?${dates}&outcome=-`)
  expect(totalHref('calls', today)).toBe(`/calls?${dates}`)
  expect(totalHref('cost', today)).toBe(`/calls?${dates}&minPrice=0.01`)
  expect(callsHref('date', '2026-11-15', read({}))).toBe('/calls?since=2026-11-15&until=2026-11-15')
})

test('hours of a day are added up to it, the latest day first', () => {
  const row = (at: string, calls: number) => ({ at, calls, answered: 0, seconds: 0, cost: 0 })
  const rows = byDate([
    row('2026-11-15T09:00:00', 1),
    row('2026-11-15T10:00:00', 2),
    row('2026-11-16T09:00:00', 4),
  ])
  expect(rows.map(({ group, calls }) => [group, calls])).toEqual([
    ['2026-11-16', 4],
    ['2026-11-15', 3],
  ])
})
