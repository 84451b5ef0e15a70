import { expect, test } from 'vitest'
import { dialable, dialledTelephone, telephone } from '../../console/parts/telephone.ts'

test.each([
  ['5548999998888', '(48) 99999-8888'],
  ['554833334444', '(48) 3333-4444'],
  ['12125551234', '+1 212 555 1234'],
  ['351912345678', '+351 912 345 678'],
  ['442071234567', '+44 207 123 4567'],
  ['541143211234', '+54 114 321 1234'],
  ['558001234567', '0800 123 4567'],
  ['1000', '1000'],
  ['anonymous', 'anonymous'],
])('a number of a record is shown by its country: %s as %s', (stored, shown) => {
  expect(telephone(stored)).toBe(shown)
})

test('what a person dialled without a plus is a Brazilian number', () => {
  expect(dialledTelephone('48999998888')).toBe('(48) 99999-8888')
  expect(dialledTelephone('+12125551234')).toBe('+1 212 555 1234')
})

test('a number of a record is dialled with its plus, an extension as it is', () => {
  expect(['12125551234', '5548999998888', '1000'].map(dialable)).toEqual([
    '+12125551234',
    '+5548999998888',
    '1000',
  ])
})
