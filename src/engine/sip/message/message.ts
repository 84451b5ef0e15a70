/** A SIP message: its start line, its headers in the order they came, its body. */
import { splitOutside } from '../syntax/split.ts'
import type { Uri } from '../uri/uri.ts'
import type { Header, WithHeaders } from './header.ts'
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
  const wanted = canonicalName(name).toLowerCase()
  const found: string[] = []
  for (const header of message.headers) {
    if (header.name.length === wanted.length && header.name.toLowerCase() === wanted) found.push(header.value)
  }
  return found
}

export function firstValue(message: WithHeaders, name: string): string | undefined {
  return values(message, name)[0]
}

/**
 * The values of a header that may list several in a line, separated by commas. Not for those where a comma
 * means something else: dates, challenges and credentials.
 */
export function listValues(message: WithHeaders, name: string): string[] {
  return values(message, name).flatMap((value) => splitOutside(value, ','))
}
