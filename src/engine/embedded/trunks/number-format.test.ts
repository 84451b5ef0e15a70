import { expect, test } from 'vitest'
import { readCarrierNumber, writeCarrierNumber } from './number-format.ts'

test.each([
  ['5511987654321', 'e164-plus', '+5511987654321'],
  ['5511987654321', 'e164', '5511987654321'],
  ['5511987654321', 'national', '011987654321'],
  ['12125550123', 'national', '0012125550123'],
  ['12125550123', 'e164-plus', '+12125550123'],
  ['1000', 'e164-plus', '1000'],
] as const)('%s is written %s as %s', (number, format, written) => {
  expect(writeCarrierNumber(number, format)).toBe(written)
})

test.each([
  ['+551133334444', 'e164', '551133334444'],
  ['551133334444', 'e164', '551133334444'],
  ['01133334444', 'national', '551133334444'],
  ['1133334444', 'national', '551133334444'],
  ['1133334444', 'e164', '551133334444'],
  ['0012125552368', 'national', '12125552368'],
  ['12125552368', 'e164', '12125552368'],
  ['(11) 3333-4444', 'national', '551133334444'],
  ['190', 'national', '190'],
  ['', 'e164', ''],
] as const)('%s in %s is %s', (text, format, number) => {
  expect(readCarrierNumber(text, format)).toBe(number)
})
