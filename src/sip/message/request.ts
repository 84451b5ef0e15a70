/** Builds requests. */

import type { Header } from '../header.ts'
import type { Uri } from '../uri/uri.ts'
import { canonicalName } from './header-names.ts'
import type { SipRequest } from './message.ts'

/** Headers as pairs, which are easier to read in lists. */
export type HeaderPairs = readonly (readonly [name: string, value: string])[]

type NewRequest = { method: string; uri: Uri; headers: HeaderPairs; body?: Buffer | string }

export function buildRequest({ method, uri, headers, body = '' }: NewRequest): SipRequest {
  const given = toHeaders(headers)
  const hops = given.some(({ name }) => name === 'Max-Forwards')
    ? []
    : [{ name: 'Max-Forwards', value: '70' }]
  return { kind: 'request', method, uri, headers: [...given, ...hops], body: toBody(body) }
}

export function toHeaders(pairs: HeaderPairs): Header[] {
  return pairs.map(([name, value]) => ({ name: canonicalName(name), value }))
}

export function toBody(body: Buffer | string): Buffer {
  return typeof body === 'string' ? Buffer.from(body) : body
}
