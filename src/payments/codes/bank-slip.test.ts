import { expect, test } from 'vitest'
import { printedLine, slipBarCode, slipLine } from './bank-slip.ts'

const first = '46191234506789012345767890123457116370000012345'

test('bar code and line of R$ 123.45 due on 21 November 2026', () => {
  const slip = { bank: '461', dueDate: '2026-11-21', amount: 12345, freeField: '1234567890123456789012345' }
  expect(slipBarCode(slip)).toBe('46191163700000123451234567890123456789012345')
  expect(slipLine(slipBarCode(slip))).toBe(first)
  expect(printedLine(first)).toBe('46191.23450 67890.123457 67890.123457 1 16370000012345')
})

test.each([
  ['23793381286006069409261000063307486470000004200', '2021-06-10', 4200],
  ['07790001161206444990808159365561790020000015130', '2022-05-31', 15130],
  ['03399777792990000000004751101017181510000002990', '2020-01-31', 2990],
])('a line seen in the wild comes out again: %s', (line, dueDate, amount) => {
  const freeField = line.slice(4, 9) + line.slice(10, 20) + line.slice(21, 31)
  expect(slipLine(slipBarCode({ bank: line.slice(0, 3), dueDate, amount, freeField }))).toBe(line)
})

test.each([
  ['2000-07-03', '1000'],
  ['2025-02-21', '9999'],
  ['2025-02-22', '1000'],
  ['2026-11-14', '1630'],
  ['2049-10-13', '9999'],
  ['2049-10-14', '1000'],
])('due on %s is written %s', (dueDate, factor) => {
  const code = slipBarCode({ bank: '461', dueDate, amount: 1, freeField: '0'.repeat(25) })
  expect(code.slice(5, 9)).toBe(factor)
})

test('a slip with too many digits is refused', () => {
  const slip = { bank: '461', dueDate: '2026-11-21', amount: 1e10, freeField: '0'.repeat(25) }
  expect(() => slipBarCode(slip)).toThrow(RangeError)
})
