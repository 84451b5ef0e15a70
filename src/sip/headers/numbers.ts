/** Headers that are numbers, seconds or lists of tokens. */
import type { WithHeaders } from '../header.ts'
import { firstValue, listValues } from '../message/message.ts'
import { malformed } from '../refusal.ts'
import { isToken, readNumber } from '../syntax/token.ts'

export type CSeq = { number: number; method: string }

/** RFC 3261, 8.1.1.5. */
const maxCSeq = 2 ** 31 - 1
/** RFC 3261, 20.19. */
const maxSeconds = 2 ** 32 - 1

export function cseq(message: WithHeaders): CSeq {
  const [digits = '', method = '', ...more] = (firstValue(message, 'CSeq') ?? '').split(/[ \t]+/)
  const number = readNumber(digits)
  if (number === undefined || number > maxCSeq || !isToken(method) || more.length > 0) {
    throw malformed('Missing or malformed CSeq')
  }
  return { number, method }
}

/** `undefined` if it is missing, which RFC 3261, 16.3 allows for older senders. */
export function maxForwards(message: WithHeaders): number | undefined {
  const text = firstValue(message, 'Max-Forwards')
  if (text === undefined) return undefined
  const hops = readNumber(text)
  if (hops === undefined || hops > 255) throw malformed('Malformed Max-Forwards')
  return hops
}

/** Capped at the maximum; `undefined` if it is not a number. */
export function readSeconds(text: string): number | undefined {
  const seconds = readNumber(text)
  return seconds === undefined ? undefined : Math.min(seconds, maxSeconds)
}

/** A malformed value counts as missing. */
export const expires = (message: WithHeaders): number | undefined =>
  readSeconds(firstValue(message, 'Expires') ?? '')
export const minExpires = (message: WithHeaders): number | undefined =>
  readSeconds(firstValue(message, 'Min-Expires') ?? '')

/** In seconds; the comment and parameters after the number are ignored. */
export const retryAfter = (message: WithHeaders): number | undefined =>
  readSeconds(/^\d+/.exec(firstValue(message, 'Retry-After') ?? '')?.[0] ?? '')

/** Lists may be empty and have empty elements. */
const tokenList = (name: string) => (message: WithHeaders) =>
  listValues(message, name).filter((token) => token !== '')
export const allow = tokenList('Allow')
export const supported = tokenList('Supported')
export const requires = tokenList('Require')
export const unsupported = tokenList('Unsupported')

/** `application/sdp`, without its parameters, in lower case. */
export function contentType(message: WithHeaders): string | undefined {
  return firstValue(message, 'Content-Type')?.split(';', 1)[0]?.trim().toLowerCase() || undefined
}
