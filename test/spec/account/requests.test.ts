/** GET /requests (D619): what an account asked of the API, found by X-Request-Id. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { called, callRequest } from '../../helpers/service/calling.ts'
import { filter } from '../../helpers/service/client.ts'
import { addUser, openAccount } from '../../helpers/service/people.ts'
import { openOffice, startVoiceService, type VoiceService } from '../../helpers/service/voice.ts'
import { tablesWith } from '../../helpers/stored/secrets.ts'

let service: VoiceService
let admin: Awaited<ReturnType<typeof openAccount>>

beforeAll(async () => {
  service = await startVoiceService()
  admin = await openAccount(service)
})
afterAll(() => service.stop())

type Found = { requestId: string; method: string; route: string; status: number; kind: string }

async function find(where: object, who: { token: string } = admin): Promise<Found[]> {
  await service.tick('request log')
  return (await service.api.get(`/requests?${filter({ where })}`, who)).body.data
}

test('an answer is found by the X-Request-Id it had, with its route, status, code, user, token and duration', async () => {
  const secret = 'a-secret-in-the-path'
  const answer = await service.api.get(`/calls/${secret}`, admin)
  const requestId = answer.headers.get('x-request-id') ?? ''
  const [{ ref }] = (await service.api.get('/users/accessTokens', admin)).body
  const { uuid } = (await service.api.get('/users/me', admin)).body
  const found = await find({ requestId })
  expect(found).toEqual([
    {
      id: expect.any(Number),
      at: service.clock.now().toISOString(),
      requestId,
      method: 'GET',
      route: '/calls/{id}',
      status: 404,
      code: 'CALL_NOT_FOUND',
      durationMs: expect.any(Number),
      user: admin.email,
      userUuid: uuid,
      tokenRef: ref,
      kind: 'token',
      address: expect.stringMatching(/127\.0\.0\.1|::1/),
      callId: null,
    },
  ])
  expect(JSON.stringify(found)).not.toContain(secret)
})

test('a client may choose the id, and find all that it sent with it', async () => {
  const headers = { 'X-Request-Id': 'order-4711' }
  await service.api.get('/users/me', { token: admin.token, headers })
  await service.api.post('/users', { name: '' }, { token: admin.token, headers })
  expect(await find({ requestId: 'order-4711' })).toMatchObject([
    { method: 'POST', route: '/users', status: 422, code: 'VALIDATION_FAILED' },
    { method: 'GET', route: '/users/me', status: 200, code: null },
  ])
})

test('D673: requests that placed a call, or were about it, are found by its id', async () => {
  const office = await openOffice(service)
  const { token } = office
  const headers = { 'Idempotency-Key': 'order-4712' }
  const place = () => service.api.post('/calls', callRequest, { token, headers })
  const { id } = (await place()).body
  expect((await place()).body.id).toBe(id)
  await service.api.get(`/calls/${id}`, office)
  await service.api.post(`/calls/${id}/hangup`, undefined, office)
  await service.eventsStored()
  await service.api.post('/calls/hangup', { id }, office)
  await service.api.get('/calls/stats?from=2026-11-01&to=2026-11-02', office)
  const found = await find({ callId: id }, office)
  expect(found.map(({ method, route, status }) => `${method} ${route} ${status}`)).toEqual([
    'POST /calls/hangup 404',
    'POST /calls/{id}/hangup 200',
    'GET /calls/{id} 200',
    'POST /calls 200',
    'POST /calls 200',
  ])
})

test('D673: one that was hung up by the id of POST /dialer is found by its own, and an unknown one by what was asked for', async () => {
  const office = await openOffice(service)
  const { id, callId } = (await service.api.post('/dialer', { extension: '1000', phone: called }, office))
    .body
  await service.api.post(`/calls/${id}/hangup`, undefined, office)
  expect(await find({ callId }, office)).toMatchObject([
    { route: '/calls/{id}/hangup', status: 200, callId },
    { route: '/dialer', status: 200, callId },
  ])
  const unknown = '0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d'
  await service.api.post(`/calls/${unknown}/dtmf`, { digits: '1' }, office)
  expect(await find({ callId: unknown }, office)).toMatchObject([{ route: '/calls/{id}/dtmf', status: 404 }])
})

test('is filtered by status, and paged with the newest first', async () => {
  await service.api.get('/users/me', admin)
  const failed = await find({ status: { gte: 400 } })
  expect(failed.length).toBeGreaterThan(0)
  const { body } = await service.api.get(`/requests?page=1&${filter({ limit: 2 })}`, admin)
  expect(body.data).toHaveLength(2)
  expect(body.meta).toMatchObject({ currentPage: 1, nextPage: 2, itemsPerPage: 2 })
  expect(body.data[0].id).toBeGreaterThan(body.data[1].id)
})

test('no body, header or query of a request is stored anywhere in its log', async () => {
  const secret = 'only-in-the-body-4711'
  const headers = { 'X-Request-Id': 'with-secrets', 'X-Other': secret }
  await service.api.post(`/users`, { name: secret, email: secret }, { token: admin.token, headers })
  await service.api.get(`/users?${filter({ where: { name: secret } })}`, { token: admin.token, headers })
  expect(await find({ requestId: 'with-secrets' })).toHaveLength(2)
  for (const text of [secret, admin.token]) expect(await tablesWith(service.db, text)).toEqual([])
})

test('an account sees its own requests alone, and only its ADMINs see them', async () => {
  const other = await openAccount(service)
  const headers = { 'X-Request-Id': 'of-the-other' }
  await service.api.get('/users/me', { token: other.token, headers })
  expect(await find({ requestId: 'of-the-other' })).toEqual([])
  expect(await find({ requestId: 'of-the-other' }, other)).toHaveLength(1)
  const user = await addUser(service, admin)
  const answer = await service.api.get('/requests', user)
  expect([answer.status, answer.body.error.code]).toEqual([403, 'ACCESS_DENIED'])
})

test('requests without a valid token are in no log', async () => {
  const headers = { 'X-Request-Id': 'of-a-stranger' }
  await service.api.get('/users/me', { token: 'x'.repeat(64), headers })
  await service.api.post('/users/login', { email: admin.email, password: 'wrong' }, { headers })
  await service.tick('request log')
  expect(await tablesWith(service.db, 'of-a-stranger')).toEqual([])
})

test('what was asked before the service stops is written when it stops', async () => {
  const headers = { 'X-Request-Id': 'the-last-one' }
  await service.api.get('/users/me', { token: admin.token, headers })
  await service.restart(async () => {})
  const { body } = await service.api.get(
    `/requests?${filter({ where: { requestId: 'the-last-one' } })}`,
    admin,
  )
  expect(body.data).toHaveLength(1)
})

test('/metrics counts what is written, waits and is dropped', async () => {
  const { body } = await service.operator.get('/metrics')
  expect(body).toMatch(/^ramal_request_log_written_total \d+$/m)
  expect(body).toMatch(/^ramal_request_log_dropped_total 0$/m)
  expect(body).toMatch(/^ramal_request_log_waiting \d+$/m)
})
