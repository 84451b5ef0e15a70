/**
 * Response times by method, route and status: a Prometheus histogram that costs one look-up and one addition for each
 * answer. The registry reads it only when metrics are scraped.
 */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

type Series = { method: string; route: string; status: number; counts: number[]; sum: number }

const name = 'ramal_http_request_seconds'

export function createRequestTimes() {
  const all: Series[] = []
  /** By route, then by method and status: a text of all three would be created for each answer. */
  const byRoute = new Map<string, Series[]>()

  function add(method: string, route: string, status: number, seconds: number) {
    const series = find(method, route, status)
    let at = 0
    while (at < bounds.length && seconds > (bounds[at] ?? 0)) at += 1
    series.counts[at] = (series.counts[at] ?? 0) + 1
    series.sum += seconds
  }

  function find(method: string, route: string, status: number): Series {
    const ofRoute = byRoute.get(route) ?? []
    const known = ofRoute.find((series) => series.method === method && series.status === status)
    if (known) return known
    const series = { method, route, status, counts: Array<number>(bounds.length + 1).fill(0), sum: 0 }
    all.push(series)
    byRoute.set(route, [...ofRoute, series])
    return series
  }

  function reset() {
    all.length = 0
    byRoute.clear()
  }

  /** As prom-client's registry reads a metric. */
  const metric = {
    name,
    async get() {
      const help = 'Time to answer a request, by method, route and status'
      return { name, help, type: 'histogram', aggregator: 'sum', values: all.flatMap(valuesOf) }
    },
    reset,
  }
  return { add, metric }
}

function valuesOf({ method, route, status, counts, sum }: Series) {
  const labels = { method, route, status }
  let total = 0
  const buckets = counts.map((count, at) => {
    total += count
    return { metricName: `${name}_bucket`, labels: { ...labels, le: bounds[at] ?? '+Inf' }, value: total }
  })
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: total },
  ]
}
