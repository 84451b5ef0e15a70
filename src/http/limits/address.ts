/** Which client an address stands for (D105): an IPv6 user has a whole /64. */
export function addressKey(address: string): string {
  if (!address.includes(':')) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped?.[1]) return mapped[1]
  const [head = '', tail] = (address.split('%', 1)[0] ?? '').split('::', 2)
  const left = head === '' ? [] : head.split(':')
  const right = tail ? tail.split(':') : []
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...right].slice(0, 4)
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')
}
