/** The Privacy header (RFC 3323; `id` of RFC 3325): the caller does not want to be known to the callee. */
import type { WithHeaders } from '../header.ts'
import { values } from '../message/message.ts'
import { from } from './parties.ts'

const withheld = new Set(['id', 'user', 'header'])
const anonymousUser = /^(?:anonymous|unavailable|restricted)$/i

export function requestsPrivacy(message: WithHeaders): boolean {
  const requested = values(message, 'Privacy').flatMap((value) => value.toLowerCase().split(/[;,\s]+/))
  return requested.some((kind) => withheld.has(kind))
}

/** Phones withhold their number by the header, or by an anonymous From. */
export function isAnonymous(message: WithHeaders): boolean {
  const { uri } = from(message)
  const user = uri.scheme === 'sip' || uri.scheme === 'sips' ? uri.user : undefined
  return requestsPrivacy(message) || anonymousUser.test(user ?? '')
}
