/** Small lists for forms: types of events (D304), deliveries to recover (D305), the price of a call (D306), the setup of a phone (D300). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attemptsRecorded } from '../../helpers/service/announcements.ts'
import { addUser, openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'

let service: Service
let admin: Awaited<ReturnType<typeof openAccount>>

beforeAll(async () => {
  service = await startService({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  admin = await openAccount(service)
})
afterAll(() => service.stop())

test('GET /events/types lists what webhookTypes takes, and an integration with all of them is taken', async () => {
  const { body: types } = await service.api.get('/events/types', admin)
  expect(types).toContainEqual({
    type: 'channel-hangup',
    subject: 'call',
    optional: false,
    audience: 'user',
    about: 'a call is over',
    example: expect.objectContaining({ eventType: 'channel-hangup', hangupCause: 'NORMAL_CLEARING' }),
  })
  const metadata = {
    webhookUrl: 'http://127.0.0.1:9/',
    webhookTypes: types.map(({ type }: { type: string }) => type),
  }
  const { status } = await service.api.patch(
    '/integrations',
    { gateway: 'all', webhook: true, metadata },
    admin,
  )
  expect(status).toBe(200)
})

test('POST /integrations/{id}/recover sends again what was given up since then, of the own integration', async () => {
  const metadata = { webhookUrl: 'http://127.0.0.1:9/', webhookTypes: ['channel-hangup'] }
  const patch = { gateway: 'crm', webhook: true, metadata }
  const { id } = (await service.api.patch('/integrations', patch, admin)).body
  const path = `/integrations/${id}/recover`
  const delivery = (await service.api.post(`/integrations/${id}/test`, undefined, admin)).body
  await attemptsRecorded(service)
  await service.db
    .updateTable('deliveries')
    .set({ state: 'dead', next_at: null, settled_at: service.clock.now() })
    .where('integration_id', '=', id)
    .execute()
  const later = new Date(service.clock.now().getTime() + 1000).toISOString()
  expect((await service.api.post(path, { since: later }, admin)).body).toEqual({ recovered: 0 })
  const since = service.clock.now().toISOString()
  expect((await service.api.post(path, { since }, admin)).body).toEqual({ recovered: 1 })
  const again = await service.api.get(`/integrations/${id}/deliveries/${delivery.id}`, admin)
  expect(again.body.status).toBe('pending')
  expect((await service.api.post(path, { since: 'x' }, admin)).status).toBe(422)
  const agent = await addUser(service, admin)
  expect((await service.api.post(path, { since }, agent)).status).toBe(404)
})

test('GET /rates says what a call costs, in any form of the number', async () => {
  const { status, body } = await service.api.get('/rates?to=%2B55%2048%2099999-8888', admin)
  expect([status, body]).toEqual([
    200,
    {
      to: '5548999998888',
      name: expect.any(String),
      prefix: expect.stringMatching(/^55/),
      minute_price: expect.any(Number),
      firstBlock: 30,
      step: 6,
      grace: 3,
      currency: 'BRL',
    },
  ])
  expect((await service.api.get('/rates?to=abc', admin)).status).toBe(400)
  const { status: missing, body: refused } = await service.api.get('/rates', admin)
  expect([missing, refused.error]).toMatchObject([
    400,
    { code: 'MISSING_REQUIRED_PARAMETER', message: expect.stringMatching(/^to is required.*\/rates\?to=/) },
  ])
})

test('GET /extensions/{id}/setup names user and servers, for those who may see senha', async () => {
  const agent = await addUser(service, admin)
  const extension = { senha: 's3nha<do>ramal', first_name: 'Ana', last_name: 'Souza' }
  const { id } = (
    await service.api.post('/extensions', { ...extension, ramal: '1000', email_address: agent.email }, admin)
  ).body
  const path = `/extensions/${id}/setup`
  const { status, body } = await service.api.get(path, agent)
  expect([status, body]).toMatchObject([
    200,
    { domain: admin.domain, username: '1000', displayName: 'Ana Souza', servers: expect.any(Array) },
  ])
  expect((await service.api.get(path, await addUser(service, admin))).status).toBe(403)
  expect((await service.api.get(path, await openAccount(service))).status).toBe(404)
})
