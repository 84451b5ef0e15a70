/** Addresses and networks, `203.0.113.7` or `203.0.113.0/24`. */
import { BlockList, isIP, isIPv6 } from 'node:net'

export function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const longest = { 4: 32, 6: 128 }[isIP(address)]
  if (longest === undefined || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= longest)
}

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4')

/** Whether an address is in one of them. */
export function inNetworks(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    if (bits === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(bits), familyOf(address))
  }
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address))
}
