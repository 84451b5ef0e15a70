/** The HTTP server: limits, hooks and error handling that apply to every request. */
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { refuse } from '../../contract/errors.ts'
import type { Translated } from '../../kit/language.ts'
import { type Log, mask } from '../../kit/log.ts'
import type { Maybe } from '../../kit/maybe.ts'
import type { Callers } from '../../users/tokens/callers.ts'
import { type AnyEntry, basePath } from '../entry.ts'
import type { RateCounters } from '../limits/rate-counters.ts'
import { trustedProxies } from '../limits/trusted-proxies.ts'
import type { HttpMetrics } from '../operator/metrics.ts'
import { createAdmission } from './admission.ts'
import { answerPreflight, corsHeaders } from './cors.ts'
import { createErrorAnswers, rawRefusal } from './error-answers.ts'
import { acceptJsonOnly } from './json-body.ts'
import { createRequestLog } from './request-log.ts'
import { apiHeaders, pageHeaders } from './security-headers.ts'

const maxBodyBytes = 1_048_576
const maxHeaderBytes = 81_920
const maxAddressLength = 45

type Deps = {
  log: Log
  callers: Callers
  rateCounters: RateCounters | undefined
  metrics: HttpMetrics
  trustProxy: string[]
}

export function createServer({ log, callers, rateCounters, metrics, trustProxy }: Deps): FastifyInstance {
  const admission = createAdmission({ callers, rateCounters })
  const answerError = createErrorAnswers(log, metrics)
  const logAnswer = createRequestLog(log, metrics)

  const server: FastifyInstance = Fastify({
    // request-log.ts writes one line for each request; the framework would create a logger for each.
    logger: false,
    genReqId: (request) => givenRequestId(request.headers['x-request-id']) ?? crypto.randomUUID(),
    trustProxy: trustProxy.length > 0 ? trustedProxies(trustProxy) : false,
    bodyLimit: maxBodyBytes,
    // Filters are sent in the URL; the largest allowed one must fit (D25).
    http: { maxHeaderSize: maxHeaderBytes },
    requestTimeout: 30_000,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    // D107: trailing and doubled slashes are ignored.
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: 200 },
    ajv: { customOptions: { allErrors: true, coerceTypes: false, removeAdditional: true } },
    frameworkErrors: (_error, request, reply) => {
      answerError(refuse('MALFORMED_REQUEST'), request, reply)
    },
    clientErrorHandler: (error, socket) => {
      if (socket.writable && socket.bytesWritten === 0) socket.end(rawRefusal(error))
      else socket.destroy()
    },
  })
  acceptJsonOnly(server)
  server.decorateRequest('entry', undefined)
  server.decorateRequest('address', '')
  server.decorateRequest('caller', undefined)
  server.decorateRequest('counted', false)

  server.addHook('onRequest', (request, reply, done) => {
    request.entry = request.routeOptions.config.entry
    request.address = request.ip.slice(0, maxAddressLength)
    reply.header('X-Request-Id', request.id)
    reply.headers(isApi(request) ? headersOfApi : pageHeaders)
    if (!isApi(request)) return done()
    if (answerPreflight(request, reply)) return
    if (request.entry?.deprecated) reply.headers(deprecationHeaders(request.entry.deprecated))
    try {
      finish(admission.admit(request, reply), done)
    } catch (error) {
      // Answered here: the framework's error handling costs more than a success.
      if (request.counted) answerError(error, request, reply)
      else done(error as Error)
    }
  })
  server.addHook('onRoute', (route) => {
    const entry = route.config?.entry
    if (!entry?.body) return
    route.preValidation = (request, reply, done) => {
      if (entry.bodyOptional) request.body ??= {}
      finish(admission.admitBody(request, reply), done)
    }
  })
  server.addHook('onResponse', (request, reply, done) => {
    logAnswer(request, reply)
    done()
  })

  server.setNotFoundHandler(({ method, url }) => {
    throw refuse('ROUTE_NOT_FOUND', { message: noRoute(`${method} ${url.split('?', 1)[0]}`) })
  })
  server.setErrorHandler((error, request, reply) => {
    if (request.counted || !isApi(request)) return answerError(error, request, reply)
    // D103: every answered request counts, also one that failed before it was counted.
    return Promise.resolve()
      .then(() => admission.admitBody(request, reply))
      .then(() => answerError(error, request, reply))
      .catch((limited: unknown) => answerError(limited, request, reply))
  })
  return server
}

function noRoute(route: string): Translated<string> {
  return { en: `There is no route ${route}`, pt: `A rota ${route} não existe` }
}

const headersOfApi = { ...apiHeaders, ...corsHeaders }

/** Decided by the matched route, not by the URL's spelling: `//api/…` matches too (D107). */
const isApi = ({ entry, is404 }: FastifyRequest) => entry !== undefined || is404

/** D5: headers of a deprecated route (RFC 9745, RFC 5829). */
function deprecationHeaders({ since, successor }: NonNullable<AnyEntry['deprecated']>) {
  return {
    Deprecation: `@${Math.floor(since.getTime() / 1000)}`,
    Link: `<${basePath}${successor}>; rel="successor-version"`,
  }
}

function finish(admitted: Maybe<void>, done: (error?: Error) => void) {
  if (admitted instanceof Promise) admitted.then(() => done(), done)
  else done()
}

/** Masked like everything else that is logged. */
function givenRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\w.:-]{1,100}$/.test(header) ? mask(header) : undefined
}
