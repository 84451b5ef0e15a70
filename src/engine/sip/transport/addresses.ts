/** Addresses as sockets tell and want them. */
import { isIP, isIPv6 } from 'node:net'

/** An IPv4 address that came by an IPv6 socket, as itself. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address
}

/** The form a socket of that family sends to; undefined where it cannot. */
export function reachable(address: string, family: 4 | 6): string | undefined {
  const own = isIP(address)
  if (own === family) return address
  return own === 4 ? `::ffff:${address}` : undefined
}

/** Who counts as one source: an IPv4 address, or the 64 bits of IPv6 that one customer has at least. */
export function sourceOf(address: string): string {
  if (!isIPv6(address)) return address
  const [front = '', back] = (address.split('%', 1)[0] ?? '').split('::')
  const groups = front === '' ? [] : front.split(':')
  const behind = back ? back.split(':').length : 0
  if (back !== undefined) while (groups.length + behind < 8 && groups.length < 4) groups.push('0')
  return `${[...groups, ...(back ?? '').split(':')].slice(0, 4).join(':')}/64`
}

/** No address of its own: every one the machine has. */
export function isWildcard(host: string): boolean {
  return host === '0.0.0.0' || host === '::'
}
