import { expect, test } from 'vitest'
import type { CallApi } from './api.ts'
import { isAllowed, readGuardRails, spentToday } from './guard-rails.ts'

const railsOf = (allow: string) => {
  const rails = readGuardRails({ allow })
  if ('wrong' in rails) throw new Error(`${rails.wrong} is wrong`)
  return rails
}

test.each([
  ['5548*', '+55 48 99999-8888', true],
  ['5548*', '48 99999-8888', true],
  ['+55 48*', '+5548999998888', true],
  ['5548*', '+55 11 99999-8888', false],
  ['48 99999-8888', '+5548999998888', true],
  ['5548999998888', '+55 48 99999-8889', false],
  ['5511*, 5548*', '+55 48 99999-8888', true],
  ['*', '+55 11 99999-8888', true],
  ['*', '1001', false],
  ['*', '190', false],
  ['1001', '1001', true],
  ['100*', '1001', false],
  ['190', '+1 901 234 5678', false],
  ['', '+55 48 99999-8888', false],
])('the list %s and the number %s: %s (D574)', (allow, called, expected) => {
  expect(isAllowed(railsOf(allow), called)).toBe(expected)
})

test.each([
  [{ allow: 'abc' }, 'allow'],
  [{ allow: '55**' }, 'allow'],
  [{ allow: '5*5' }, 'allow'],
  [{ ceiling: '-1' }, 'ceiling'],
  [{ ceiling: '1.234' }, 'ceiling'],
  [{ ceiling: '' }, 'ceiling'],
])('%j is refused', (given, wrong) => {
  expect(readGuardRails(given)).toEqual({ wrong })
})

test('without settings nothing may be called, and the ceiling is R$ 10.00', () => {
  expect(readGuardRails({})).toEqual({ allow: [], ceiling: 10, dryRun: false })
})

const now = new Date('2026-11-15T12:00:00Z')
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString()

function apiWith(data: object[], meta = {}): CallApi {
  return async ({ path }) =>
    path === '/rates' ? { status: 200, body: { minute_price: 0.5 } } : { status: 200, body: { data, meta } }
}

test('what is not priced yet counts by its minutes, begun ones in full, and within the account nothing', async () => {
  const to = '5548999998888'
  const calls = [
    { to, started_at: minutesAgo(60), ended_at: minutesAgo(50), call_price: 1.25 },
    { to, started_at: minutesAgo(2.5), ended_at: null, call_price: null },
    { to, started_at: minutesAgo(0), ended_at: null, call_price: null },
    { to: '1001', started_at: minutesAgo(30), ended_at: null, call_price: null },
  ]
  expect(await spentToday(apiWith(calls), now)).toBeCloseTo(1.25 + 3 * 0.5 + 0.5)
})

test('more calls than are added up are refused', async () => {
  await expect(spentToday(apiWith([], { nextCursor: 'x' }), now)).rejects.toThrow('no more today')
})
