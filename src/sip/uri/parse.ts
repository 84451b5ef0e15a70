import { limits } from '../limits.ts'
import { malformed } from '../refusal.ts'
import { noParams, type Params } from '../syntax/params.ts'
import { decodePart } from './escapes.ts'
import { readHostPort } from './host.ts'
import type { SipUri, TelUri, Uri } from './uri.ts'

const noHeaders: SipUri['headers'] = []

export function parseUri(text: string): Uri {
  if (text.length > limits.uriLength) throw malformed('URI too long')
  // No URI may contain spaces, control characters, quotes or angle brackets.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are refused
  if (/[\u0000-\u0020\u007f"<>]/.test(text)) throw malformed('Malformed URI')
  const colon = text.indexOf(':')
  const scheme = text.slice(0, Math.max(colon, 0)).toLowerCase()
  const rest = text.slice(colon + 1)
  if (!/^[a-z][a-z0-9+.-]*$/.test(scheme) || rest === '') throw malformed('Malformed URI')
  if (scheme === 'sip' || scheme === 'sips') return parseSip(scheme, rest)
  return scheme === 'tel' ? parseTel(rest) : { scheme: 'other', text }
}

function parseSip(scheme: 'sip' | 'sips', text: string): SipUri {
  // The user part may contain `;` and `?`, the host may not: the user part ends at the last `@`.
  const at = text.lastIndexOf('@')
  const [place = '', query] = cut(text.slice(at + 1), '?')
  const [hostPort = '', ...params] = place.split(';')
  return {
    scheme,
    ...readUserInfo(at < 0 ? undefined : text.slice(0, at)),
    ...readHostPort(hostPort),
    params: readUriParams(params),
    headers: query === undefined ? noHeaders : query.split('&').map(readHeader),
  }
}

function readUserInfo(text: string | undefined): Pick<SipUri, 'user' | 'password'> {
  if (text === undefined) return { user: undefined, password: undefined }
  const [user = '', password] = cut(text, ':')
  if (user === '' || text.includes('@')) throw malformed('Malformed user in a URI')
  return { user: decodePart(user), password: password === undefined ? undefined : decodePart(password) }
}

function readUriParams(parts: readonly string[]): Params {
  if (parts.length === 0) return noParams
  const params = new Map<string, string>()
  for (const part of parts) {
    const [name = '', value = ''] = cut(part, '=').map(decodePart)
    if (name === '') throw malformed('Empty parameter in a URI')
    if (params.has(name.toLowerCase())) throw malformed('Parameter given twice in a URI')
    params.set(name.toLowerCase(), value)
  }
  return params
}

function readHeader(part: string): [name: string, value: string] {
  const [name = '', value = ''] = cut(part, '=').map(decodePart)
  if (name === '') throw malformed('Malformed header in a URI')
  return [name, value]
}

/** RFC 3966: a global number with `+`, or a local one, which may contain letters; visual separators are kept. */
function parseTel(text: string): TelUri {
  const [number = '', ...params] = text.split(';')
  if (!/^\+?[0-9A-Fa-f*#().-]+$/.test(number) || !/[0-9A-Fa-f*#]/.test(number)) {
    throw malformed('Malformed telephone number')
  }
  return { scheme: 'tel', number, params: readUriParams(params) }
}

function cut(text: string, separator: string): [string] | [string, string] {
  const at = text.indexOf(separator)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}
