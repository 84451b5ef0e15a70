/** Browsers may call the API from any page (D106): there are no cookies to steal. */
import type { FastifyReply, FastifyRequest } from 'fastify'

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE'
const allowedHeaders = 'Authorization, Content-Type, Idempotency-Key, X-Request-Id'
const exposedHeaders =
  'RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Request-Id, Idempotent-Replayed, Deprecation, Link'
const rememberedSeconds = 86_400

/** On every answer of the API. */
export const browserHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposedHeaders,
}

/** A preflight is the browser asking, not the client: it is answered here and not counted. */
export function answerPreflight(request: FastifyRequest, reply: FastifyReply): boolean {
  if (request.method !== 'OPTIONS' || !request.headers['access-control-request-method']) return false
  reply
    .code(204)
    .header('Access-Control-Allow-Methods', methods)
    .header('Access-Control-Allow-Headers', allowedHeaders)
    .header('Access-Control-Max-Age', rememberedSeconds)
    .send()
  return true
}
