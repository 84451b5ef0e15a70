/** Batches items: while one statement runs, new items wait for the next. One bad item does not fail its batch. */
import { storeOrSplit } from './batch-store.ts'

const maxStatements = 4
const maxBatch = 200

type Options = {
  /** Another statement starts beside the running ones once this many items wait for each of them, by default 8. */
  itemsPerStatement?: number
  /** Or once the newest has run for so long, by default 250: it may wait for a lock that other items do not need. */
  slowMs?: number
}

type Request<T, R> = {
  item: T
  resolve: (result: R) => void
  reject: (error: unknown) => void
}

/** `run` returns one result for each item, in order. */
export function createBatcher<T, R>(
  run: (items: T[]) => Promise<R[]>,
  { itemsPerStatement = 8, slowMs = 250 }: Options = {},
): (item: T) => Promise<R> {
  const waiting: Request<T, R>[] = []
  let running = 0
  let startedAt = 0
  let scheduled = false

  const isSlow = () => waiting.length > 0 && performance.now() - startedAt >= slowMs

  function schedule() {
    if (scheduled) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      while (running < maxStatements && (waiting.length > running * itemsPerStatement || isSlow())) {
        running += 1
        startedAt = performance.now()
        void serve(waiting.splice(0, maxBatch)).finally(() => {
          running -= 1
          if (waiting.length > 0) schedule()
        })
      }
    })
  }

  async function serve(requests: Request<T, R>[]) {
    try {
      await storeOrSplit(requests, {
        store: async (batch) => {
          const results = await run(batch.map(({ item }) => item))
          for (const [index, { resolve }] of batch.entries()) resolve(results[index] as R)
        },
        onRejected: ({ reject }, error) => reject(error),
      })
    } catch (error) {
      for (const { reject } of requests) reject(error)
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      schedule()
    })
}
