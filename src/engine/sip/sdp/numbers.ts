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
 * `IN IP4 192.0.2.1`. A multicast address has its time to live behind it. Names are refused: media go to
 * addresses.
 */
export function readConnection(value: string): string {
  const [net, family, place = ''] = value.trim().split(/[ \t]+/)
  const address = place.split('/', 1)[0] ?? ''
  const version = isIP(address.includes('%') ? '' : address)
  if (net !== 'IN' || version === 0 || family !== `IP${version}`) throw malformed('Malformed address in SDP')
  return address
}

export function formatConnection(address: string): string {
  const version = isIP(address)
  if (version === 0) throw new Error('SDP carries addresses, not names')
  return `IN IP${version} ${address}`
}
