import { describe, expect, test } from 'vitest'
import {
  addressBlock,
  inNetworks,
  isNetwork,
  isPrivateAddress,
  isPublicAddress,
  isWithin,
} from './networks.ts'

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::9', '2001:db8:1:2'],
  ['2001:db8:1:2::', '2001:db8:1:2'],
  ['2001:DB8::5', '2001:db8:0:0'],
  ['2001:0db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
])('the block of %s is %s', (address, block) => {
  expect(addressBlock(address)).toBe(block)
})

test('a network is an address, or an address and a prefix length that fits', () => {
  expect(['10.0.0.1', '10.0.0.0/8', '2001:db8::/32', '::1'].every(isNetwork)).toBe(true)
  expect(['', 'carrier', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0.0/', '::/129'].some(isNetwork)).toBe(false)
})

test('a list of networks holds their addresses, IPv4-mapped ones too, and nothing that is no address', () => {
  const isListed = inNetworks(['203.0.113.0/24', '198.51.100.7', '2001:db8::/32'])
  for (const address of ['203.0.113.200', '::ffff:203.0.113.200', '198.51.100.7', '2001:db8:1::1']) {
    expect(isListed(address)).toBe(true)
  }
  for (const address of ['203.0.114.1', '198.51.100.8', '2001:db9::1', 'carrier', '']) {
    expect(isListed(address)).toBe(false)
  }
})

describe('an address is', () => {
  test.each(['10.1.2.3', '172.31.0.1', '192.168.0.9', '169.254.1.1', '100.64.0.1', 'fd00::1', 'fe80::1'])(
    'private: %s',
    (address) => {
      expect(isPrivateAddress(address)).toBe(true)
      expect(isPublicAddress(address)).toBe(false)
    },
  )
  test.each(['127.0.0.1', '0.0.0.0', '::1', '::'])('neither private nor public: %s', (address) => {
    expect(isPrivateAddress(address)).toBe(false)
    expect(isPublicAddress(address)).toBe(false)
  })
  test.each(['192.0.2.7', '2001:db8::1', '172.32.0.1'])('public: %s', (address) => {
    expect(isPrivateAddress(address)).toBe(false)
    expect(isPublicAddress(address)).toBe(true)
  })
  test('neither, if it is no address at all', () => {
    expect([isPrivateAddress('phone.local'), isPublicAddress('phone.local')]).toEqual([false, false])
  })
})

test.each([
  ['10.1.2.3', ['10.0.0.0/8'], true],
  ['10.1.0.0/16', ['192.0.2.1', '10.0.0.0/8'], true],
  ['10.0.0.0/8', ['10.1.0.0/16'], false],
  ['10.1.2.3', ['10.1.2.3'], true],
  ['10.1.2.3', ['10.1.2.3/32'], true],
  ['2001:db8:1::/48', ['2001:db8::/32'], true],
  ['2001:db8::/32', ['10.0.0.0/8'], false],
  ['::/0', ['0.0.0.0/0'], false],
])('%s is within %j: %s', (network, others, is) => {
  expect(isWithin(network, others)).toBe(is)
})
