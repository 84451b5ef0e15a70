/** Ports and addresses in SDP. */
import { isIP } from 'node:net'
import { malformed } from '../refusal.ts'
import { readNumber } from '../syntax/token.ts'

export function readMediaPort(text: string): number {
  const port = readNumber(text)
  if (port === undefined || port > 65_535) throw malformed('Malformed port in SDP')
  return port
}

/**
 * `IN IP4 192.0.2.1`. A multicast address has its time to live behind it. Undefined for a name, which is never resolved:
 * browsers hide their addresses behind mDNS names, and ICE finds the way without them.
 */
export function readConnection(value: string): string | undefined {
  const [net, family = '', place = ''] = value.trim().split(/[ \t]+/)
  const address = place.split('/', 1)[0] ?? ''
  const version = isIP(address.includes('%') ? '' : address)
  const isName = version === 0 && /^IP[46]$/.test(family) && hostName.test(address)
  if (net !== 'IN' || (!isName && family !== `IP${version}`)) throw malformed('Malformed address in SDP')
  return isName ? undefined : address
}
/** The last label has a letter: nothing else tells a name from a malformed IPv4 address. */
const hostName = /^(?=.{1,253}$)(?:[a-z\d-]{1,63}\.)*(?=[\d-]*[a-z])[a-z\d-]{1,63}$/i

export function formatConnection(address: string): string {
  const version = isIP(address)
  if (version === 0) throw new Error('SDP carries addresses, not names')
  return `IN IP${version} ${address}`
}
