/** Quantiles of many values without keeping them: of packets, or of registrations. */
import { createHistogram } from 'node:perf_hooks'

export type Quantiles = { p50: number; p99: number; p999: number }

export function createQuantiles() {
  // Whole microseconds, from 1 on.
  const histogram = createHistogram()
  return {
    add: (milliseconds: number) => histogram.record(Math.max(1, Math.round(milliseconds * 1000))),
    /** In milliseconds, of the values since the last `read`. */
    read(): Quantiles {
      const at = (percent: number) => histogram.percentile(percent) / 1000
      const quantiles = { p50: at(50), p99: at(99), p999: at(99.9) }
      histogram.reset()
      return quantiles
    },
  }
}
