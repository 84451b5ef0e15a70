/** D312: the credentials of a browser phone, which work for 15 minutes in place of the extension's password. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readIdentityClaim } from '../../../src/engine/embedded/registrar/identity-claim.ts'
import { createFakeEngine } from '../../../src/engine/fake.ts'
import type { EngineHost } from '../../../src/engine/port.ts'
import { parseMessage } from '../../../src/sip/parser/parse.ts'
import { createTestClock } from '../../helpers/run/test-clock.ts'
import { addUser, openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'

const senha = 's3nha-do-ramal'

const clock = createTestClock()
let service: Service
let engineHost: EngineHost
let admin: Awaited<ReturnType<typeof openAccount>>
let user: Awaited<ReturnType<typeof addUser>>
let other: Awaited<ReturnType<typeof addUser>>
let id: number

beforeAll(async () => {
  const engine = (host: EngineHost) => {
    engineHost = host
    return createFakeEngine(host, { now: clock.now })
  }
  service = await startService({}, { clock, engine })
  admin = await openAccount(service)
  user = await addUser(service, admin)
  other = await addUser(service, admin)
  const extension = { ramal: '1000', senha, first_name: 'Bia', last_name: 'Lima', email_address: user.email }
  id = (await service.api.post('/extensions', extension, admin)).body.id
})
afterAll(() => service?.stop())

const issue = (who: { token: string }, extension: number | string = id) =>
  service.api.post(`/extensions/${extension}/phone-credential`, undefined, who)

/** What the service expects of a phone that registers with this user name. */
async function expectedOf(username: string) {
  const [number = '', until, userId] = username.split('.')
  const login = { until: Number(until), userId: Number(userId) }
  return (await engineHost.credentials({ domain: admin.domain, number }, login))?.password
}

test('an owner and an ADMIN get them, another user and another account do not', async () => {
  for (const who of [user, admin]) {
    const { status, body } = await issue(who)
    expect([status, body.domain]).toEqual([200, admin.domain])
    expect(body.username).toMatch(/^1000\.\d{10}\.\d+$/)
    expect(JSON.stringify(body)).not.toContain(senha)
    expect(await expectedOf(body.username)).toBe(body.password)
  }
  expect((await issue(other)).body.error.code).toBe('ACCESS_DENIED')
  expect((await issue(await openAccount(service))).body.error.code).toBe('EXTENSION_NOT_FOUND')
  expect((await issue(admin, 'none')).body.error.code).toBe('EXTENSION_NOT_FOUND')
})

test('they end after 15 minutes, cannot be prolonged by another name, and end with a new password', async () => {
  const { username, password, expires } = (await issue(user)).body
  const [number, until = 0, userId] = username.split('.')
  expect(Date.parse(expires)).toBe(until * 1000)
  expect(await expectedOf(`${number}.${Number(until) - 1}.${userId}`)).not.toBe(password)
  expect(await expectedOf(`${number}.${Number(until) + 60}.${userId}`)).toBe(undefined)
  clock.advance(901)
  expect(await expectedOf(username)).toBe(undefined)
  const renewed = (await issue(user)).body
  expect(await expectedOf(renewed.username)).toBe(renewed.password)
  await service.api.patch('/extensions', { id, senha: 'another-password' }, admin)
  expect(await expectedOf(renewed.username)).not.toBe(renewed.password)
})

test('they cannot be used in the name of another user, and end when the extension is given to somebody else', async () => {
  const { username, password } = (await issue(user)).body
  const byAdmin = (await issue(admin)).body
  const [number, until] = username.split('.')
  const adminId = byAdmin.username.split('.')[2]
  expect(await expectedOf(`${number}.${until}.${adminId}`)).not.toBe(password)
  await service.api.patch('/extensions', { id, email_address: other.email }, admin)
  expect(await expectedOf(username)).toBe(undefined)
  expect(await expectedOf(byAdmin.username)).toBe(byAdmin.password)
  await service.api.patch('/extensions', { id, email_address: user.email }, admin)
})

async function limitedToken(limits: object, maker: { token: string }) {
  const { body } = await service.api.post('/users/accessTokens', limits, maker)
  return { token: String(body.id) }
}

test('a token with the scope calls:place gets those of own extensions alone, one with admin too those of any', async () => {
  const thief = await limitedToken({ scopes: ['calls:place'] }, admin)
  expect((await issue(thief)).body.error.code).toBe('ACCESS_DENIED')
  expect((await issue(await limitedToken({ scopes: ['calls:place', 'admin'] }, admin))).status).toBe(200)
  // A limited token of the owner makes no other; a phone in a page needs no more than this scope.
  expect((await issue(await limitedToken({ scopes: ['calls:place'] }, user))).status).toBe(200)
})

test('they do not outlive the access token that got them', async () => {
  const short = await limitedToken({ ttl: 60 }, user)
  const { expires } = (await issue(short)).body
  expect(Date.parse(expires) - clock.now().getTime()).toBeLessThanOrEqual(60_000)
})

test('every one that is issued is in the audit log', async () => {
  const entries = async () =>
    (await service.api.get('/accounts/audit?page=1', admin)).body.data.filter(
      ({ action }: { action: string }) => action === 'extension.credential-issued',
    )
  const before = await entries()
  await issue(user)
  await issue(other)
  await issue(admin)
  const after = await entries()
  expect(after).toHaveLength(before.length + 2)
  expect(after.slice(0, 2)).toMatchObject([
    { actor: admin.email, subject: '1000' },
    { actor: user.email, subject: '1000' },
  ])
})

test('a REGISTER with such a name claims the extension until then', () => {
  const register = [
    'REGISTER sip:acme.example SIP/2.0',
    'Via: SIP/2.0/WS 192.0.2.1;branch=z9hG4bK1',
    'From: <sip:1000@acme.example>;tag=1',
    'To: <sip:1000@acme.example>',
    'Call-ID: 1',
    'CSeq: 1 REGISTER',
    'Authorization: Digest username="1000.1795000900.7", realm="acme.example", nonce="n", uri="sip:acme.example", response="r"',
    'Content-Length: 0',
    '',
    '',
  ].join('\r\n')
  const request = parseMessage(Buffer.from(register))
  if (!('method' in request)) throw new Error('not a request')
  expect(readIdentityClaim(request, new Set())).toMatchObject({
    extension: { domain: 'acme.example', number: '1000' },
    login: { until: 1795000900, userId: 7 },
  })
})
