/** Asking again who is there, before a change that could lock the owner out (D202). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { minutes } from '../../helpers/run/test-clock.ts'
import { appCode } from '../../helpers/service/authenticator.ts'
import { addUser, openAccount, password } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'

const path = '/users/me/second-factor'
const newPassword = 'a better horse battery'

let service: Service
let admin: Awaited<ReturnType<typeof openAccount>>

beforeAll(async () => {
  service = await startService()
  admin = await openAccount(service)
})
afterAll(() => service.stop())

type Person = { email: string; token: string }

async function enable(me: Person): Promise<string> {
  const { body } = await service.api.post(path, { currentPassword: password }, me)
  const code = appCode(body.secret, service.clock.now())
  expect((await service.api.post(`${path}/enable`, { code }, me)).status).toBe(200)
  return body.secret
}

async function logIn({ email }: Person, secret: string): Promise<{ token: string }> {
  service.clock.advance(30)
  const code = appCode(secret, service.clock.now())
  const { body } = await service.api.post('/users/login', { email, password, code })
  return { token: body.id }
}

test('a token of a login is enough for ten minutes', async () => {
  const me = await addUser(service, admin)
  service.clock.advance(10 * minutes - 1)
  expect((await service.api.post(path, undefined, me)).status).toBe(200)
  service.clock.advance(1)
  const { status, body } = await service.api.post(path, undefined, me)
  expect([status, body.error.code]).toEqual([403, 'REAUTHENTICATION_REQUIRED'])
})

test('a token that was made with another token is not enough', async () => {
  const me = await addUser(service, admin)
  const { body: made } = await service.api.post('/users/accessTokens', {}, me)
  const { status, body } = await service.api.post(path, undefined, { token: made.id })
  expect([status, body.error.code]).toEqual([403, 'REAUTHENTICATION_REQUIRED'])
  expect((await service.api.post(path, { currentPassword: password }, { token: made.id })).status).toBe(200)
})

test('a login before the second factor was enabled does not prove it, one with its code does', async () => {
  const me = await addUser(service, admin)
  service.clock.advance(60)
  const secret = await enable(me)
  const old = await service.api.post(`${path}/disable`, undefined, me)
  expect([old.status, old.body.error.code]).toEqual([403, 'REAUTHENTICATION_REQUIRED'])
  const fresh = await logIn(me, secret)
  expect((await service.api.post(`${path}/recovery-codes`, undefined, fresh)).status).toBe(200)
  expect((await service.api.post(`${path}/disable`, undefined, fresh)).status).toBe(200)
})

test('a password is changed with the current one and, with a second factor, its code or a login with it', async () => {
  const me = await addUser(service, admin)
  const secret = await enable(me)
  service.clock.advance(11 * minutes)
  const change = (body: object, who: { token: string }) =>
    service.api.post('/users/change-password', { oldPassword: password, newPassword, ...body }, who)
  expect((await change({}, me)).body.error.code).toBe('REAUTHENTICATION_REQUIRED')
  const fresh = await logIn(me, secret)
  expect((await change({ oldPassword: 'a guess' }, fresh)).body.error.code).toBe('INVALID_PASSWORD')
  service.clock.advance(30)
  expect((await change({ code: appCode(secret, service.clock.now()) }, me)).status).toBe(200)
})

test('a wrong password is counted with those of a change of password: ten in a quarter of an hour', async () => {
  const me = await addUser(service, admin)
  const guesses = Array.from({ length: 10 }, (_, n) =>
    service.api.post(path, { currentPassword: `guess ${n}` }, me),
  )
  for (const { status } of await Promise.all(guesses)) expect(status).toBe(422)
  const limited = await service.api.post('/users/change-password', { oldPassword: password, newPassword }, me)
  expect([limited.status, limited.body.error.code]).toEqual([429, 'RATE_LIMITED'])
})

test('a new e-mail needs no credentials of a user without a second factor, but wrong ones are refused', async () => {
  const me = await addUser(service, admin)
  const email = `new-${me.email}`
  const wrong = await service.api.patch('/users', { email, currentPassword: 'a guess' }, me)
  expect([wrong.status, wrong.body.error.code]).toEqual([422, 'INVALID_PASSWORD'])
  expect((await service.api.patch('/users', { email }, me)).body.pendingEmail).toBe(email)
})

test('sending the own record back, with the e-mail unchanged, needs no credentials', async () => {
  const me = await addUser(service, admin)
  await enable(me)
  service.clock.advance(11 * minutes)
  const { body: record } = await service.api.get('/users/me', me)
  const { status, body } = await service.api.patch('/users', { ...record, name: 'Ana Lima' }, me)
  expect([status, body.name]).toEqual([200, 'Ana Lima'])
})

test('an ADMIN with a second factor proves it before giving somebody else a new e-mail', async () => {
  const boss = await addUser(service, admin, 'ADMIN')
  const agent = await addUser(service, admin)
  const secret = await enable(boss)
  service.clock.advance(11 * minutes)
  const patch = { uuid: agent.uuid, email: `new-${agent.email}` }
  expect((await service.api.patch('/users', patch, boss)).body.error.code).toBe('REAUTHENTICATION_REQUIRED')
  const code = appCode(secret, service.clock.now())
  const { body } = await service.api.patch('/users', { ...patch, currentPassword: password, code }, boss)
  expect(body.pendingEmail).toBe(patch.email)
})
