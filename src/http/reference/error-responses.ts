/** Error responses: one for each status, shared by all operations, which list the codes they may answer. */

import { describeError, type ErrorCode, errorCodes } from '../../contract/errors.ts'
import { ErrorBody } from '../../contract/schema/common.ts'
import type { AnyEntry } from '../entry.ts'
import type { Json, Response } from './document.ts'
import { rateHeaders } from './rate-headers.ts'
import type { Schemas } from './schemas.ts'

/** What can go wrong on any route, on any with a body, and on any that wants a token. */
const everywhere: ErrorCode[] = ['INVALID_PARAMETER_VALUE', 'RATE_LIMITED']
const withBody: ErrorCode[] = ['MALFORMED_BODY', 'VALIDATION_FAILED']
const withToken: ErrorCode[] = [
  'AUTHORIZATION_REQUIRED',
  'INVALID_TOKEN',
  'ACCESS_DENIED',
  'SCOPE_REQUIRED',
  'TOKEN_ADDRESS_REFUSED',
  'ACCOUNT_SUSPENDED',
  'READ_ONLY_SESSION',
]
/** D186: lists with a filter. */
const searching: ErrorCode[] = ['SEARCH_TOO_EXPENSIVE', 'SEARCHES_BUSY']
const idempotent: ErrorCode[] = ['IDEMPOTENCY_KEY_IN_USE', 'IDEMPOTENCY_KEY_REUSED']
const usual = new Set([...everywhere, ...withBody, ...withToken])
/**
 * Those no client needs to tell apart: every operation has them as its default. VALIDATION_FAILED is that of a body which an
 * operation without one refuses (STRICT_BODIES).
 */
const remaining: ErrorCode[] = [
  'MALFORMED_REQUEST',
  'VALIDATION_FAILED',
  'BODY_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
]

const statusOf = (code: ErrorCode) => describeError(code).statusCode
const list = (codes: Iterable<ErrorCode>) => [...codes].map((code) => `\`${code}\``).join(', ')

/** By status, each with an example; only statuses that an operation refers to. */
export function sharedErrors(entries: AnyEntry[], schemas: Schemas): Record<string, Response> {
  const used = new Set(entries.flatMap((entry) => Object.keys(errorsOf(entry))).map(Number))
  const schema = schemas.reference(ErrorBody)
  const response = (description: string, code: ErrorCode): Response => ({
    description,
    // Every answer has them; they matter where a client must wait.
    ...(code === 'RATE_LIMITED' && { headers: rateHeaders }),
    content: { 'application/json': { schema, example: errorExample(code) } },
  })
  const byStatus = [...Map.groupBy(errorCodes, statusOf)]
    .filter(([status]) => used.has(status))
    .map(([status, [code = 'INTERNAL_ERROR']]) => [status, response(usualCodes(status), code)])
  return { ...Object.fromEntries(byStatus), default: response(list(remaining), 'INTERNAL_ERROR') }
}

/** The codes of an operation that lists none. */
const usualCodes = (status: number) =>
  list([...usual].filter((code) => statusOf(code) === status)) || 'Refused'

/** By status. Codes are listed where they are not the usual ones. */
export function errorsOf(entry: AnyEntry): Record<string, Response> {
  const codes = new Set<ErrorCode>([
    ...everywhere,
    ...(entry.body ? withBody : []),
    ...(entry.may === 'anyone' ? [] : withToken),
    ...(entry.idempotent ? idempotent : []),
    ...(entry.query?.filter ? searching : []),
    ...(entry.errors ?? []),
  ])
  const byStatus = [...Map.groupBy(codes, statusOf)].map(([status, ofStatus]) => {
    const description = list(ofStatus)
    // An answer to HEAD has no body.
    if (entry.method === 'HEAD') return [status, { description }]
    const $ref = `#/components/responses/${status}`
    return [status, ofStatus.every((code) => usual.has(code)) ? { $ref } : { $ref, description }]
  })
  return { ...Object.fromEntries(byStatus), default: { $ref: '#/components/responses/default' } }
}

function errorExample(code: ErrorCode): Json {
  const { statusCode, name, message } = describeError(code)
  const details = {
    context: 'User',
    codes: { password: ['length'] },
    messages: { password: ['must have at least 8 characters'] },
  }
  const error = { statusCode, name, message, code, errorCode: code }
  return { error: code === 'VALIDATION_FAILED' ? { ...error, details } : error }
}
