/** IP addresses and networks: lists of networks, ranges that are not public, the block of addresses of one user. */
import { BlockList, isIP, isIPv6 } from 'node:net'

/** Whether the text is an address or a network, `203.0.113.7` or `203.0.113.0/24`. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const maxBits = { 4: 32, 6: 128 }[isIP(address)]
  if (maxBits === undefined || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= maxBits)
}

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4')

/** Returns a test of whether an address is in one of the networks. What is no address is in none. */
export function inNetworks(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    if (bits === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(bits), familyOf(address))
  }
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address))
}

/** Whether all addresses of a network are in one of the others. */
export function isWithin(network: string, others: readonly string[]): boolean {
  const [address = ''] = network.split('/')
  return others.some(
    (other) =>
      familyOf(other.split('/', 1)[0] ?? '') === familyOf(address) &&
      prefixBits(other) <= prefixBits(network) &&
      inNetworks([other])(address),
  )
}

function prefixBits(network: string): number {
  const [address = '', bits] = network.split('/')
  return bits === undefined ? (isIPv6(address) ? 128 : 32) : Number(bits)
}

/** Private, link-local and shared (carrier-grade NAT) networks: RFC 1918, 3927, 4193, 4291, 6598. */
const privateNetworks = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '100.64.0.0/10',
  'fc00::/7',
  'fe80::/10',
]

/** Addresses that can belong to a phone behind a NAT. Loopback is none: nothing behind a NAT signals from there. */
export const isPrivateAddress = inNetworks(privateNetworks)

const isNotPublic = inNetworks([...privateNetworks, '0.0.0.0/8', '127.0.0.0/8', '::/127'])

/** Addresses that mean the same host everywhere. */
export function isPublicAddress(address: string): boolean {
  return isIP(address) !== 0 && !isNotPublic(address)
}

export function isLoopback(address: string): boolean {
  return address.startsWith('127.') || address === '::1' || /^::ffff:127\./i.test(address)
}

/** The host part of a URL or Host header, by name or address: this machine. */
export function isLoopbackHost(host: string): boolean {
  const plain = host.replace(/^\[|\]$/g, '').toLowerCase()
  return plain === 'localhost' || (isIP(plain) !== 0 && isLoopback(plain))
}

/**
 * The block of addresses that one user has: an IPv4 address, or the /64 of an IPv6 address (`2001:db8:1:2`).
 * An IPv4-mapped IPv6 address counts as its IPv4 address.
 */
export function addressBlock(address: string): string {
  if (!address.includes(':')) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  const [head = '', tail] = (address.split('%', 1)[0] ?? '').split('::', 2)
  const left = head === '' ? [] : head.split(':')
  const right = tail ? tail.split(':') : []
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...right].slice(0, 4)
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')
}
