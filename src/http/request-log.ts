/** One line in the log and one observation in the figures for every answer. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from '../kit/log.ts'
import type { HttpMetrics } from './metrics.ts'

export function createRequestLog(log: Log, metrics: HttpMetrics) {
  return function note(request: FastifyRequest, reply: FastifyReply) {
    // The pattern, not the address: queries and ids may hold what a log must not.
    const { method, entry } = request
    const route = entry ? entry.pattern : (request.routeOptions.url ?? 'unknown')
    const ms = reply.elapsedTime
    metrics.answered(method, route, reply.statusCode, ms / 1000)
    log.info(
      {
        request: request.id,
        method,
        route,
        status: reply.statusCode,
        ms: Math.round(ms * 10) / 10,
        ip: request.address,
        user: request.caller?.user.uuid,
      },
      'request',
    )
  }
}
