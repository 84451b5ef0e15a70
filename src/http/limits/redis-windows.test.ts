import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../../test/helpers/free-port.ts'
import { programMissing } from '../../../test/helpers/programs.ts'
import { startRedis, type TestRedis } from '../../../test/helpers/redis.ts'
import { createLog } from '../../kit/log.ts'
import { createRedisWindows } from './redis-windows.ts'
import type { Windows } from './windows.ts'

/** Stands in for the process's own counting, which would look just like Redis' here. */
const ownCount = { count: -1, resetMs: 1 }
const meanwhile: Windows = { hit: () => ownCount, close: async () => {} }

async function untilReached(windows: Windows) {
  await expect.poll(async () => (await windows.hit('there?')).count, { timeout: 5_000 }).toBeGreaterThan(0)
}

describe.skipIf(programMissing('redis-server'))('windows in Redis', () => {
  let port: number
  let redis: TestRedis

  beforeAll(async () => {
    port = await freePort()
    redis = await startRedis(port)
  })
  afterAll(() => redis.stop())

  async function connect(windowMs: number): Promise<Windows> {
    const { url } = redis
    const windows = createRedisWindows({ url, windowMs, meanwhile, log: createLog('silent') })
    await untilReached(windows)
    return windows
  }

  test('count one key for all processes', async () => {
    const [here, there] = [await connect(60_000), await connect(60_000)]
    const counts = await Promise.all([here, there, here, there].map((windows) => windows.hit('shared')))
    expect(counts.map(({ count }) => count).sort()).toEqual([1, 2, 3, 4])
    await Promise.all([here.close(), there.close()])
  })

  test('end by themselves, and tell how long they still last', async () => {
    const windows = await connect(150)
    const first = await windows.hit('short')
    expect(first.count).toBe(1)
    expect(first.resetMs).toBeGreaterThan(0)
    expect(first.resetMs).toBeLessThanOrEqual(150)
    await expect.poll(async () => (await windows.hit('short')).count, { interval: 200 }).toBe(1)
    await windows.close()
  })

  test('give way to the own counting of the process while Redis is down (D108)', async () => {
    const windows = await connect(60_000)
    expect((await windows.hit('key')).count).toBe(1)
    await redis.stop()
    expect(await windows.hit('key')).toBe(ownCount)
    redis = await startRedis(port)
    await untilReached(windows)
    expect((await windows.hit('key')).count).toBe(1)
    await windows.close()
  })
})
