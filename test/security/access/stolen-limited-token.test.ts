/** A limited access token in the wrong hands: what it does not open, and from where it opens nothing (D204-D206). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'

let service: Service
let admin: Awaited<ReturnType<typeof openAccount>>

beforeAll(async () => {
  service = await startService({ TRUST_PROXY: '127.0.0.1,::1' })
  admin = await openAccount(service)
})
afterAll(() => service.stop())

async function steal(limits: object): Promise<{ token: string }> {
  const { body } = await service.api.post('/users/accessTokens', limits, admin)
  return { token: String(body.id) }
}

test('D204: a stolen token that reads calls places none, and changes nothing', async () => {
  const thief = await steal({ scopes: ['calls:read'] })
  const attempts = [
    service.api.post('/calls', { extension: '1000', called: '5548999990009' }, thief),
    service.api.post('/dialer', { extension: '1000', phone: '5548999990009' }, thief),
    service.api.post('/calls/hangup', { id: 'any' }, thief),
    service.api.patch('/users', { email: 'thief@evil.example' }, thief),
    service.api.post('/users/change-password', { oldPassword: 'x', newPassword: 'yyyyyyyyy' }, thief),
    service.api.patch('/integrations', { gateway: 'evil' }, thief),
    service.api.get('/integrations', thief),
    service.api.get('/users', thief),
    service.api.get('/credits/statement?page=1', thief),
    service.api.get('/accounts/financial', thief),
    service.api.get('/accounts/audit?page=1', thief),
  ]
  for (const { status, body } of await Promise.all(attempts)) {
    expect([status, body.error.code]).toEqual([403, 'SCOPE_REQUIRED'])
  }
})

test('D205: a stolen token makes no token that may do more, and does not outlive itself', async () => {
  const reader = await steal({ scopes: ['calls:read'] })
  const { status, body } = await service.api.post('/users/accessTokens', {}, reader)
  expect([status, body.error.code]).toEqual([403, 'SCOPE_REQUIRED'])
  const manager = await steal({ scopes: ['admin'], ttl: 3600 })
  for (const wanted of [{ scopes: ['billing'] }, { ttl: -1 }, { ttl: 7200 }]) {
    const refused = await service.api.post('/users/accessTokens', wanted, manager)
    expect([refused.status, refused.body.error.code]).toEqual([403, 'TOKEN_LIMITS_EXCEEDED'])
  }
})

test('D206: a stolen token that reads calls learns no password of a phone, nor what the account pays', async () => {
  const extension = {
    ramal: '1000',
    senha: 's3nha-do-ramal',
    first_name: 'Ana',
    last_name: 'Souza',
    email_address: admin.email,
    gravar_audio: 0,
  }
  await service.api.post('/extensions', extension, admin)
  const thief = await steal({ scopes: ['calls:read', 'calls:place'] })
  const { body: listed } = await service.api.get('/extensions', thief)
  expect(listed).toMatchObject([{ ramal: '1000', senha: null }])
  const filter = encodeURIComponent(JSON.stringify({ fields: ['senha'] }))
  expect((await service.api.get(`/extensions?filter=${filter}`, thief)).body).toEqual([{ senha: null }])
  expect((await service.api.patch('/extensions', { id: listed[0].id, bina: null }, thief)).status).toBe(403)
})

test('D205: a token used from another address opens nothing, whatever the thief claims to be', async () => {
  const { token } = await steal({ addresses: ['203.0.113.7'] })
  const at = (address: string) => ({ token, headers: { 'x-forwarded-for': address } })
  expect((await service.api.get('/users/me', at('203.0.113.7'))).status).toBe(200)
  const stolen = await service.api.get('/users/me', at('198.51.100.9'))
  expect([stolen.status, stolen.body.error.code]).toEqual([403, 'TOKEN_ADDRESS_REFUSED'])
  // The last address that is not a trusted proxy counts: what the thief writes before it does not.
  expect((await service.api.get('/users/me', at('203.0.113.7, 198.51.100.9'))).status).toBe(403)
  const recording = '/calls/0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d/recording'
  expect((await service.api.get(recording, at('198.51.100.9'))).status).toBe(403)
  expect((await service.api.get(recording, at('203.0.113.7'))).status).toBe(404)
})
