/** A SIP message: its start line, its headers in their order, its body. */

import type { Header, WithHeaders } from '../header.ts'
import { splitOutside } from '../syntax/split.ts'
import type { Uri } from '../uri/uri.ts'
import { canonicalName } from './header-names.ts'

export type SipRequest = {
  readonly kind: 'request'
  readonly method: string
  readonly uri: Uri
  readonly headers: readonly Header[]
  readonly body: Buffer
}

export type SipResponse = {
  readonly kind: 'response'
  readonly status: number
  readonly reason: string
  readonly headers: readonly Header[]
  readonly body: Buffer
}

export type SipMessage = SipRequest | SipResponse

/** Every value of a header, one for each line of it. */
export function values(message: WithHeaders, name: string): string[] {
  const wanted = canonicalName(name)
  const found: string[] = []
  for (const header of message.headers) if (isNamed(header, wanted)) found.push(header.value)
  return found
}

export function firstValue(message: WithHeaders, name: string): string | undefined {
  const wanted = canonicalName(name)
  for (const header of message.headers) if (isNamed(header, wanted)) return header.value
  return undefined
}

/** Known headers have their canonical spelling; others are compared without case. */
function isNamed({ name }: Header, wanted: string): boolean {
  if (name === wanted) return true
  if (name.length !== wanted.length || (name.charCodeAt(0) | 32) !== (wanted.charCodeAt(0) | 32)) return false
  return name.toLowerCase() === wanted.toLowerCase()
}

/**
 * The values of a header that may list several in a line, separated by commas. Not for headers in which a comma is
 * part of the value: dates, challenges and credentials.
 */
export function listValues(message: WithHeaders, name: string): string[] {
  const found: string[] = []
  const wanted = canonicalName(name)
  for (const header of message.headers) {
    if (isNamed(header, wanted)) found.push(...splitOutside(header.value, ','))
  }
  return found
}
