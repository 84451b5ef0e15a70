import { expect, test } from 'vitest'
import { type CallFilters, filterNames, whereOf } from '../../console/pages/calls/filters.ts'

const zone = 'America/Sao_Paulo'
const now = new Date('2026-11-17T15:00:00Z')
const none = Object.fromEntries(filterNames.map((name) => [name, ''])) as CallFilters
const where = (filters: Partial<CallFilters>) => whereOf({ ...none, ...filters }, now, zone)

test('without a filter every call is wanted', () => {
  expect(where({})).toBeUndefined()
})

test('D613: a number is searched on both sides of a call', () => {
  expect(where({ number: '(48) 99999' })).toEqual({
    or: [{ to: { like: '4899999' } }, { from: { like: '4899999' } }],
  })
  expect(where({ person: '1001' })).toEqual({ or: [{ from: '1001' }, { to: '1001' }] })
})

test('D640: four or five digits are the end of a number, six or more any part, fewer an extension', () => {
  const either = (condition: unknown) => ({ or: [{ to: condition }, { from: condition }] })
  expect(where({ number: '432' })).toEqual(either('432'))
  expect(where({ number: '4321' })).toEqual(either({ like: '%4321' }))
  expect(where({ number: '5-4321' })).toEqual(either({ like: '%54321' }))
  expect(where({ number: '98765-4' })).toEqual(either({ like: '987654' }))
})

test('dates are days of the account, both included', () => {
  expect(where({ since: '2026-10-01', until: '2026-10-31' })).toEqual({
    and: [{ started_at: { gte: '2026-10-01' } }, { started_at: { lt: '2026-11-01' } }],
  })
  expect(where({ period: 'today' })).toEqual({ started_at: { gte: '2026-11-17T03:00:00.000Z' } })
})

test('length and price have a lower and an upper bound; what is no number is no bound', () => {
  expect(where({ minSeconds: '60', maxSeconds: '', minPrice: '0.5', maxPrice: 'x' })).toEqual({
    and: [{ duration: { gte: 60 } }, { call_price: { gte: 0.5 } }],
  })
})

test('D592: calls are found by their outcome, and those without one', () => {
  expect(where({ outcome: 'sale' })).toEqual({ outcome: 'sale' })
  expect(where({ outcome: '-' })).toEqual({ outcome: null })
})

test('D604: an extension is that of the call, as the reports count it; a user and a cause are exact', () => {
  expect(where({ extension: '1001' })).toEqual({
    or: [
      { and: [{ call_type: 'inbound' }, { to: '1001' }] },
      { and: [{ call_type: { neq: 'inbound' } }, { from: '1001' }] },
    ],
  })
  expect(where({ user: '-' })).toEqual({ user_uuid: null })
  expect(where({ cause: 'USER_BUSY' })).toEqual({ hangup_cause: 'USER_BUSY' })
})
