/**
 * How far the heap grows before V8 collects all of it. The flag is a percentage (bin/ramal.js): a small heap under load
 * would be collected every two seconds, and each collection delays requests by tens of milliseconds. So a small heap that
 * is collected often may grow further.
 */
import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'

export const usualPercent = 40
/** A heap up to this size is small. */
const smallBytes = 96_000_000
/** Collections that follow each other within this time are frequent. */
const oftenMs = 10_000

export type Collection = { liveBytes: number; sinceLastMs: number }

export function growthPercent({ liveBytes, sinceLastMs }: Collection): number {
  if (sinceLastMs > oftenMs) return usualPercent
  return Math.max(usualPercent, Math.round((smallBytes / liveBytes - 1) * 100))
}

type CollectionEntry = PerformanceEntry & { detail: { kind: number } }

/** For the rest of the process. */
export function adaptHeapGrowth() {
  let lastAt = Number.NEGATIVE_INFINITY
  let current = usualPercent
  const observer = new PerformanceObserver((list) => {
    for (const { detail, startTime } of list.getEntries() as CollectionEntry[]) {
      if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) onCollected(startTime)
    }
  })
  observer.observe({ entryTypes: ['gc'] })

  function onCollected(at: number) {
    const percent = growthPercent({ liveBytes: getHeapStatistics().used_heap_size, sinceLastMs: at - lastAt })
    lastAt = at
    if (percent === current) return
    current = percent
    setFlagsFromString(`--heap-growing-percent=${percent}`)
  }
}
