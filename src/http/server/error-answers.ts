/** Answers whatever went wrong, in the one error body (D100). */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from '../../contract/errors.ts'
import type { Log } from '../../kit/log.ts'
import type { HttpMetrics } from '../operator/metrics.ts'
import { asRefusal, errorBody } from './error-body.ts'

const tooManyBody = JSON.stringify(errorBody(refuse('RATE_LIMITED')))

export function createErrorAnswers(log: Log, metrics: HttpMetrics) {
  return function answer(error: unknown, request: FastifyRequest, reply: FastifyReply) {
    const refusal = asRefusal(error, request.entry)
    if (!refusal || refusal.statusCode >= 500) {
      log.error({ request: request.id, err: refusal?.cause ?? error }, 'request failed')
    }
    const told = refusal ?? refuse('INTERNAL_ERROR')
    if (told.retryAfter !== undefined) reply.header('Retry-After', told.retryAfter)
    if (told.code === 'RATE_LIMITED') metrics.limited()
    // Written here: the serialiser of the route knows its success, not our errors.
    return reply
      .code(told.statusCode)
      .type('application/json; charset=utf-8')
      .send(told.code === 'RATE_LIMITED' ? tooManyBody : JSON.stringify(errorBody(told)))
  }
}

/** For what is not even HTTP; there is no request to speak of. */
export function rawRefusal(cause: Error): string {
  const body = JSON.stringify(errorBody(refuse('MALFORMED_REQUEST', { cause })))
  return [
    'HTTP/1.1 400 Bad Request',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}
