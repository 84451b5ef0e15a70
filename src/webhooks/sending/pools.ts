/** Connections to receivers, kept open between events: one pool for each origin, of those last used. */
import { buildConnector, Pool } from 'undici'
import type { Guard } from './guard.ts'

const mostOrigins = 1_000
/** Receivers may name another time; one that closes first makes an attempt fail. */
const idleMs = 4_000
const longestIdleMs = 60_000

export function createPools(guard: Guard, connectMs: number) {
  const pools = new Map<string, Pool>()
  // The environment's proxies are not asked, redirects not followed: a pool does neither.
  const connectChecked = buildConnector({ timeout: connectMs, allowH2: false, lookup: guard.lookUp })

  const connect: typeof connectChecked = (options, callback) => {
    try {
      guard.checkHost(options.hostname)
    } catch (error) {
      callback(error instanceof Error ? error : new Error(String(error)), null)
      return
    }
    connectChecked(options, callback)
  }

  /** How many connections there are is bounded by how much is sent at once, not here. */
  function open(origin: string): Pool {
    return new Pool(origin, {
      connect,
      allowH2: false,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: longestIdleMs,
      // The time of an attempt is counted as a whole, by who makes it.
      headersTimeout: 0,
      bodyTimeout: 0,
      clientTtl: longestIdleMs,
    })
  }

  function of(origin: string): Pool {
    const known = pools.get(origin)
    const pool = known ?? open(origin)
    pools.delete(origin)
    pools.set(origin, pool)
    if (pools.size > mostOrigins) {
      const [[oldest, unused] = []] = pools
      if (oldest !== undefined && unused) {
        pools.delete(oldest)
        // What is under way on it comes to its end.
        unused.close().catch(() => {})
      }
    }
    return pool
  }

  async function close() {
    await Promise.all([...pools.values()].map((pool) => pool.destroy()))
    pools.clear()
  }

  return { of, close }
}
export type Pools = ReturnType<typeof createPools>
