import { expect, test } from 'vitest'
import { plainAddress, reachable, sourceOf } from './addresses.ts'

test('an IPv4 address is itself, whatever socket it came by', () => {
  expect(['::ffff:192.0.2.1', '192.0.2.1', '2001:db8::1', '::ffff:1'].map(plainAddress)).toEqual([
    '192.0.2.1',
    '192.0.2.1',
    '2001:db8::1',
    '::ffff:1',
  ])
})

test('a socket reaches what its family can', () => {
  expect(reachable('192.0.2.1', 4)).toBe('192.0.2.1')
  expect(reachable('192.0.2.1', 6)).toBe('::ffff:192.0.2.1')
  expect(reachable('2001:db8::1', 6)).toBe('2001:db8::1')
  expect(reachable('2001:db8::1', 4)).toBeUndefined()
  expect(reachable('name.example', 4)).toBeUndefined()
})

test('of IPv6, 64 bits are one source', () => {
  expect(sourceOf('192.0.2.1')).toBe('192.0.2.1')
  const same = ['2001:db8:1:2::1', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::']
  expect(new Set(same.map(sourceOf)).size).toBe(1)
  expect(sourceOf('2001:db8::1')).toBe('2001:db8:0:0/64')
  expect(sourceOf('2001:db8:0:1::1')).not.toBe(sourceOf('2001:db8::1'))
  expect(sourceOf('::1')).toBe('0:0:0:0/64')
  expect(sourceOf('fe80::1%eth0')).toBe('fe80:0:0:0/64')
})
