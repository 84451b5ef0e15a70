/** Percent escapes in URIs. The characters that need no escape depend on the part of the URI (RFC 3261, 25.1). */
import { malformed } from '../refusal.ts'

const unreserved = "A-Za-z0-9\\-_.!~*'()"
const without = (more: string) => new RegExp(`[^${unreserved}${more}]`, 'gu')
const mustEscape = {
  user: without('&=+$,;?/'),
  password: without('&=+$,'),
  param: without('\\[\\]/:&+$'),
  header: without('\\[\\]/?:+$'),
}
export type UriPart = keyof typeof mustEscape

export function encodePart(text: string, part: UriPart): string {
  return text.toWellFormed().replace(mustEscape[part], encodeURIComponent)
}

/** Escapes that are not UTF-8 are rejected: they are used for routing and authentication. */
export function decodePart(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    throw malformed('Malformed escape in a URI')
  }
}
