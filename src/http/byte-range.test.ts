import { expect, test } from 'vitest'
import { readByteRange } from './byte-range.ts'

test.each([
  ['bytes=0-0', { from: 0, to: 0 }],
  ['bytes=0-', { from: 0, to: 99 }],
  ['bytes=10-19', { from: 10, to: 19 }],
  ['Bytes=90-1000', { from: 90, to: 99 }],
  ['bytes=-10', { from: 90, to: 99 }],
  ['bytes=-1000', { from: 0, to: 99 }],
  ['bytes=99-', { from: 99, to: 99 }],
])('%s of 100 bytes is a part', (header, range) => {
  expect(readByteRange(header, 100)).toEqual(range)
})

test.each(['bytes=100-', 'bytes=100-200', 'bytes=-0'])('%s of 100 bytes lies beyond', (header) => {
  expect(readByteRange(header, 100)).toBe('beyond')
})

test.each([
  undefined,
  '',
  'bytes=-',
  'bytes=5-4',
  'bytes=a-b',
  'bytes=0-1,5-6',
  'bytes',
  'lines=0-1',
  'bytes=9999999999999999-',
  'bytes=0x1-2',
])('%s asks for the whole', (header) => {
  expect(readByteRange(header, 100)).toBeUndefined()
})
