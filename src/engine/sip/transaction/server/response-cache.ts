/**
 * Answers kept in case the question is repeated: in the order they were given, each for the same time, and under a
 * flood the oldest shorter, so that memory has an end and new requests are still taken.
 */
import type { Timer, Timers } from '../../../../kit/timers.ts'
import type { Server } from './server-transaction.ts'

type Deps = {
  timers: Timers
  keptMs: number
  most: number
  mostBytes: number
  /** Its time is over. */
  drop(server: Server): void
}

export function createShelf({ timers, keptMs, most, mostBytes, drop }: Deps) {
  /** By the time until which each is kept. */
  const kept = new Map<Server, number>()
  let bytes = 0
  let timer: Timer | undefined

  function put(server: Server) {
    kept.set(server, timers.now() + keptMs)
    bytes += sizeOf(server)
    while (kept.size > most || bytes > mostBytes) dropOldest()
    timer ??= timers.after(keptMs, expire)
  }

  function take(server: Server) {
    if (kept.delete(server)) bytes -= sizeOf(server)
    if (kept.size === 0) stopWaiting()
  }

  function dropOldest() {
    const [oldest] = kept.keys()
    if (!oldest) return
    take(oldest)
    drop(oldest)
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
      drop(server)
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

function sizeOf({ last }: Server): number {
  return overhead + (last?.length ?? 0)
}
