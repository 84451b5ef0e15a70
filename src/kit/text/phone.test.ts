import { expect, test } from 'vitest'
import { countryOf, readPhone } from './phone.ts'

test.each([
  ['+55 48 99999-8888', '5548999998888'],
  ['5548999998888', '5548999998888'],
  ['48999998888', '5548999998888'],
  ['048 99999 8888', '5548999998888'],
  ['(48) 3333-4444', '554833334444'],
  ['55996728964', '5555996728964'],
  ['5555996728964', '5555996728964'],
  ['+1 212 555 0123', '12125550123'],
  // 99 is the area code of Imperatriz, and 99999-9999 a mobile number there.
  ['99999999999', '5599999999999'],
])('%s is %s (D56)', (text, expected) => {
  expect(readPhone(text)).toBe(expected)
})

test.each([
  '',
  '123',
  '+5511887654321',
  '551187654321',
  '2099998888',
  '+999123456789',
  'phone',
  '48999998888;ext=1',
])('%s is no phone number', (text) => {
  expect(readPhone(text)).toBeUndefined()
})

test.each([
  ['12125550123', 'US'],
  ['16846331234', 'AS'],
  ['351912345678', 'PT'],
  ['881612345678', '+881'],
])('%s is a number of %s', (number, country) => {
  expect(countryOf(number)).toBe(country)
})
