/** Every connection to the database is dead without an error, as after a failover or in a firewall that forgot them. */
import { expect, test } from 'vitest'
import { openAccount } from '../helpers/people.ts'
import { startService } from '../helpers/service.ts'
import { startTcpProxy } from '../helpers/tcp-proxy.ts'
import { createTestDatabase } from '../helpers/test-database.ts'

test('the service replaces them within seconds, and loses no request after that', {
  timeout: 20_000,
}, async () => {
  const database = await createTestDatabase()
  const proxy = await startTcpProxy(database.url)
  const service = await startService({ DATABASE_URL: proxy.url })
  const admin = await openAccount(service)
  proxy.swallowOpen()
  const began = performance.now()
  const name = () => service.api.patch('/accounts', { name: 'After' }, admin)
  expect((await name()).status).toBe(503)
  await expect.poll(async () => (await name()).status, { timeout: 15_000 }).toBe(200)
  expect(performance.now() - began).toBeLessThan(15_000)
  await service.stop()
  proxy.close()
  await database.drop()
})
