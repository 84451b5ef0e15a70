/**
 * Counts requests in Redis, for all processes: one script call for each request. While Redis does not answer, each
 * process falls back to its own counters (D108): limits loosen, and no client is locked out.
 */
import { Redis } from 'ioredis'
import type { Log } from '../../kit/process/log.ts'
import type { Count, RateCounters } from './rate-counters.ts'

const script = `
local count = redis.call('incrby', KEYS[1], ARGV[2])
if count == tonumber(ARGV[2]) then redis.call('pexpire', KEYS[1], ARGV[1]) end
local left = redis.call('pttl', KEYS[1])
if left < 0 then
  redis.call('pexpire', KEYS[1], ARGV[1])
  left = tonumber(ARGV[1])
end
return {count, left}`

/** A Redis without an answer within `timeoutMs` counts as down, and one that takes `slowMs` several times in a row. */
type Times = { timeoutMs: number; slowMs: number }
const usualTimes: Times = { timeoutMs: 250, slowMs: 100 }
/** Slow answers in a row: each of the requests waited. */
const maxSlow = 5
/** How often a Redis that does not answer is tried, apart from requests. */
const probeMs = 1_000

type RedisWithScript = Redis & {
  countWindow(key: string, windowMs: number, weight: number): Promise<[number, number]>
}

type Options = { url: string; windowMs: number; fallback: RateCounters; log: Log; times?: Times }

export function createRedisRateCounters(options: Options): RateCounters {
  const { url, windowMs, fallback, log, times = usualTimes } = options
  const { timeoutMs, slowMs } = times
  const redis = new Redis(url, {
    enableAutoPipelining: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: timeoutMs,
    retryStrategy: (times) => Math.min(times * 100, 2_000),
  }) as RedisWithScript
  redis.defineCommand('countWindow', { numberOfKeys: 1, lua: script })
  let down = false
  let slow = 0
  let probe: NodeJS.Timeout | undefined

  /** D108: a circuit breaker. From the first failure on no request waits for Redis, until it answers a probe. */
  function open(error: unknown) {
    if (down) return
    down = true
    log.warn({ err: error }, 'Redis does not answer: this process counts rate limits for itself')
    schedule()
  }

  function schedule() {
    clearTimeout(probe)
    probe = setTimeout(() => void tryAgain(), probeMs)
    probe.unref()
  }

  async function tryAgain() {
    const began = performance.now()
    const answers = await redis.ping().then(
      () => true,
      () => false,
    )
    if (answers && performance.now() - began < slowMs) return close()
    // The connection may be dead without either side having noticed.
    if (!answers && redis.status === 'ready') redis.disconnect(true)
    schedule()
  }

  function close() {
    clearTimeout(probe)
    if (down) log.info('Redis answers again')
    down = false
    slow = 0
  }

  function measure(ms: number) {
    slow = ms < slowMs ? 0 : slow + 1
    if (slow >= maxSlow) open(new Error(`${maxSlow} answers in a row took over ${slowMs} ms`))
  }
  redis.on('error', open)
  redis.on('ready', close)

  return {
    async hit(counter, key, weight = 1): Promise<Count> {
      if (down) return await fallback.hit(counter, key, weight)
      const began = performance.now()
      try {
        const [count, resetMs] = await redis.countWindow(`ramal:limit:${counter}|${key}`, windowMs, weight)
        measure(performance.now() - began)
        return { count, resetMs }
      } catch (error) {
        open(error)
        return await fallback.hit(counter, key, weight)
      }
    },
    async close() {
      clearTimeout(probe)
      redis.disconnect()
    },
  }
}
