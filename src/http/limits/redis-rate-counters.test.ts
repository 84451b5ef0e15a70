import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { freePort } from '../../../test/helpers/programs/free-port.ts'
import { programMissing } from '../../../test/helpers/programs/programs.ts'
import { startRedis, type TestRedis } from '../../../test/helpers/programs/redis.ts'
import { startTcpProxy } from '../../../test/helpers/programs/tcp-proxy.ts'
import { createLog } from '../../kit/process/log.ts'
import type { RateCounters } from './rate-counters.ts'
import { createRedisRateCounters } from './redis-rate-counters.ts'

/** Recognisable: real counters of the process would look just like those of Redis. */
const fallbackCount = { count: -1, resetMs: 1 }
const fallback: RateCounters = { hit: () => fallbackCount, close: async () => {} }

/** A busy machine is no slow Redis. */
const patient = { timeoutMs: 30_000, slowMs: 30_000 }

async function untilReached(rateCounters: RateCounters) {
  await expect.poll(async () => (await rateCounters.hit('test', 'there?')).count).toBeGreaterThan(0)
}

describe.skipIf(programMissing('redis-server'))('rate counters in Redis', () => {
  let port: number
  let redis: TestRedis
  /** Redis keeps what earlier tests counted. */
  let key: string
  beforeEach(() => {
    key = randomUUID()
  })

  beforeAll(async () => {
    port = await freePort()
    redis = await startRedis(port)
  })
  afterAll(() => redis.stop())

  async function connect(windowMs: number, times = patient): Promise<RateCounters> {
    const { url } = redis
    const log = createLog('silent')
    const rateCounters = createRedisRateCounters({ url, windowMs, fallback, log, times })
    await untilReached(rateCounters)
    return rateCounters
  }

  test('count one key for all processes', async () => {
    const [here, there] = [await connect(60_000), await connect(60_000)]
    const counts = await Promise.all(
      [here, there, here, there].map((rateCounters) => rateCounters.hit('test', key)),
    )
    expect(counts.map(({ count }) => count).sort()).toEqual([1, 2, 3, 4])
    await Promise.all([here.close(), there.close()])
  })

  test('count a request as so many as its weight, in one window', async () => {
    const rateCounters = await connect(60_000)
    const counts = [await rateCounters.hit('test', key, 10), await rateCounters.hit('test', key, 10)]
    expect(counts.map(({ count }) => count)).toEqual([10, 20])
    expect(counts[1]?.resetMs).toBeLessThanOrEqual(60_000)
    await rateCounters.close()
  })

  test('count in Redis for as long as it answers in time', async () => {
    const rateCounters = await connect(60_000)
    const counts: number[] = []
    for (let n = 0; n < 10; n += 1) counts.push((await rateCounters.hit('test', key)).count)
    expect(counts).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    await rateCounters.close()
  })

  test('end their window by themselves, and say how long it lasts', async () => {
    const rateCounters = await connect(150)
    const first = await rateCounters.hit('test', key)
    expect(first.count).toBe(1)
    expect(first.resetMs).toBeGreaterThan(0)
    expect(first.resetMs).toBeLessThanOrEqual(150)
    await expect.poll(async () => (await rateCounters.hit('test', key)).count, { interval: 200 }).toBe(1)
    await rateCounters.close()
  })

  test('fall back to the counters of the process while Redis is down (D108)', async () => {
    const rateCounters = await connect(60_000)
    expect((await rateCounters.hit('test', key)).count).toBe(1)
    await redis.stop()
    expect(await rateCounters.hit('test', key)).toBe(fallbackCount)
    redis = await startRedis(port)
    await untilReached(rateCounters)
    expect((await rateCounters.hit('test', key)).count).toBe(1)
    await rateCounters.close()
  })

  // Without the breaker each of the hundred waits a second.
  const patience = { timeout: 50_000 }
  test(
    'make no request wait for a Redis that accepts connections and does not answer',
    patience,
    async () => {
      const rateCounters = await connect(60_000, { timeoutMs: 1_000, slowMs: 1_000 })
      redis.suspend()
      for (let tries = 0; tries < 100; tries += 1)
        expect(await rateCounters.hit('test', key)).toBe(fallbackCount)
      redis.resume()
      await untilReached(rateCounters)
      await rateCounters.close()
    },
  )

  test('notice a Redis that answers slowly, and one whose connection died in silence (D108)', async () => {
    const proxy = await startTcpProxy(redis.url)
    const rateCounters = createRedisRateCounters({
      url: proxy.url,
      windowMs: 60_000,
      fallback,
      log: createLog('silent'),
      times: { timeoutMs: 1_000, slowMs: 100 },
    })
    await untilReached(rateCounters)
    proxy.delay(150)
    for (let tries = 1; tries <= 5; tries += 1)
      expect((await rateCounters.hit('test', key)).count).toBe(tries)
    expect(await rateCounters.hit('test', key)).toBe(fallbackCount)
    // Asked twice meanwhile, it is slow still.
    const asked = proxy.roundTrips()
    await expect.poll(() => proxy.roundTrips()).toBeGreaterThan(asked + 1)
    expect(await rateCounters.hit('test', key)).toBe(fallbackCount)
    proxy.delay(0)
    await untilReached(rateCounters)

    proxy.swallowOpen()
    await expect.poll(() => rateCounters.hit('test', key)).toBe(fallbackCount)
    // New connections work: it must open one.
    await untilReached(rateCounters)
    await rateCounters.close()
    proxy.close()
  })
})
