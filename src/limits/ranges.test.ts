import { expect, test } from 'vitest'
import { isInternational, rangeOf, ranges } from './ranges.ts'

test.each([
  ['447012345678', '4470'],
  ['16846331234', '1684'],
  ['881612345678', '881'],
  ['5352345678', '53'],
  ['12125550123', undefined],
  ['447911123456', undefined],
  ['5548999998888', undefined],
  ['5353999998888', '53'],
])('%s is in the range %s (D194)', (number, prefix) => {
  expect(rangeOf(number)?.prefix).toBe(prefix)
})

test('numbers of Brazil are in no range, whatever their area code', () => {
  for (let area = 11; area <= 99; area += 1) expect(rangeOf(`55${area}999998888`)).toBeUndefined()
})

test('each range is listed once, with a name and a reason in both languages', () => {
  expect(new Set(ranges.map(({ prefix }) => prefix)).size).toBe(ranges.length)
  for (const { prefix, name, reason } of ranges) {
    expect(prefix).toMatch(/^[1-9]\d+$/)
    for (const text of [name.en, name.pt, reason.en, reason.pt]) expect(text).not.toBe('')
  }
})

test('what does not begin with 55 is abroad', () => {
  expect([isInternational('5548999998888'), isInternational('12125550123')]).toEqual([false, true])
})
