/**
 * The URL of a webhook: the origin to connect to, the path and query to request, byte for byte (D88: URLs), and the user
 * and password to send as Basic authorization (D151).
 */

const maxLength = 2048
const shape = /^(https?):\/\/([^/?#\s\\]*)([^#\s\\]*)(?:#[^\s\\]*)?$/i

/** Stands for the password wherever the URL is shown. */
const mask = '***'

export type WebhookTarget = {
  origin: string
  hostname: string
  /** Path and query exactly as written: the receiver may depend on the spelling. */
  path: string
  /** The URL without user and password, as it is stored. */
  url: string
  /** The URL as it is shown. */
  shown: string
  /** `user:password` of Basic authorization; undefined if the URL has none, or if its password is masked. */
  login: string | undefined
  /** The URL was sent back as it is shown, with the mask for its password. */
  isMasked: boolean
}

export type UrlProblem = 'length' | 'scheme' | 'characters' | 'host' | 'login'

export function readWebhookUrl(text: string): WebhookTarget | { problem: UrlProblem } {
  const trimmed = text.trim()
  if (trimmed.length > maxLength) return { problem: 'length' }
  if (!/^https?:\/\//i.test(trimmed)) return { problem: 'scheme' }
  const [, scheme = '', authority = '', rest = ''] = shape.exec(trimmed) ?? []
  if (scheme === '') return { problem: 'characters' }
  const at = authority.lastIndexOf('@')
  const host = authority.slice(at + 1)
  const url = `${scheme}://${host}${trimmed.slice(scheme.length + 3 + authority.length)}`
  if (host === '' || !URL.canParse(url)) return { problem: 'host' }
  const { origin, hostname, username } = new URL(url)
  if (username !== '') return { problem: 'host' }
  const target = { origin, hostname, path: percentEncoded(rest.startsWith('/') ? rest : `/${rest}`), url }
  if (at === -1) return { ...target, shown: trimmed, login: undefined, isMasked: false }
  const given = authority.slice(0, at)
  const colon = given.indexOf(':')
  // Without a password the user's name is the secret, such as the key of an API.
  const masked = colon === -1 ? mask : `${given.slice(0, colon)}:${mask}`
  const shown = `${scheme}://${masked}@${url.slice(scheme.length + 3)}`
  if (given === masked) return { ...target, shown, login: undefined, isMasked: true }
  const login = readLogin(given, colon)
  return login === undefined ? { problem: 'login' } : { ...target, shown, login, isMasked: false }
}

/** RFC 7617: the user's name has no colon. Both parts are percent-encoded in a URL. */
function readLogin(given: string, colon: number): string | undefined {
  const encoded = colon === -1 ? [given, ''] : [given.slice(0, colon), given.slice(colon + 1)]
  try {
    const [user = '', password = ''] = encoded.map(decodeURIComponent)
    return user === '' || user.includes(':') ? undefined : `${user}:${password}`
  } catch {
    return undefined
  }
}

/** Percent-encodes characters that are not allowed in a request line, and nothing else. */
function percentEncoded(path: string): string {
  return path.replace(/[^\x21-\x7e]+/gu, (characters) => encodeURIComponent(characters.toWellFormed()))
}
