import { expect, test } from 'vitest'
import { mediaAddress } from './media-address.ts'

const ours = '203.0.113.1'
const phone = '198.51.100.7'

test.each([
  ['a public one', '198.51.100.9', phone, '198.51.100.9'],
  ['a private one of a phone on the Internet', '192.168.1.50', phone, phone],
  ['a shared one (carrier-grade NAT)', '100.64.3.3', phone, phone],
  ['a link-local one', '169.254.169.254', phone, phone],
  ['a loopback one', '127.0.0.1', phone, phone],
  ['a loopback one of a phone in a private network', '127.0.0.1', '10.0.0.5', '10.0.0.5'],
  ['an IPv4-mapped one', '::ffff:127.0.0.1', phone, phone],
  ['another private one of a phone in a private network', '10.9.9.9', '192.168.1.5', '10.9.9.9'],
  ['a private one of a phone on this machine', '192.168.1.5', '127.0.0.1', '192.168.1.5'],
  ['our own', ours, phone, phone],
  ['the old form of hold', '0.0.0.0', phone, '0.0.0.0'],
])('D175: of %s, the address sound is sent to', (_, named, signalsFrom, expected) => {
  expect(mediaAddress(named, signalsFrom, ours)).toBe(expected)
})
