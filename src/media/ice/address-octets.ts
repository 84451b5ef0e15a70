import { isIPv6 } from 'node:net'

/** The octets of an address, four or sixteen. It must be an address. */
export function addressOctets(address: string): number[] {
  const [plain = ''] = address.split('%')
  if (!isIPv6(plain)) return plain.split('.').map(Number)
  const [before = '', after] = plain.split('::')
  const head = groups(before)
  const tail = groups(after ?? '')
  const missing = after === undefined ? 0 : 16 - head.length - tail.length
  return [...head, ...Array<number>(missing).fill(0), ...tail]
}

/** `2001:db8` or `ffff:192.0.2.1` */
function groups(text: string): number[] {
  if (text === '') return []
  return text.split(':').flatMap((group) => {
    if (group.includes('.')) return group.split('.').map(Number)
    const value = Number.parseInt(group, 16)
    return [value >> 8, value & 0xff]
  })
}
