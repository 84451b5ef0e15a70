/** Which peers may speak for others (D105). */
import { BlockList, isIPv6 } from 'node:net'

const mostRemembered = 1_000

/** Answers for an address whether it is one of the proxies; there are few, and they ask all day. */
export function trustedProxies(named: string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const item of named) {
    const [address = '', bits] = item.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  const known = new Map<string, boolean>()
  return (address) => {
    const remembered = known.get(address)
    if (remembered !== undefined) return remembered
    const trusted = list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
    if (known.size < mostRemembered) known.set(address, trusted)
    return trusted
  }
}
