import { isIP } from 'node:net'

/**
 * Whether media may be sent to an address from an SDP body, which is untrusted input: not to a host name, to the
 * unspecified address (`0.0.0.0` is an old form of hold) or to multicast. Checked for every packet, so cached.
 */
export function isSendable(address: string, port: number): boolean {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return false
  const cached = cache.get(address)
  if (cached !== undefined) return cached
  if (cache.size >= maxCached) cache.clear()
  const sendable = isUnicast(address)
  cache.set(address, sendable)
  return sendable
}

const cache = new Map<string, boolean>()
const maxCached = 4096

function isUnicast(address: string): boolean {
  if (isIP(address) === 6) return address !== '::' && !/^ff/i.test(address)
  const first = Number(address.split('.')[0])
  return isIP(address) === 4 && first > 0 && first < 224
}
