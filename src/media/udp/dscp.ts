/**
 * D632: the mark (DSCP, RFC 2474) of a socket's packets, by which routers and switches send sound before other data.
 * `node:dgram` and `node:net` cannot set it.
 */
import { constants, type Libc } from './libc.ts'

const { IPPROTO_IP, IP_TOS, IPPROTO_IPV6, IPV6_TCLASS } = constants

/** The mark is in the upper six bits of its octet. A socket of IPv6 may have peers of IPv4; one of IPv4 refuses the second. */
export function markSocket(libc: Pick<Libc, 'setsockopt'>, fd: number, dscp: number) {
  const octet = Buffer.alloc(4)
  octet.writeInt32LE(dscp << 2)
  libc.setsockopt(fd, IPPROTO_IP, IP_TOS, octet, octet.length)
  libc.setsockopt(fd, IPPROTO_IPV6, IPV6_TCLASS, octet, octet.length)
}
