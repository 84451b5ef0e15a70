/** The HTTP server: limits, hooks and error handling that apply to every request. */
import type { IncomingMessage } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { ApiRequests } from '../../accounts/requests/api-requests.ts'
import { Refusal, refuse } from '../../contract/errors.ts'
import { andThen, type Maybe } from '../../kit/maybe.ts'
import { addressBlock } from '../../kit/networks.ts'
import type { Log } from '../../kit/process/log.ts'
import type { TlsPair } from '../../kit/process/tls-files.ts'
import { systemTimers, type Timers } from '../../kit/timers.ts'
import type { Callers } from '../../users/tokens/callers.ts'
import { type AnyEntry, basePath } from '../entry.ts'
import type { RateCounters } from '../limits/rate-counters.ts'
import { trustedProxies } from '../limits/trusted-proxies.ts'
import type { HttpMetrics } from '../operator/metrics.ts'
import { sendPage } from '../pages/html.ts'
import { linksFor, missingPage, pageLanguage, prefersHtml, type StartLinks } from '../pages/start-page.ts'
import { createAdmission } from './admission/admission.ts'
import { createInFlight } from './admission/in-flight.ts'
import { createArrivingBodies, hasBody } from './body/arriving-bodies.ts'
import { createFieldCheck } from './body/body-fields.ts'
import { acceptBodies, dropUnreadType } from './body/body-parsers.ts'
import { maxBodyBytes } from './body/content-encoding.ts'
import { answerPreflight, corsHeaders } from './cors.ts'
import { readCredential } from './credentials.ts'
import { answerMalformed, createErrorAnswers } from './errors/error-answers.ts'
import { isMalformed, readableUrl } from './errors/malformed-url.ts'
import { noRoute } from './errors/no-route.ts'
import { createRequestIds } from './request-ids.ts'
import { createRequestLog } from './request-log.ts'
import { createSchemaCompilers } from './schema-compilers.ts'
import { apiHeaders, pageHeaders } from './security-headers.ts'
import type { SessionCookie } from './session-cookie.ts'
import { isSipUpgrade } from './sip-upgrade.ts'

const maxHeaderBytes = 81_920
const maxAddressLength = 45

type Deps = {
  log: Log
  callers: Callers
  rateCounters: RateCounters | undefined
  metrics: HttpMetrics
  /** D619: the log of each account. */
  apiRequests?: Pick<ApiRequests, 'add'> | undefined
  trustProxy: string[]
  strictBodies: boolean
  /** D228: API requests in progress at once. */
  maxRequests: number
  countOthersBy: 'address' | 'user'
  links: StartLinks
  sessionCookie: SessionCookie
  /** Whether this process has phones. */
  takesSip: boolean
  /** D290: with a certificate the server speaks HTTPS. */
  tls?: TlsPair | undefined
  /** D213: how long a request may take to arrive. */
  requestTimeoutMs?: number
  timers?: Timers
}

export function createServer(deps: Deps): FastifyInstance {
  const { log, callers, rateCounters, metrics, trustProxy, strictBodies, maxRequests } = deps
  const {
    countOthersBy,
    links,
    sessionCookie,
    takesSip,
    tls,
    requestTimeoutMs = 30_000,
    timers = systemTimers,
  } = deps
  const admission = createAdmission({ callers, rateCounters, countOthersBy, timers })
  const inFlight = createInFlight(maxRequests)
  const answerError = createErrorAnswers(log, metrics)
  const logAnswer = createRequestLog({ log, metrics, apiRequests: deps.apiRequests })
  const arrivingBodies = createArrivingBodies({ timers, answerError })

  // Filters are sent in the URL; the largest allowed one must fit (D25).
  const http = {
    maxHeaderSize: maxHeaderBytes,
    requireHostHeader: false,
    // D213: late requests are looked for every 30 s by default. A timeout of headers above that of requests, as it is by
    // default, is exchanged with it: the body would have 60 s.
    connectionsCheckingInterval: Math.ceil(requestTimeoutMs / 6),
    headersTimeout: requestTimeoutMs,
    requestTimeout: requestTimeoutMs,
    shouldUpgradeCallback: (request: IncomingMessage) => takesSip && isSipUpgrade(request),
  }
  const server: FastifyInstance = Fastify({
    // request-log.ts writes one line for each request; the framework would create a logger for each.
    logger: false,
    genReqId: createRequestIds(),
    trustProxy: trustProxy.length > 0 ? trustedProxies(trustProxy) : false,
    bodyLimit: maxBodyBytes,
    // The types know HTTPS as another kind of server; nothing here depends on the kind.
    ...(tls ? { https: { ...http, ...tls, handshakeTimeout: requestTimeoutMs } as never } : { http }),
    requestTimeout: requestTimeoutMs,
    forceCloseConnections: 'idle',
    // D160: HEAD is answered wherever GET is.
    exposeHeadRoutes: true,
    rewriteUrl: (request) => readableUrl(request),
    // D107: trailing and doubled slashes, and the case of letters, are ignored; parameters keep theirs.
    routerOptions: {
      caseSensitive: false,
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      maxParamLength: maxHeaderBytes,
    },
    schemaController: { compilersFactory: createSchemaCompilers() },
    ajv: { customOptions: { allErrors: true, coerceTypes: false, removeAdditional: true } },
    frameworkErrors: (_error, request, reply) => {
      answerError(refuse('MALFORMED_REQUEST'), request, reply)
    },
    clientErrorHandler: answerMalformed,
  })
  acceptBodies(server)
  // D214: an expectation other than 100-continue is ignored; Node would answer 417 with an empty body.
  server.server.on('checkExpectation', (request, response) =>
    server.server.emit('request', request, response),
  )
  server.decorateRequest('entry', undefined)
  server.decorateRequest('isApi', false)
  server.decorateRequest('address', '')
  server.decorateRequest('caller', undefined)
  server.decorateRequest('errorCode', undefined)
  server.decorateRequest('answered', undefined)
  server.decorateRequest('counted', false)
  server.decorateRequest('place', undefined)
  server.decorateRequest('bodyArrived', undefined)
  server.decorateRequest('unknownFields', undefined)
  server.decorateRequest('readCredential', function () {
    return readCredential(this, sessionCookie)
  })

  server.addHook('onRequest', (request, reply, done) => {
    // Read once: the framework creates the object of a route's options at each use.
    const { config } = request.routeOptions
    request.entry = config.entry
    request.isApi = config.entry !== undefined || config.allow !== undefined || request.is404
    // A client that is gone already has no address.
    request.address = request.ip?.slice(0, maxAddressLength) ?? ''
    dropUnreadType(request)
    reply.header('x-request-id', request.id)
    reply.headers(request.isApi ? headersOfApi : pageHeaders)
    if (!request.isApi) {
      expectBody(request, reply)
      return done(isMalformed(request.raw) ? refuse('MALFORMED_REQUEST') : undefined)
    }
    if (answerPreflight(request, reply)) return
    if (request.entry?.deprecated) reply.headers(deprecationHeaders(request.entry.deprecated))
    if (config.allow !== undefined) reply.header('Allow', config.allow)
    try {
      request.place = inFlight.enter(reply, addressBlock(request.address))
      if (isMalformed(request.raw)) throw refuse('MALFORMED_REQUEST')
      finish(
        andThen(admission.admit(request, reply), () => expectBody(request, reply)),
        done,
      )
    } catch (error) {
      // Answered here: the framework's error handling costs more than a success.
      if (request.counted) answerError(error, request, reply)
      else done(error as Error)
    }
  })
  /** D470: while the body arrives the request holds no place, and takes one again when the body is there. */
  function expectBody(request: FastifyRequest, reply: FastifyReply) {
    const { place, caller } = request
    if (caller) place?.moveTo(caller.accountId)
    if (!hasBody(request)) return
    place?.leave()
    const arrived = arrivingBodies.expect(request, reply, caller?.accountId ?? addressBlock(request.address))
    request.bodyArrived = () => {
      arrived()
      place?.take()
    }
  }
  server.addHook('onClose', async () => arrivingBodies.stop())
  server.addHook('onRoute', (route) => {
    const entry = route.config?.entry
    if (!entry || entry.method === 'GET' || entry.method === 'HEAD') return
    const checkFields = createFieldCheck(entry, strictBodies)
    route.preValidation = (request, reply, done) => {
      if (entry.bodyOptional) request.body ??= {}
      finish(
        andThen(admission.admitBody(request, reply), () => checkFields(request, reply)),
        done,
      )
    }
  })
  server.addHook('onResponse', (request, reply, done) => {
    logAnswer(request, reply)
    done()
  })

  server.setNotFoundHandler((request, reply) => {
    const { method, url, headers } = request
    // D162: a person gets a page, a program the error body.
    if (prefersHtml(headers.accept)) {
      const page = missingPage(
        url.split('?', 1)[0] ?? '',
        linksFor(request, links),
        pageLanguage(headers['accept-language']),
      )
      return sendPage(reply.code(404).header('Vary', 'Accept, Accept-Language'), page)
    }
    throw refuse('ROUTE_NOT_FOUND', { message: noRoute(method, url.split('?', 1)[0] ?? '') })
  })
  server.setErrorHandler((error, request, reply) => {
    const isOfUnknownExtension = error instanceof Refusal && error.code === 'EXTENSION_UNKNOWN'
    if (!isOfUnknownExtension && (request.counted || !request.isApi)) {
      return answerError(error, request, reply)
    }
    // D103: every answered request counts, also one that failed before it was counted.
    return Promise.resolve()
      .then(() => admission.admitBody(request, reply))
      .then(() => (isOfUnknownExtension ? admission.countUnknownExtension(request, reply) : undefined))
      .then(() => answerError(error, request, reply))
      .catch((limited: unknown) => answerError(limited, request, reply))
  })
  return server
}

/** Answers carry data of an account; what may be kept, such as a recording, says so itself. */
const headersOfApi = { ...apiHeaders, ...corsHeaders, 'cache-control': 'no-store' }

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
