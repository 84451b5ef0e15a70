/** Builds a response from its request (RFC 3261, 8.2.6). */

import type { Header } from '../header.ts'
import type { Answerable } from '../refusal.ts'
import { isToken } from '../syntax/token.ts'
import type { SipResponse } from './message.ts'
import { reasonPhrase } from './reason-phrases.ts'
import { type HeaderPairs, toBody, toHeaders } from './request.ts'

type NewResponse = {
  reason?: string
  /** Added to the To header if it has no tag; optional for a 100. */
  toTag?: string
  headers?: HeaderPairs
  body?: Buffer | string
}

/** If a malformed request repeats one of these, the first is copied. All Via headers are copied. */
const copiedOnce = new Set(['From', 'To', 'Call-ID', 'CSeq'])

export function buildResponse(request: Answerable, status: number, more: NewResponse = {}): SipResponse {
  const { toTag, body = '' } = more
  const copied: Header[] = []
  const seen = new Set<string>()
  for (const header of request.headers) {
    if (!isCopied(header.name, request.method, status) || seen.has(header.name)) continue
    if (copiedOnce.has(header.name)) seen.add(header.name)
    copied.push(header.name === 'To' && toTag !== undefined ? withTag(header, toTag) : header)
  }
  return {
    kind: 'response',
    status,
    reason: more.reason ?? reasonPhrase(status),
    headers: [...copied, ...toHeaders(more.headers ?? [])],
    body: toBody(body),
  }
}

function isCopied(name: string, method: string, status: number): boolean {
  if (name === 'Via' || copiedOnce.has(name)) return true
  // RFC 3261, 12.1.1: a response that creates a dialog carries the route set.
  if (name === 'Record-Route') return method === 'INVITE' && status > 100 && status < 300
  return name === 'Timestamp' && status === 100
}

/** Works on the text: a malformed To that cannot be parsed must be returned unchanged. */
function withTag(header: Header, tag: string): Header {
  if (!isToken(tag)) throw new Error('A tag is a token')
  const afterUri = header.value.slice(header.value.lastIndexOf('>') + 1)
  return /;[ \t]*tag[ \t]*=/i.test(afterUri) ? header : { ...header, value: `${header.value};tag=${tag}` }
}
