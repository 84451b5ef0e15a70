/** D105: the client's address is the socket's, unless the socket's peer is a trusted proxy and names another. */
import { inNetworks } from '../../kit/networks.ts'

const maxCached = 1_000

/** Returns a test of whether a peer is one of the proxies. Answers are cached: few peers ask all day. */
export function trustedProxies(networks: string[]): (address: string) => boolean {
  const isProxy = inNetworks(networks)
  const cache = new Map<string, boolean>()
  return (address) => {
    const cached = cache.get(address)
    if (cached !== undefined) return cached
    const trusted = isProxy(address)
    if (cache.size < maxCached) cache.set(address, trusted)
    return trusted
  }
}
