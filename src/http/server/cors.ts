/** CORS: browsers may call the API from any page (D106), since a cookie counts from our own pages alone (D296). */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ignoredFieldsHeader } from './body/body-fields.ts'

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE'
/** `*` does not stand for Authorization, and old browsers do not know it. */
const allowedHeaders = 'Authorization, Content-Type, Idempotency-Key, X-Allow-Duplicate, X-Request-Id, *'
const exposedHeaders = [
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'X-Request-Id',
  'Idempotent-Replayed',
  'Deprecation',
  'Link',
  'Content-Language',
  ignoredFieldsHeader,
].join(', ')
const preflightCacheSeconds = 86_400

/** On every answer of the API. */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposedHeaders,
}

/** A preflight comes from the browser, not from the client: it is answered here and not counted. */
export function answerPreflight(request: FastifyRequest, reply: FastifyReply): boolean {
  if (request.method !== 'OPTIONS' || !request.headers['access-control-request-method']) return false
  reply
    .code(204)
    .header('Access-Control-Allow-Methods', methods)
    .header('Access-Control-Allow-Headers', allowedHeaders)
    .header('Access-Control-Max-Age', preflightCacheSeconds)
    .send()
  return true
}
