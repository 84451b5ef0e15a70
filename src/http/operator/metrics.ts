/** Metrics for the operator, in Prometheus' format. */
import { Counter, collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client'
import { createRequestTimes } from './request-times.ts'

/** `node`: who this process is; the labels of a metric that is always 1. */
export function createMetrics(node: Record<string, string> = {}) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'ramal_' })
  const times = createRequestTimes()
  registry.registerMetric(times.metric as unknown as Metric)
  const limited = new Counter({
    name: 'ramal_http_rate_limited_total',
    help: 'Requests answered 429',
    registers: [registry],
  })
  const info = new Gauge({
    name: 'ramal_node_info',
    help: 'This node',
    labelNames: Object.keys(node),
    registers: [registry],
  })
  info.set(node, 1)
  return { registry, http: { answered: times.add, limited: () => limited.inc() } }
}
export type Metrics = ReturnType<typeof createMetrics>
export type HttpMetrics = Metrics['http']
