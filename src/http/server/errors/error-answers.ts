/** Answers every error with the one error body (D100). */
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Refusal, refuse } from '../../../contract/errors.ts'
import type { TSchema } from '../../../contract/schema/type.ts'
import type { Log } from '../../../kit/process/log.ts'
import { inEveryLanguage } from '../../../kit/text/language.ts'
import type { HttpMetrics } from '../../operator/metrics.ts'
import type { BodyRules } from '../body/invalid-body.ts'
import { asRefusal, errorBody } from './error-body.ts'
import { languageHeaders, responseLanguage } from './response-language.ts'

const tooMany = refuse('RATE_LIMITED')
/** Serialised once: refusing a client must cost less than serving it. */
const tooManyBody = inEveryLanguage((language) => JSON.stringify(errorBody(tooMany, language)))

export function createErrorAnswers(log: Log, metrics: HttpMetrics) {
  return function answer(error: unknown, request: FastifyRequest, reply: FastifyReply) {
    // A client that went away while sending is no failure of ours, and must not fill the log.
    const isAborted = error === request.raw.errored
    const refusal = isAborted ? refuse('MALFORMED_REQUEST') : asRefusal(error, bodyRules(request), request)
    if (!refusal || (refusal.statusCode >= 500 && !isOverload(refusal))) {
      log.error({ request: request.id, err: refusal?.cause ?? error }, 'request failed')
    }
    const answered = refusal ?? refuse('INTERNAL_ERROR')
    request.errorCode = answered.code
    if (answered.retryAfter !== undefined) reply.header('Retry-After', answered.retryAfter)
    if (answered.code === 'RATE_LIMITED') metrics.limited()
    // Spec §8: after a 429 the client waits for RateLimit-Reset. D146, D193: limits that outlast the window of the route.
    if (answered.statusCode === 429 && answered.retryAfter !== undefined) {
      reply.header('RateLimit-Remaining', 0).header('RateLimit-Reset', answered.retryAfter)
    }
    const language = responseLanguage(request)
    // Serialised here: the route's serialiser knows only the schema of its success.
    return reply
      .code(answered.statusCode)
      .type('application/json; charset=utf-8')
      .headers(languageHeaders[language])
      .send(
        answered.code === 'RATE_LIMITED'
          ? tooManyBody[language]
          : JSON.stringify(errorBody(answered, language)),
      )
  }
}

/** A limit of ours, not a failure: the log must not grow with what is refused. */
function isOverload({ statusCode, retryAfter, cause }: Refusal): boolean {
  return statusCode === 503 && retryAfter !== undefined && cause === undefined
}

function bodyRules({ entry, routeOptions }: FastifyRequest): BodyRules {
  return entry ?? { body: routeOptions.schema?.body as TSchema | undefined }
}

/** Node keeps the response that is being written on its socket. */
type HttpSocket = Socket & { _httpMessage?: { headersSent: boolean } | null }

/** For bytes that are not HTTP: there is no request object to answer. An answer that has begun is not interrupted. */
export function answerMalformed(error: NodeJS.ErrnoException, socket: HttpSocket) {
  // Without a TLS handshake there is no connection to answer on.
  const isOfTls = /^ERR_(SSL|TLS)_/.test(error.code ?? '')
  if (!isOfTls && socket.writable && !socket._httpMessage?.headersSent) socket.end(rawRefusal(error))
  else socket.destroy()
}

function rawRefusal(cause: Error): string {
  const body = JSON.stringify(errorBody(refuse('MALFORMED_REQUEST', { cause }), 'en'))
  return [
    'HTTP/1.1 400 Bad Request',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}
