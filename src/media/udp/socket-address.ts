/** Addresses as the kernel takes them (`sockaddr_in`, `sockaddr_in6`). */
import { isIPv4, isIPv6 } from 'node:net'
import { constants, type Libc } from './libc.ts'

const { AF_INET, AF_INET6 } = constants
export const maxAddressLength = 28
const textLength = 46

type Converter = Pick<Libc, 'inet_ntop' | 'inet_pton'>
export type Family = typeof AF_INET | typeof AF_INET6

export const familyOf = (address: string): Family => (isIPv6(address) ? AF_INET6 : AF_INET)
export const addressLength = (family: Family) => (family === AF_INET6 ? 28 : 16)

/** False if the address is not of that family. */
export function writeAddress(libc: Converter, into: Buffer, family: Family, port: number, address: string) {
  if (!(family === AF_INET6 ? isIPv6(address) : isIPv4(address))) return false
  into.fill(0)
  into.writeUInt16LE(family, 0)
  into.writeUInt16BE(port, 2)
  return libc.inet_pton(family, address, into.subarray(family === AF_INET6 ? 8 : 4)) === 1
}

export const readPort = (from: Buffer) => from.readUInt16BE(2)

const text = Buffer.alloc(textLength)

export function readAddress(libc: Converter, from: Buffer): string {
  const isV6 = from.readUInt16LE(0) === AF_INET6
  libc.inet_ntop(isV6 ? AF_INET6 : AF_INET, from.subarray(isV6 ? 8 : 4), text, textLength)
  return text.toString('latin1', 0, text.indexOf(0))
}
