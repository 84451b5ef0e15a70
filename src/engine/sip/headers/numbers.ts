/** Headers that are counts, seconds and words. */
import type { WithHeaders } from '../header.ts'
import { firstValue, listValues } from '../message/message.ts'
import { malformed } from '../refusal.ts'
import { isToken, readNumber } from '../syntax/token.ts'

export type CSeq = { number: number; method: string }

/** RFC 3261, 8.1.1.5. */
const largestCSeq = 2 ** 31 - 1
/** RFC 3261, 20.19. */
const mostSeconds = 2 ** 32 - 1

export function cseq(message: WithHeaders): CSeq {
  const [digits = '', method = '', ...more] = (firstValue(message, 'CSeq') ?? '').split(/[ \t]+/)
  const number = readNumber(digits)
  if (number === undefined || number > largestCSeq || !isToken(method) || more.length > 0) {
    throw malformed('Missing or malformed CSeq')
  }
  return { number, method }
}

/** `undefined` where an old sender left it out: RFC 3261, 16.3 takes that for no limit. */
export function maxForwards(message: WithHeaders): number | undefined {
  const text = firstValue(message, 'Max-Forwards')
  if (text === undefined) return undefined
  const hops = readNumber(text)
  if (hops === undefined || hops > 255) throw malformed('Malformed Max-Forwards')
  return hops
}

/** Too many seconds are the most there can be; what is no number is `undefined`. */
export function readSeconds(text: string): number | undefined {
  const seconds = readNumber(text)
  return seconds === undefined ? undefined : Math.min(seconds, mostSeconds)
}

/** A value that cannot be read counts as none given. */
export const expires = (message: WithHeaders): number | undefined =>
  readSeconds(firstValue(message, 'Expires') ?? '')
export const minExpires = (message: WithHeaders): number | undefined =>
  readSeconds(firstValue(message, 'Min-Expires') ?? '')

/** Seconds; the comment and the parameters behind them are for people. */
export const retryAfter = (message: WithHeaders): number | undefined =>
  readSeconds(/^\d+/.exec(firstValue(message, 'Retry-After') ?? '')?.[0] ?? '')

/** Lists of words may be empty and have empty places in them. */
const words = (name: string) => (message: WithHeaders) =>
  listValues(message, name).filter((word) => word !== '')
export const allow = words('Allow')
export const supported = words('Supported')
export const requires = words('Require')
export const unsupported = words('Unsupported')

/** `application/sdp`, without its parameters, in lower case. */
export function contentType(message: WithHeaders): string | undefined {
  return firstValue(message, 'Content-Type')?.split(';', 1)[0]?.trim().toLowerCase() || undefined
}
