/** The log has one line a request, without tokens, passwords or phone numbers. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '../../../src/kit/process/log.ts'
import { newSignup, openAccount, password } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'

const lines: string[] = []
let service: Service
let admin: Awaited<ReturnType<typeof openAccount>>

beforeAll(async () => {
  const log = createLog('info', { destination: { write: (line: string) => lines.push(line) } })
  service = await startService({}, { log })
  admin = await openAccount(service)
})
afterAll(() => service.stop())

test('a request is one line with its id, route, status, time, address and user', async () => {
  const before = lines.length
  await service.api.get('/users/me', { token: admin.token, headers: { 'x-request-id': 'crm-7' } })
  await expect.poll(() => lines.length).toBe(before + 1)
  expect(JSON.parse(lines.at(-1) ?? '')).toEqual({
    level: 'info',
    time: expect.any(String),
    request: 'crm-7',
    method: 'GET',
    route: '/api/v1/users/me',
    status: 200,
    ms: expect.any(Number),
    ip: '127.0.0.1',
    user: (await service.api.get('/users/me', admin)).body.uuid,
    msg: 'request',
  })
})

test('no line has a token, a password or a phone number in it', async () => {
  const signup = newSignup()
  await service.api.post('/accounts/signup', { ...signup, phone: '5548999997777' })
  await service.api.post('/users/login', { email: admin.email, password: 'wrong password' })
  await service.api.get(`/users/me?access_token=${admin.token}`)
  await service.api.get(`/users?filter=${admin.token}`, admin)
  await service.api.get(`/${admin.token}`)
  await expect.poll(() => lines.filter((line) => line.includes('"status":404')).length).toBe(1)
  const all = lines.join('')
  for (const secret of [admin.token, password, 'wrong password', '5548999997777']) {
    expect(all).not.toContain(secret)
  }
})
