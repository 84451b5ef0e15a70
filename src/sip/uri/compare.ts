/** Compares URIs (RFC 3261, 19.1.4; RFC 3966, 5). */
import type { Params } from '../syntax/params.ts'
import { formatUri, type SipUri, type TelUri, type Uri } from './uri.ts'

/** URIs differ if only one of them has such a parameter; other parameters are then ignored. */
const significantParams = new Set(['user', 'ttl', 'method', 'maddr', 'transport'])

export function sameUri(a: Uri, b: Uri): boolean {
  if (a.scheme === 'tel' && b.scheme === 'tel') return sameNumber(a, b)
  if (a.scheme === 'tel' || a.scheme === 'other') return formatUri(a) === formatUri(b)
  if (b.scheme === 'tel' || b.scheme === 'other') return false
  return (
    a.scheme === b.scheme &&
    a.user === b.user &&
    a.password === b.password &&
    a.host.toLowerCase() === b.host.toLowerCase() &&
    // A port left out is not the same as the default one written down.
    a.port === b.port &&
    sameParams(a.params, b.params) &&
    sameParams(b.params, a.params) &&
    sameHeaders(a, b)
  )
}

function sameParams(some: Params, others: Params): boolean {
  for (const [name, value] of some) {
    const other = others.get(name)
    if (other === undefined ? significantParams.has(name) : other.toLowerCase() !== value.toLowerCase())
      return false
  }
  return true
}

function sameHeaders(a: SipUri, b: SipUri): boolean {
  const sorted = (uri: SipUri) =>
    uri.headers
      .map(([name, value]) => `${name.toLowerCase()}=${value}`)
      .sort()
      .join('&')
  return sorted(a) === sorted(b)
}

function sameNumber(a: TelUri, b: TelUri): boolean {
  const digits = (uri: TelUri) => uri.number.replace(/[().-]/g, '').toLowerCase()
  if (digits(a) !== digits(b) || a.params.size !== b.params.size) return false
  return [...a.params].every(([name, value]) => b.params.get(name)?.toLowerCase() === value.toLowerCase())
}
