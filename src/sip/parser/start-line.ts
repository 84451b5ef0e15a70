import type { SipRequest, SipResponse } from '../message/message.ts'
import { malformed, SipRefusal } from '../refusal.ts'
import { isToken } from '../syntax/token.ts'
import { parseUri } from '../uri/parse.ts'

type RequestLine = Pick<SipRequest, 'kind' | 'method' | 'uri'>
type StatusLine = Pick<SipResponse, 'kind' | 'status' | 'reason'>

/** Exactly one space between the parts, as in the grammar: lenient parsing would allow request smuggling. */
export function parseStartLine(line: string): RequestLine | StatusLine {
  return isStatusLine(line) ? parseStatusLine(line) : parseRequestLine(line)
}

export function isStatusLine(line: string): boolean {
  return /^SIP\//i.test(line)
}

function parseStatusLine(line: string): StatusLine {
  const [, digits, reason] = /^SIP\/2\.0 ([1-6]\d\d)(?: (.*))?$/i.exec(line) ?? []
  if (digits === undefined) throw malformed('Malformed status line')
  return { kind: 'response', status: Number(digits), reason: reason ?? '' }
}

function parseRequestLine(line: string): RequestLine {
  const [method = '', uri = '', version = '', ...more] = line.split(' ')
  if (more.length > 0 || !isToken(method)) throw malformed('Malformed request line')
  if (/^SIP\/\d+\.\d+$/i.test(version) && version.toUpperCase() !== 'SIP/2.0') {
    throw new SipRefusal(505, 'Version Not Supported')
  }
  if (version.toUpperCase() !== 'SIP/2.0') throw malformed('Malformed request line')
  const target = parseUri(uri)
  // RFC 3261, 19.1.1: headers are not allowed in a Request-URI.
  if (target.scheme !== 'other' && target.scheme !== 'tel' && target.headers.length > 0) {
    throw malformed('Headers in the Request-URI')
  }
  return { kind: 'request', method, uri: target }
}
