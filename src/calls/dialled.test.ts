import { expect, test } from 'vitest'
import { readDialled } from './dialled.ts'

test.each([
  ['+55 48 99999-8888', { number: '5548999998888' }],
  ['04899999 8888', { number: '5548999998888' }],
  ['0 15 48 99999-8888', { number: '5548999998888' }],
  ['+351 912 345 678', { number: '351912345678' }],
  ['0800 123 4567', { number: '558001234567' }],
  ['1001', { extension: '1001' }],
  ['10-01', { extension: '1001' }],
  ['99', { extension: '99' }],
  ['190', { refused: 'emergency' }],
  ['1-9-0', { refused: 'emergency' }],
  ['911', { refused: 'emergency' }],
  ['0900 123 4567', { refused: 'barred' }],
  ['+44 909 879 0000', { refused: 'barred' }],
  ['', { refused: 'invalid' }],
  ['7', { refused: 'invalid' }],
  ['+190', { refused: 'invalid' }],
  ['33334444', { refused: 'invalid' }],
  ['*97', { refused: 'feature code' }],
  ['**2001', { refused: 'feature code' }],
  ['#21#', { refused: 'feature code' }],
  ['sip:1001', { refused: 'invalid' }],
])('%j is read as %o (D10)', (text, expected) => {
  expect(readDialled(text, new Set())).toEqual(expected)
})

test.each([
  ['190', { service: '190' }],
  [' 1-80 ', { service: '180' }],
  ['193', { refused: 'emergency' }],
  ['181', { extension: '181' }],
  ['+190', { refused: 'invalid' }],
])('with trunks for 190 and 180, %j is read as %o (D272)', (text, expected) => {
  expect(readDialled(text, new Set(['190', '180']))).toEqual(expected)
})
