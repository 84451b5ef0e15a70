/** Every connection to the database is dead without an error, as after a failover or in a firewall that forgot them. */
import { expect, test } from 'vitest'
import { startTcpProxy } from '../../helpers/programs/tcp-proxy.ts'
import { createTestDatabase } from '../../helpers/run/test-database.ts'
import { openAccount } from '../../helpers/service/people.ts'
import { startService } from '../../helpers/service/service.ts'

test('the service replaces them within seconds, and loses no request after that', async () => {
  const database = await createTestDatabase()
  const proxy = await startTcpProxy(database.url)
  const service = await startService({ DATABASE_URL: proxy.url })
  const admin = await openAccount(service)
  proxy.swallowOpen()
  const name = () => service.api.patch('/accounts', { name: 'After' }, admin)
  expect((await name()).status).toBe(503)
  // Without it they are replaced when a statement is overdue, after 25 s.
  await expect.poll(async () => (await name()).status, { timeout: 20_000 }).toBe(200)
  await service.stop()
  proxy.close()
  await database.drop()
})
