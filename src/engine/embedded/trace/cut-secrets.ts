/**
 * Overwrites the secrets of a SIP message by `x`, of the same length: Content-Length stays true. Whose credentials they are
 * stays readable.
 */
import { signatureHeader } from '../nodes/node-signature.ts'

const cut = (text: string) => text.replace(/\S/g, 'x')

const credentials = [
  'Authorization',
  'Proxy-Authorization',
  'Authentication-Info',
  'Proxy-Authentication-Info',
]
/** With the lines that continue it. */
const headerPattern = (names: string[]) =>
  new RegExp(`^((?:${names.join('|')})[ \\t]*:)((?:[^\\r\\n]|\\r\\n[ \\t])*)`, 'gim')
const credentialHeaders = headerPattern(credentials)
const signatures = headerPattern([signatureHeader])

/** Parameters of Digest from which no password can be guessed. */
const shown = new Set(['username', 'realm', 'uri', 'algorithm', 'qop', 'nc'])

/**
 * The user of a URI, and its password. As with every pattern here, no part of a text is read again after a match failed: the
 * time is linear in the length of a message that a stranger may have written.
 */
const uriUsers = /(sips?:)([^\s@<>"]*)(@?)/gi

/** Keys of SRTP (RFC 4568, 4567, and `k=` of RFC 4566), the password of ICE. */
const sdpKeys = [/(\binline:)([^\s|;]+)/gi, /^(a=key-mgmt:)([^\r\n]*)/gim, /^(k=)([^\r\n]*)/gim]
const icePasswords = /^(a=ice-pwd:)([^\r\n]*)/gim

const contentType = /^(?:Content-Type|c)[ \t]*:[ \t]*([^\s;]*)/im
/** Other bodies may be keys that somebody pressed. */
const readableBodies = /^(?:application\/sdp|message\/sipfrag|multipart\/[\w.+-]+)$/i

const keepFirst = (_whole: string, name: string, secret: string) => name + cut(secret)

export function cutSecrets(message: string): string {
  let text = cutBody(message)
    .replace(credentialHeaders, (_whole, name: string, value: string) => name + cutCredentials(value))
    .replace(signatures, keepFirst)
    .replace(uriUsers, cutUriPassword)
    .replace(icePasswords, keepFirst)
  for (const key of sdpKeys) text = text.replace(key, keepFirst)
  return text
}

function cutUriPassword(whole: string, scheme: string, user: string, at: string): string {
  const colon = user.indexOf(':')
  if (at === '' || colon < 0) return whole
  return scheme + user.slice(0, colon + 1) + cut(user.slice(colon + 1)) + at
}

function cutCredentials(value: string): string {
  const [whole, scheme = '', rest = ''] = /^(\s*\S*)([\s\S]*)$/.exec(value) ?? [value]
  // Authentication-Info has no scheme.
  if (scheme.includes('=')) return cutParameters(whole)
  return scheme.trim().toLowerCase() === 'digest' ? scheme + cutParameters(rest) : scheme + cut(rest)
}

/** All but those shown, also what is not written as a parameter. */
function cutParameters(text: string): string {
  let result = ''
  let end = 0
  for (const found of text.matchAll(/(?<![\w-])([\w-]+)(\s*=\s*)("(?:[^"\\]|\\.)*"|[^\s,]*)/g)) {
    const [whole, name = '', equals = '', value = ''] = found
    const before = text.slice(end, found.index)
    result += /^[\s,]*$/.test(before) ? before : cut(before)
    result += name + equals + (shown.has(name.toLowerCase()) ? value : cut(value))
    end = found.index + whole.length
  }
  return result + cut(text.slice(end))
}

function cutBody(message: string): string {
  const end = message.indexOf('\r\n\r\n')
  if (end < 0 || end + 4 === message.length) return message
  const head = message.slice(0, end)
  const type = contentType.exec(head)?.[1] ?? ''
  const isReadable = !head.startsWith('INFO ') && readableBodies.test(type)
  return isReadable ? message : message.slice(0, end + 4) + cut(message.slice(end + 4))
}
