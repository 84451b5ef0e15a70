import { expect, test } from 'vitest'
import { addressForFamily, plainAddress } from './addresses.ts'

test('an IPv4 address is itself, whatever socket it came by', () => {
  expect(['::ffff:192.0.2.1', '192.0.2.1', '2001:db8::1', '::ffff:1'].map(plainAddress)).toEqual([
    '192.0.2.1',
    '192.0.2.1',
    '2001:db8::1',
    '::ffff:1',
  ])
})

test('an address is given in the form of the socket family', () => {
  expect(addressForFamily('192.0.2.1', 4)).toBe('192.0.2.1')
  expect(addressForFamily('192.0.2.1', 6)).toBe('::ffff:192.0.2.1')
  expect(addressForFamily('2001:db8::1', 6)).toBe('2001:db8::1')
  expect(addressForFamily('2001:db8::1', 4)).toBeUndefined()
  expect(addressForFamily('name.example', 4)).toBeUndefined()
})
