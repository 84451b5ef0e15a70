/** Two processes with one PostgreSQL and one Redis act as one service. */
import { describe, expect, test } from 'vitest'
import { startApp } from '../../../src/app/start.ts'
import { readConfig } from '../../../src/config.ts'
import { createLog } from '../../../src/kit/process/log.ts'
import { freePort } from '../../helpers/programs/free-port.ts'
import { programMissing } from '../../helpers/programs/programs.ts'
import { startRedis } from '../../helpers/programs/redis.ts'
import { createClient } from '../../helpers/service/client.ts'
import { addUser, openAccount } from '../../helpers/service/people.ts'
import { startService } from '../../helpers/service/service.ts'

describe.skipIf(programMissing('redis-server'))('two processes', () => {
  test('share rate limit counters and see each other’s changes', async () => {
    const redis = await startRedis(await freePort())
    const first = await startService({ RATE_LIMITS: 'on', REDIS_URL: redis.url })
    const second = await startApp(
      readConfig({
        PORT: '0',
        SIP_PORT: '0',
        SIP_WS_PORT: '0',
        DATA_DIR: first.dataDir,
        DATABASE_URL: first.database.url,
        REDIS_URL: redis.url,
      }),
      { clock: first.clock, log: createLog('silent') },
    )
    const elsewhere = createClient(`${second.url}/api/v1`)
    const admin = await openAccount(first)
    const agent = await addUser(first, admin)

    const remaining = async (api: typeof elsewhere) =>
      Number((await api.get('/users', admin)).headers.get('ratelimit-remaining'))
    // A Redis that answers late is left alone for a second, and each process counts for itself (D108).
    const countedTogether = async () => {
      const left = [await remaining(first.api), await remaining(elsewhere), await remaining(first.api)]
      return left.map((count) => count - (left[0] ?? 0))
    }
    await expect.poll(countedTogether, { interval: 2_000 }).toEqual([0, -1, -2])

    await elsewhere.get('/users/me', agent)
    await first.api.patch('/users', { uuid: agent.uuid, name: 'Changed elsewhere' }, admin)
    await expect
      .poll(async () => (await elsewhere.get('/users/me', agent)).body.name)
      .toBe('Changed elsewhere')

    await second.stop()
    await first.stop()
    await redis.stop()
  })
})
