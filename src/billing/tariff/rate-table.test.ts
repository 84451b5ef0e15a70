import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defaultBlocks } from './rate.ts'
import { createRateTable, type DatedRate } from './rate-table.ts'

const always = { from: 0, until: Number.POSITIVE_INFINITY }
const rate = (prefix: string, more: Partial<DatedRate> = {}): DatedRate => ({
  prefix,
  name: prefix,
  minutePrice: 100,
  ...defaultBlocks,
  ...always,
  ...more,
})

test('the longest prefix wins', () => {
  const table = createRateTable(['55', '5548', '55489', '1'].map((prefix) => rate(prefix)))
  const found = (number: string) => table.find(number, 1)?.prefix
  expect(
    ['5548999998888', '554833334444', '5511', '551', '55', '1202', '5', '', '351', '54'].map(found),
  ).toEqual(['55489', '5548', '55', '55', '55', '1', undefined, undefined, undefined, undefined])
})

test('a rate is valid from its first moment until before its last; outside of it a shorter prefix is', () => {
  const table = createRateTable([
    rate('55', { name: 'short' }),
    rate('5548', { name: 'old', from: 10, until: 20 }),
    rate('5548', { name: 'new', from: 15 }),
  ])
  const found = (at: number) => table.find('554833334444', at)?.name
  expect([9, 10, 14, 15, 19, 20].map(found)).toEqual(['short', 'old', 'old', 'new', 'new', 'new'])
})

test('finds the same as a search of every rate', () => {
  const digits = fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 6 })
    .map((d) => d.join(''))
  const dated = fc
    .tuple(digits, fc.integer({ min: 0, max: 4 }), fc.integer({ min: 1, max: 4 }))
    .map(([prefix, from, length]) => rate(prefix, { from, until: from + length }))
  const naive = (rates: DatedRate[], number: string, at: number) =>
    rates
      .filter((one) => number.startsWith(one.prefix) && one.from <= at && at < one.until)
      .sort((a, b) => b.prefix.length - a.prefix.length || b.from - a.from)[0]
  fc.assert(
    fc.property(
      fc.array(dated, { maxLength: 60 }),
      digits,
      fc.integer({ min: 0, max: 8 }),
      (rates, number, at) => {
        const [found, expected] = [createRateTable(rates).find(number, at), naive(rates, number, at)]
        expect([found?.prefix, found?.from]).toEqual([expected?.prefix, expected?.from])
      },
    ),
  )
})

test('a character that is not a digit ends the number', () => {
  expect(createRateTable([rate('55')]).find('5x', 1)).toBeUndefined()
  expect(createRateTable([rate('55')]).find('55*', 1)?.prefix).toBe('55')
  // In the array of nodes, what comes before the digits of one node, and after them, are those of its neighbours.
  const table = createRateTable(
    Array.from({ length: 1_000 }, (_, index) => rate(String(index).padStart(3, '0'))),
  )
  for (const end of ['*', '#', '/', ':', ';', '?', ' '])
    for (const start of ['', '0', '1', '12', '50', '99', '123'])
      expect(table.find(`${start}${end}0`, 1)?.prefix, start + end).toBe(table.find(start, 1)?.prefix)
})
