/** Logs and measures every answer, and keeps those of accounts for their own log (D619). */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ApiRequests } from '../../accounts/requests/api-requests.ts'
import { isoNow, type Log } from '../../kit/process/log.ts'
import type { AnyEntry } from '../entry.ts'
import type { HttpMetrics } from '../operator/metrics.ts'
import { callOf } from './call-of-request.ts'

type Deps = { log: Log; metrics: HttpMetrics; apiRequests: Pick<ApiRequests, 'add'> | undefined }

export function createRequestLog({ log, metrics, apiRequests }: Deps) {
  const routes = new Map<AnyEntry, string>()

  /** As the API reference writes it. */
  function routeOf(entry: AnyEntry): string {
    const known = routes.get(entry)
    if (known !== undefined) return known
    const route = entry.path.replace(/:(\w+)/g, '{$1}')
    routes.set(entry, route)
    return route
  }

  function keep(request: FastifyRequest, status: number, ms: number) {
    const { id, method, entry, address, caller, errorCode } = request
    if (!apiRequests || !caller || !entry) return
    apiRequests.add({
      accountId: caller.accountId,
      requestId: id,
      method,
      route: routeOf(entry),
      status,
      code: errorCode,
      durationMs: ms,
      userUuid: caller.user.uuid,
      userEmail: caller.user.email,
      tokenRef: caller.tokenRef,
      tokenKind: caller.session ? 'session' : 'token',
      address,
      callId: callOf(request),
    })
  }

  return function logAnswer(request: FastifyRequest, reply: FastifyReply) {
    const { id, method, entry, address, caller } = request
    const { statusCode, elapsedTime } = reply
    // The route's pattern, not the URL: queries and ids may hold what must not be logged.
    const route = entry ? entry.pattern : (request.routeOptions.url ?? 'unknown')
    const ms = Math.round(elapsedTime * 10) / 10
    const user = caller ? `,"user":"${caller.user.uuid}"` : ''
    metrics.answered(method, route, statusCode, elapsedTime / 1000)
    keep(request, statusCode, ms)
    log.line(
      `{"level":"info","time":"${isoNow()}","request":"${id}","method":"${method}","route":"${route}",` +
        `"status":${statusCode},"ms":${ms},"ip":${JSON.stringify(address)}${user},"msg":"request"}`,
    )
  }
}
