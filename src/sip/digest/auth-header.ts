/** Challenges and credentials: `Digest realm="a", nonce="b", qop="auth"` (RFC 3261, 20.7 and 20.44). */
import type { WithHeaders } from '../header.ts'
import { values } from '../message/message.ts'
import { malformed, SipRefusal } from '../refusal.ts'
import { quote, unquote } from '../syntax/quoted.ts'
import { splitOutside } from '../syntax/split.ts'
import { isToken, trimBlanks } from '../syntax/token.ts'

export type AuthHeader = { scheme: string; params: ReadonlyMap<string, string> }
export type AuthHeaderName =
  | 'WWW-Authenticate'
  | 'Proxy-Authenticate'
  | 'Authorization'
  | 'Proxy-Authorization'

/** Commas are part of the value, so every line is one challenge. Malformed ones and other schemes are skipped. */
export function digests(message: WithHeaders, name: AuthHeaderName): AuthHeader[] {
  return values(message, name).flatMap((value) => {
    try {
      const header = parseAuthHeader(value)
      return header.scheme.toLowerCase() === 'digest' ? [header] : []
    } catch (error) {
      if (error instanceof SipRefusal) return []
      throw error
    }
  })
}

export function parseAuthHeader(text: string): AuthHeader {
  const blank = text.search(/[ \t]/)
  const scheme = blank < 0 ? text : text.slice(0, blank)
  if (!isToken(scheme)) throw malformed('Malformed authentication scheme')
  const params = new Map<string, string>()
  for (const part of blank < 0 ? [] : splitOutside(text.slice(blank), ',')) {
    const equals = part.indexOf('=')
    const name = trimBlanks(part.slice(0, Math.max(equals, 0))).toLowerCase()
    const value = trimBlanks(part.slice(equals + 1))
    if (!isToken(name) || params.has(name)) throw malformed('Malformed authentication parameter')
    params.set(name, value.startsWith('"') ? unquote(value) : value)
  }
  return { scheme, params }
}

/** Parameters without quotes in the grammar; some receivers insist on that. */
const bare = new Set(['algorithm', 'stale', 'nc'])

export function formatDigest(
  params: Iterable<readonly [name: string, value: string]>,
  bareQop = false,
): string {
  const isBare = (name: string) => bare.has(name) || (bareQop && name === 'qop')
  const parts = [...params].map(([name, value]) => `${name}=${isBare(name) ? value : quote(value)}`)
  return `Digest ${parts.join(', ')}`
}
