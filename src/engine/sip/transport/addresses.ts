/** Addresses as sockets tell and want them. */
import { isIP } from 'node:net'

/** An IPv4 address that came by an IPv6 socket, as itself. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address
}

/** The form a socket of that family sends to; undefined where it cannot. */
export function addressForFamily(address: string, family: 4 | 6): string | undefined {
  const own = isIP(address)
  if (own === family) return address
  return own === 4 ? `::ffff:${address}` : undefined
}

/** No address of its own: every one the machine has. */
export function isWildcard(host: string): boolean {
  return host === '0.0.0.0' || host === '::'
}
