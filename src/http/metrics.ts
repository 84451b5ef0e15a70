/** Figures for the operator, in Prometheus' format. */
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'

export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'ramal_' })

  const requests = new Histogram({
    name: 'ramal_http_request_seconds',
    help: 'Time to answer a request, by method, route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  })
  const limitedRequests = new Counter({
    name: 'ramal_http_rate_limited_total',
    help: 'Requests answered 429',
    registers: [registry],
  })

  return {
    registry,
    http: {
      answered(method: string, route: string, status: number, seconds: number) {
        requests.observe({ method, route, status }, seconds)
      },
      limited: () => limitedRequests.inc(),
    },
  }
}
export type Metrics = ReturnType<typeof createMetrics>
export type HttpMetrics = Metrics['http']
