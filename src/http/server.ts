/** The front door: turns route entries into a running HTTP server. */
import type { AddressInfo } from 'node:net'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { refuse } from '../contract/errors.ts'
import type { Log } from '../kit/log.ts'
import type { Idempotency } from '../store/idempotency.ts'
import type { Callers } from '../users/callers.ts'
import { createAdmission } from './admit.ts'
import { answerPreflight, openToBrowsers } from './browsers.ts'
import { type AnyEntry, basePath, Page, type Query } from './entry.ts'
import { asRefusal, errorBody } from './errors.ts'
import { sendPage } from './html.ts'
import { runOnce } from './idempotent.ts'
import type { HttpMetrics } from './metrics.ts'
import { apiHeaders, pageHeaders } from './security-headers.ts'
import type { Windows } from './windows.ts'

const mostBodyBytes = 1_048_576
const mostHeaderBytes = 81_920

type Deps = {
  log: Log
  callers: Callers
  windows: Windows | undefined
  metrics: HttpMetrics
  trustProxy: string[]
}

export async function createServer(deps: Deps): Promise<FastifyInstance> {
  const { log, metrics } = deps
  const admission = createAdmission(deps)
  const server = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    // One line a request, written below; a logger of its own for each would cost more than the line.
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (logger) => logger,
    genReqId: (request) => givenRequestId(request.headers['x-request-id']) ?? crypto.randomUUID(),
    trustProxy: deps.trustProxy.length > 0 ? deps.trustProxy : false,
    bodyLimit: mostBodyBytes,
    // A filter travels in the address; the largest one allowed must fit (D25).
    http: { maxHeaderSize: mostHeaderBytes },
    requestTimeout: 30_000,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    routerOptions: {
      // D107
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      maxParamLength: 200,
    },
    ajv: { customOptions: { allErrors: true, coerceTypes: false, removeAdditional: true } },
    frameworkErrors: (_error, request, reply) => {
      answerError(refuse('MALFORMED_REQUEST'), request, reply)
    },
    clientErrorHandler: (error, socket) => {
      const body = JSON.stringify(errorBody(refuse('MALFORMED_REQUEST', { cause: error })))
      if (!socket.writable || socket.bytesWritten > 0) return socket.destroy()
      socket.end(
        `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
      )
    },
  })

  server.decorateRequest('caller', undefined)
  server.decorateRequest('counted', false)
  takeJsonOnly(server)

  server.addHook('onRequest', async (request, reply) => {
    reply.header('X-Request-Id', request.id)
    const api = isApi(request)
    reply.headers(api ? apiHeaders : pageHeaders)
    if (!api) return
    openToBrowsers(reply)
    if (answerPreflight(request, reply)) return reply
    await admission.admit(request, reply)
  })
  server.addHook('onRoute', (route) => {
    if (route.config?.entry?.body) route.preValidation = admission.admitBody
  })
  server.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    metrics.answered(request.method, route, reply.statusCode, reply.elapsedTime / 1000)
    log.info(
      {
        request: request.id,
        method: request.method,
        // The pattern, not the address: queries and ids may hold what a log must not.
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        ip: request.ip,
        user: request.caller?.user.uuid,
      },
      'request',
    )
  })

  server.setNotFoundHandler((request) => {
    throw refuse('ROUTE_NOT_FOUND', {
      message: `There is no route ${request.method} ${request.url.split('?', 1)[0]}`,
    })
  })

  server.setErrorHandler(async (error, request, reply) => {
    let cause: unknown = error
    // Every answered request counts (D103), also one that failed before it could be counted.
    if (isApi(request))
      await admission.admitBody(request, reply).catch((limited: unknown) => (cause = limited))
    return answerError(cause, request, reply)
  })

  function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
    const refusal = asRefusal(error, request.routeOptions?.config.entry)
    if (!refusal || refusal.statusCode >= 500) {
      log.error({ request: request.id, err: refusal?.cause ?? error }, 'request failed')
    }
    const answer = refusal ?? refuse('INTERNAL_ERROR')
    if (answer.retryAfter !== undefined) reply.header('Retry-After', answer.retryAfter)
    if (answer.code === 'RATE_LIMITED') metrics.limited()
    return reply.code(answer.statusCode).type('application/json; charset=utf-8').send(errorBody(answer))
  }

  return server
}

/** Adds the routes of the API below its base path. */
export function addEntries(server: FastifyInstance, entries: AnyEntry[], idempotency: Idempotency) {
  for (const entry of entries) {
    const status = entry.status ?? 200
    server.route({
      method: entry.method,
      url: `${basePath}${entry.path}`,
      config: { entry },
      schema: {
        ...(entry.body && { body: entry.body }),
        ...(entry.reply && { response: { [status]: entry.reply } }),
      },
      async handler(request, reply) {
        if (entry.may !== 'anyone' && !request.caller) throw refuse('AUTHORIZATION_REQUIRED')
        const asked = {
          caller: request.caller,
          body: request.body ?? {},
          params: request.params as Record<string, string>,
          query: request.query as Query,
          headers: request.headers,
          keep: async () => {},
        }
        const answer = entry.idempotent
          ? await runOnce(entry, asked, request, reply, idempotency)
          : await entry.run(asked)
        if (answer instanceof Page) {
          return sendPage(reply.code(answer.status), answer.html)
        }
        return reply.code(reply.statusCode === 200 ? status : reply.statusCode).send(answer)
      },
    })
  }
}

/** JSON, or nothing: an empty body is no body, whatever its content type says (D13). */
function takeJsonOnly(server: FastifyInstance) {
  const parse = server.getDefaultJsonParser('error', 'ignore')
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    return parse(request, String(body), done)
  })
}

/** By the route that was found, not by the spelling of the address: `//api/…` finds it too (D107). */
const isApi = ({ routeOptions, is404 }: FastifyRequest) => is404 || routeOptions.config.entry !== undefined

function givenRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\w.:-]{1,100}$/.test(header) ? header : undefined
}

/** Where it listens, as a URL. */
export async function listen(server: FastifyInstance, host: string, port: number): Promise<string> {
  await server.listen({ host, port })
  return urlOf(host, (server.server.address() as AddressInfo).port)
}

export function urlOf(host: string, port: number): string {
  const name = host.includes(':') ? `[${host}]` : host === '127.0.0.1' ? 'localhost' : host
  return `http://${name}:${port}`
}

const drainMs = 25_000

/** Takes nothing new and answers what was asked; whoever has not finished asking by then is cut off. */
export async function drain(server: FastifyInstance) {
  // A connection is closed as soon as its last answer is out, not when its client lets go of it.
  const idle = setInterval(() => server.server.closeIdleConnections(), 20)
  const late = setTimeout(() => server.server.closeAllConnections(), drainMs)
  await server.close()
  clearInterval(idle)
  clearTimeout(late)
}
