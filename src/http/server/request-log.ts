/** Logs and measures every answer. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isoNow, type Log } from '../../kit/process/log.ts'
import type { HttpMetrics } from '../operator/metrics.ts'

export function createRequestLog(log: Log, metrics: HttpMetrics) {
  return function logAnswer(request: FastifyRequest, reply: FastifyReply) {
    const { id, method, entry, address, caller } = request
    const { statusCode, elapsedTime } = reply
    // The route's pattern, not the URL: queries and ids may hold what must not be logged.
    const route = entry ? entry.pattern : (request.routeOptions.url ?? 'unknown')
    const ms = Math.round(elapsedTime * 10) / 10
    const user = caller ? `,"user":"${caller.user.uuid}"` : ''
    metrics.answered(method, route, statusCode, elapsedTime / 1000)
    log.line(
      `{"level":"info","time":"${isoNow()}","request":"${id}","method":"${method}","route":"${route}",` +
        `"status":${statusCode},"ms":${ms},"ip":${JSON.stringify(address)}${user},"msg":"request"}`,
    )
  }
}
