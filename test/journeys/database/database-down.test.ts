/** While the database is down the service answers 503, and recovers when it is back. */
import { expect, test } from 'vitest'
import { hideDatabase } from '../../helpers/run/test-database.ts'
import { createClient } from '../../helpers/service/client.ts'
import { openAccount } from '../../helpers/service/people.ts'
import { startService } from '../../helpers/service/service.ts'
import { lockTable } from '../../helpers/stored/table-lock.ts'

test('requests are 503 with Retry-After, /ready is not ready, /health is; then all is well again', async () => {
  const service = await startService()
  const admin = await openAccount(service)
  const outside = createClient(service.url)

  const { show } = await hideDatabase(service.database.url)
  const down = await service.api.get('/users', admin)
  expect([down.status, down.body.error.code, down.headers.get('retry-after')]).toEqual([
    503,
    'SERVICE_UNAVAILABLE',
    '2',
  ])
  expect((await service.api.get('/users/me', admin)).status).toBe(503)
  expect((await outside.get('/ready')).body).toEqual({ status: 'not ready', waiting: ['database'] })
  expect((await outside.get('/health')).status).toBe(200)

  await show()
  await expect.poll(async () => (await service.api.get('/users', admin)).status).toBe(200)
  expect((await outside.get('/ready')).status).toBe(200)
  await service.stop()
})

test('a connection that breaks in the middle of a transaction fails that request alone', async () => {
  const service = await startService()
  const admin = await openAccount(service)
  const lock = await lockTable(service.database.url, 'accounts')
  const stuck = service.api.patch('/accounts', { name: 'Never' }, admin)
  await expect.poll(lock.waiting).toBe(1)
  await lock.breakWaiting()
  await lock.unlock()
  expect((await stuck).status).toBe(503)
  const { status, body } = await service.api.patch('/accounts', { name: 'After' }, admin)
  expect([status, body]).toEqual([200, expect.objectContaining({ name: 'After' })])
  await service.stop()
})
