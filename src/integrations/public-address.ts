/** Addresses that a webhook may have: those of the public network, in any notation (D88: no private addresses). */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Metadata services of clouds, at addresses outside the private ranges. */
const metadataServices = new Set(['100.100.100.200', '168.63.129.16', 'fd00:ec2::254'])

/** IPv6 ranges that embed an IPv4 address for a translator or tunnel: the address behind may be private. */
const translatedRanges = new Set(['rfc6052', 'rfc6145', '6to4', 'teredo'])

export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || metadataServices.has(address)) return false
  // `process` turns an IPv4-mapped IPv6 address into the IPv4 address.
  const parsed = ipaddr.process(address)
  if (metadataServices.has(parsed.toString())) return false
  const range = parsed.range()
  if (translatedRanges.has(range) || range !== 'unicast') return false
  return parsed.kind() === 'ipv4' || isGlobalIpv6(parsed.toString())
}

/** Only 2000::/3 is allocated as global unicast. */
function isGlobalIpv6(address: string): boolean {
  const first = Number.parseInt(address.split(':', 1)[0] || '0', 16)
  return first >= 0x2000 && first < 0x4000
}

const localNames = /(^|\.)(localhost|local|internal|localdomain|home\.arpa)\.?$/i

/**
 * `hostname` comes from a parsed URL, in which 0x7f.1 and 2130706433 are already dotted decimals. The address of a name is
 * known only when connecting (sending/guard.ts); this refuses names that are always local.
 */
export function mayBePublicHost(hostname: string): boolean {
  const literal = literalOf(hostname)
  return literal === undefined ? !localNames.test(hostname) : isPublicAddress(literal)
}

/** Returns the address if the host is one, undefined for a name. */
export function literalOf(hostname: string): string | undefined {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return isIP(bare) === 0 ? undefined : bare
}
