/** Serialises messages: CRLF line ends, canonical header names, and the actual Content-Length. */
import { breaksLine, isToken } from '../syntax/token.ts'
import { formatUri } from '../uri/uri.ts'
import { knownName } from './header-names.ts'
import type { SipMessage } from './message.ts'

/** Throws if a value contains a line break (header injection). */
export function serialise(message: SipMessage): Buffer {
  const lines = [startLine(message)]
  for (const header of message.headers) {
    const name = knownName(header.name) ?? ownName(header.name)
    if (name !== 'Content-Length') lines.push(checked(`${name}: ${header.value}`))
  }
  lines.push(`Content-Length: ${message.body.length}`, '', '')
  const head = Buffer.from(lines.join('\r\n'))
  return message.body.length === 0 ? head : Buffer.concat([head, message.body])
}

function startLine(message: SipMessage): string {
  if (message.kind === 'response') return checked(`SIP/2.0 ${message.status} ${message.reason}`)
  const uri = formatUri(message.uri)
  if (!isToken(message.method)) throw new Error('The method of a request is a token')
  if (/[ \t]/.test(uri)) throw new Error('A Request-URI has no blanks')
  return checked(`${message.method} ${uri} SIP/2.0`)
}

function ownName(name: string): string {
  if (!isToken(name)) throw new Error('The name of a header is a token')
  return name
}

function checked(line: string): string {
  if (breaksLine(line)) throw new Error('A line of a message holds CR, LF or NUL')
  return line
}
