import { BlockList, isIP } from 'node:net'

/** Networks whose addresses mean nothing outside of them (RFC 1918, 3927, 4193, 4291, 6598). */
const inner = new BlockList()
for (const [network, bits] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
] as const) {
  inner.addSubnet(network, bits, 'ipv4')
}
inner.addSubnet('fc00::', 7, 'ipv6')
inner.addSubnet('fe80::', 10, 'ipv6')

/** A phone that tells an inner address and signals from another one: its packets will come from neither. */
export function isBehindNat(told: string, signalsFrom: string): boolean {
  if (told === signalsFrom || isIP(told) === 0) return false
  return inner.check(told, isIP(told) === 6 ? 'ipv6' : 'ipv4')
}
