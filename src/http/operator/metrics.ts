/** Metrics for the operator, in Prometheus' format. */
import { Counter, collectDefaultMetrics, type Metric, Registry } from 'prom-client'
import { createRequestTimes } from './request-times.ts'

export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'ramal_' })
  const times = createRequestTimes()
  registry.registerMetric(times.metric as unknown as Metric)
  const limited = new Counter({
    name: 'ramal_http_rate_limited_total',
    help: 'Requests answered 429',
    registers: [registry],
  })
  return { registry, http: { answered: times.add, limited: () => limited.inc() } }
}
export type Metrics = ReturnType<typeof createMetrics>
export type HttpMetrics = Metrics['http']
