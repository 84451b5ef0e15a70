/** Stores batches so that one bad item does not keep the others from being stored. */
import { isTransient } from './connection/database-errors.ts'

type Options<T, R> = {
  store: (items: T[]) => Promise<R>
  /** Called with each item that cannot be stored even alone. */
  onRejected: (item: T, error: unknown) => void
  /** Whether the error is worth a retry of the same items; default: transient errors. */
  isRetried?: (error: unknown) => boolean
}

/**
 * Stores a batch. If that fails with a permanent error, stores its items one by one. Throws errors that are worth a
 * retry: the caller may retry the whole batch, so storing an item twice must do no harm.
 */
export async function storeOrSplit<T, R>(items: T[], options: Options<T, R>): Promise<R[]> {
  try {
    return [await options.store(items)]
  } catch (error) {
    if ((options.isRetried ?? isTransient)(error)) throw error
    const [first] = items
    if (items.length === 1 && first !== undefined) {
      options.onRejected(first, error)
      return []
    }
  }
  const results: R[] = []
  for (const item of items) results.push(...(await storeOrSplit([item], options)))
  return results
}

/** An error may look transient and still be caused by one item: a statement that is too slow, for example. */
const maxTries = 10
/** One by one, this many transient errors in a row mean that the database is down, and not that items are bad. */
const maxFailuresInARow = 3

type RetryOptions<T, R> = Options<T, R> & {
  /** Items with the same key are stored in order: after one that must be retried, none is stored. */
  keyOf: (item: T) => unknown
}

type Outcome<T, R> = {
  results: R[]
  /** Items to be given again later, with the last error; empty if all are stored or rejected. */
  retry: T[]
  error?: unknown
}

/**
 * For a queue that retries: stores a batch as `storeOrSplit` does, and returns what must be retried. Items that have
 * been retried many times are stored apart from the others and, if that fails, one by one.
 */
export function createBatchStore<T extends object, R>(options: RetryOptions<T, R>) {
  const tries = new WeakMap<T, number>()
  const triesOf = (item: T) => tries.get(item) ?? 0

  async function storeGroup(items: T[]): Promise<Outcome<T, R>> {
    if (items.length === 0) return { results: [], retry: [] }
    try {
      return { results: await storeOrSplit(items, options), retry: [] }
    } catch (error) {
      for (const item of items) tries.set(item, triesOf(item) + 1)
      if (items.every((item) => triesOf(item) < maxTries)) return { results: [], retry: items, error }
      return await storeOneByOne(items, options)
    }
  }

  return async (items: T[]): Promise<Outcome<T, R>> => {
    const suspectKeys = new Set(items.filter((item) => triesOf(item) >= maxTries).map(options.keyOf))
    if (suspectKeys.size === 0) return await storeGroup(items)
    const isSuspect = (item: T) => suspectKeys.has(options.keyOf(item))
    const others = await storeGroup(items.filter((item) => !isSuspect(item)))
    const suspects = await storeGroup(items.filter(isSuspect))
    return {
      results: [...others.results, ...suspects.results],
      retry: [...others.retry, ...suspects.retry],
      error: others.error ?? suspects.error,
    }
  }
}

async function storeOneByOne<T, R>(items: T[], options: RetryOptions<T, R>): Promise<Outcome<T, R>> {
  const results: R[] = []
  const failed: T[] = []
  const untried: T[] = []
  const failedKeys = new Set<unknown>()
  let failuresInARow = 0
  let lastError: unknown
  for (const item of items) {
    const key = options.keyOf(item)
    if (failedKeys.has(key)) failed.push(item)
    else if (failuresInARow >= maxFailuresInARow) untried.push(item)
    else {
      try {
        results.push(...(await storeOrSplit([item], options)))
        failuresInARow = 0
      } catch (error) {
        lastError = error
        failuresInARow += 1
        failed.push(item)
        failedKeys.add(key)
      }
    }
  }
  // Those that failed go last: the next time, others are tried first.
  return { results, retry: [...untried, ...failed], error: lastError }
}
