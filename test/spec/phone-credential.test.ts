/** D312: the credentials of a browser phone, which work for 15 minutes in place of the extension's password. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readIdentityClaim } from '../../src/engine/embedded/registrar/identity-claim.ts'
import { parseMessage } from '../../src/engine/sip/parser/parse.ts'
import { addUser, openAccount } from '../helpers/people.ts'
import { type Service, startService } from '../helpers/service.ts'

const senha = 's3nha-do-ramal'

let service: Service
let admin: Awaited<ReturnType<typeof openAccount>>
let user: Awaited<ReturnType<typeof addUser>>
let other: Awaited<ReturnType<typeof addUser>>
let id: number

beforeAll(async () => {
  service = await startService()
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
  const until = Number(username.split('.')[1])
  const name = { domain: admin.domain, number: '1000' }
  return (await service.app.services.extensions.phones.credentials(name, until))?.password
}

test('an owner and an ADMIN get them, another user and another account do not', async () => {
  for (const who of [user, admin]) {
    const { status, body } = await issue(who)
    expect([status, body.domain]).toEqual([200, admin.domain])
    expect(body.username).toMatch(/^1000\.\d{10}$/)
    expect(JSON.stringify(body)).not.toContain(senha)
    expect(await expectedOf(body.username)).toBe(body.password)
  }
  expect((await issue(other)).body.error.code).toBe('ACCESS_DENIED')
  expect((await issue(await openAccount(service))).body.error.code).toBe('EXTENSION_NOT_FOUND')
  expect((await issue(admin, 'none')).body.error.code).toBe('EXTENSION_NOT_FOUND')
})

test('they end after 15 minutes, cannot be prolonged by another name, and end with a new password', async () => {
  const { username, password, expires } = (await issue(user)).body
  const [number, until = 0] = username.split('.')
  expect(Date.parse(expires)).toBe(until * 1000)
  expect(await expectedOf(`${number}.${Number(until) - 1}`)).not.toBe(password)
  expect(await expectedOf(`${number}.${Number(until) + 60}`)).toBe(undefined)
  service.clock.advance(901)
  expect(await expectedOf(username)).toBe(undefined)
  const renewed = (await issue(user)).body
  expect(await expectedOf(renewed.username)).toBe(renewed.password)
  await service.api.patch('/extensions', { id, senha: 'another-password' }, admin)
  expect(await expectedOf(renewed.username)).not.toBe(renewed.password)
})

test('a REGISTER with such a name claims the extension until then', () => {
  const register = [
    'REGISTER sip:acme.example SIP/2.0',
    'Via: SIP/2.0/WS 192.0.2.1;branch=z9hG4bK1',
    'From: <sip:1000@acme.example>;tag=1',
    'To: <sip:1000@acme.example>',
    'Call-ID: 1',
    'CSeq: 1 REGISTER',
    'Authorization: Digest username="1000.1795000900", realm="acme.example", nonce="n", uri="sip:acme.example", response="r"',
    'Content-Length: 0',
    '',
    '',
  ].join('\r\n')
  const request = parseMessage(Buffer.from(register))
  if (!('method' in request)) throw new Error('not a request')
  expect(readIdentityClaim(request, new Set())).toMatchObject({
    extension: { domain: 'acme.example', number: '1000' },
    until: 1795000900,
  })
})
