/** Counts responses and records the latency of each. */
import type { Outcome } from './http-load/job.ts'

/** More responses than a generator on one core can get in the longest round. */
const maxAnswers = 1 << 20

export function createTally() {
  const latencies = new Float64Array(maxAnswers)
  const statuses: Record<number, number> = {}
  let answered = 0

  function add(status: number, milliseconds: number) {
    if (answered === maxAnswers) throw new Error('too many answers for one round')
    latencies[answered++] = milliseconds
    statuses[status] = (statuses[status] ?? 0) + 1
  }

  function close(seconds: number): Outcome {
    const sorted = latencies.subarray(0, answered).sort()
    const quantile = (share: number) => sorted[Math.min(answered - 1, Math.floor(answered * share))] ?? 0
    return { answered, seconds, statuses, p50: quantile(0.5), p99: quantile(0.99), p999: quantile(0.999) }
  }

  return { add, close, count: () => answered }
}
