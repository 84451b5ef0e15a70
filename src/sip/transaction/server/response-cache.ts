/**
 * Final responses, kept for retransmitted requests. Each is kept for the same time, in the order they were sent; under
 * a flood the oldest are dropped earlier, which bounds memory and still admits new requests.
 */
import type { Timer, Timers } from '../../../kit/timers.ts'
import type { ServerTransaction } from './server-transaction.ts'

type Deps = {
  timers: Timers
  keptMs: number
  maxResponses: number
  maxBytes: number
  /** Its time is over, or it was dropped for a newer one. */
  onExpired(transaction: ServerTransaction): void
}

export function createResponseCache({ timers, keptMs, maxResponses, maxBytes, onExpired }: Deps) {
  /** With the time until which each is kept. */
  const kept = new Map<ServerTransaction, number>()
  let bytes = 0
  let timer: Timer | undefined

  function put(transaction: ServerTransaction) {
    kept.set(transaction, timers.now() + keptMs)
    bytes += sizeOf(transaction)
    while (kept.size > maxResponses || bytes > maxBytes) dropOldest()
    timer ??= timers.after(keptMs, expire)
  }

  function take(transaction: ServerTransaction) {
    if (kept.delete(transaction)) bytes -= sizeOf(transaction)
    if (kept.size === 0) stopWaiting()
  }

  function dropOldest() {
    const [oldest] = kept.keys()
    if (!oldest) return
    take(oldest)
    onExpired(oldest)
  }

  function expire() {
    timer = undefined
    const now = timers.now()
    for (const [transaction, until] of kept) {
      if (until > now) {
        timer = timers.after(until - now, expire)
        return
      }
      take(transaction)
      onExpired(transaction)
    }
  }

  function stopWaiting() {
    timer?.cancel()
    timer = undefined
  }

  function stop() {
    stopWaiting()
    kept.clear()
    bytes = 0
  }

  return { put, take, stop, size: () => kept.size }
}

/** Approximate memory besides the response: key, addresses, the record itself. */
const overhead = 600

function sizeOf({ lastResponse }: ServerTransaction): number {
  return overhead + (lastResponse?.length ?? 0)
}
