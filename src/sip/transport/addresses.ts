/** IP addresses as sockets report and expect them. */
import { isIP } from 'node:net'

/** Turns an IPv4-mapped IPv6 address (`::ffff:192.0.2.1`) into the IPv4 address. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address
}

/** The address in the form a socket of that family can send to; undefined if it cannot. */
export function addressForFamily(address: string, family: 4 | 6): string | undefined {
  const own = isIP(address)
  if (own === family) return address
  return own === 4 ? `::ffff:${address}` : undefined
}

/** The wildcard address: listens on every address of the machine. */
export function isWildcard(host: string): boolean {
  return host === '0.0.0.0' || host === '::'
}
