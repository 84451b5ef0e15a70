/** Which addresses a webhook may be at: those of the public network, whatever way they are written (D88). */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Of the public network by their range, and yet answered by the machine's own cloud. */
const insiders = new Set(['100.100.100.200', '168.63.129.16', 'fd00:ec2::254'])

/** Prefixes that carry an IPv4 address to a translator or a tunnel, beyond which it may be any. */
const carriers = new Set(['rfc6052', 'rfc6145', '6to4', 'teredo'])

export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || insiders.has(address)) return false
  // `process` turns an IPv4 address in the clothes of IPv6 back into what it is.
  const parsed = ipaddr.process(address)
  if (insiders.has(parsed.toString())) return false
  const range = parsed.range()
  if (carriers.has(range) || range !== 'unicast') return false
  return parsed.kind() === 'ipv4' || isGlobalIpv6(parsed.toString())
}

/** Only 2000::/3 has been given out. */
function isGlobalIpv6(address: string): boolean {
  const first = Number.parseInt(address.split(':', 1)[0] || '0', 16)
  return first >= 0x2000 && first < 0x4000
}

const insideNames = /(^|\.)(localhost|local|internal|localdomain|home\.arpa)\.?$/i

/**
 * As the URL's host is spelled after parsing, which has made 0x7f.1 and 2130706433 plain. What a name leads to is
 * known only when connecting; here those are told that can never lead outside.
 */
export function mayBePublicHost(hostname: string): boolean {
  const literal = literalOf(hostname)
  return literal === undefined ? !insideNames.test(hostname) : isPublicAddress(literal)
}

/** The address, where the host is one and not a name. */
export function literalOf(hostname: string): string | undefined {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return isIP(bare) === 0 ? undefined : bare
}
