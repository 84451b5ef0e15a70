/**
 * Answers kept in case the question is repeated: in the order they were given, each for the same time, and under a
 * flood the oldest shorter, so that memory has an end and new requests are still taken.
 */
import type { Timer, Timers } from '../../../../kit/timers.ts'
import type { ServerTransaction } from './server-transaction.ts'

type Deps = {
  timers: Timers
  keptMs: number
  maxResponses: number
  maxBytes: number
  /** Its time is over. */
  onExpired(server: ServerTransaction): void
}

export function createResponseCache({ timers, keptMs, maxResponses, maxBytes, onExpired }: Deps) {
  /** By the time until which each is kept. */
  const kept = new Map<ServerTransaction, number>()
  let bytes = 0
  let timer: Timer | undefined

  function put(server: ServerTransaction) {
    kept.set(server, timers.now() + keptMs)
    bytes += sizeOf(server)
    while (kept.size > maxResponses || bytes > maxBytes) dropOldest()
    timer ??= timers.after(keptMs, expire)
  }

  function take(server: ServerTransaction) {
    if (kept.delete(server)) bytes -= sizeOf(server)
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
    for (const [server, until] of kept) {
      if (until > now) {
        timer = timers.after(until - now, expire)
        return
      }
      take(server)
      onExpired(server)
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

/** Roughly what it takes besides the answer: key, addresses, the record itself. */
const overhead = 600

function sizeOf({ lastResponse }: ServerTransaction): number {
  return overhead + (lastResponse?.length ?? 0)
}
