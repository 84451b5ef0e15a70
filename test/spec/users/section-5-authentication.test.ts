/** Spec §5 and the token routes of §4.7: login, access tokens, roles. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { days } from '../../helpers/run/test-clock.ts'
import { addUser, newSignup, openAccount, password } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'
import { tablesWith } from '../../helpers/stored/secrets.ts'

let service: Service
let admin: Awaited<ReturnType<typeof openAccount>>

beforeAll(async () => {
  service = await startService()
  admin = await openAccount(service)
})
afterAll(() => service.stop())

const newToken = async (ttl?: number) =>
  (await service.api.post('/users/accessTokens', ttl === undefined ? {} : { ttl }, admin)).body

describe("what LoopBack's SDKs send (D432)", () => {
  const login = (query: string) => service.api.post(`/Users/login${query}`, { email: admin.email, password })

  test.each(['?include=user', '?include=USER', `?include=${encodeURIComponent('["user"]')}`])(
    'a login with %s answers the user, too',
    async (query) => {
      const { status, body } = await login(query)
      expect(status).toBe(200)
      const { body: me } = await service.api.get('/users/me', { token: body.id })
      expect(body).toEqual({
        id: expect.any(String),
        ttl: 1_209_600,
        created: expect.any(String),
        userId: me.uuid,
        user: me,
      })
    },
  )

  test('a login without it, or with another relation, answers the token alone', async () => {
    for (const query of ['', '?include=roles']) expect((await login(query)).body).not.toHaveProperty('user')
  })

  test('POST /users/logout ends the token that is sent, and no other', async () => {
    const [one, other] = [(await login('')).body.id, (await login('')).body.id]
    const answer = await service.api.post('/Users/logout', undefined, { token: one })
    expect([answer.status, answer.body]).toEqual([204, ''])
    expect((await service.api.get('/users/me', { token: one })).status).toBe(401)
    expect((await service.api.get('/users/me', { token: other })).status).toBe(200)
    expect((await service.api.post('/users/logout', undefined, { token: one })).status).toBe(401)
  })
})

describe('the Authorization header', () => {
  test.each([
    ['the bare token', (token: string) => token],
    ['Bearer and the token', (token: string) => `Bearer ${token}`],
    ['bearer in lower case', (token: string) => `bearer ${token}`],
  ])('takes %s', async (_form, write) => {
    expect((await service.api.get('/users/me', { token: write(admin.token) })).status).toBe(200)
  })

  test('is required: without it 401 AUTHORIZATION_REQUIRED', async () => {
    const { status, body } = await service.api.get('/users/me')
    expect([status, body.error.code]).toEqual([401, 'AUTHORIZATION_REQUIRED'])
    expect((await service.api.get('/users/me', { token: '' })).body.error.code).toBe('AUTHORIZATION_REQUIRED')
  })

  test.each(['x'.repeat(64), 'Basic YW5hOnNlY3JldA==', 'a', '☎'.codePointAt(0)?.toString() ?? ''])(
    'with an unknown token (%s) is 401 INVALID_TOKEN',
    async (token) => {
      const { status, body } = await service.api.get('/users/me', { token })
      expect([status, body.error.code]).toEqual([401, 'INVALID_TOKEN'])
    },
  )

  test.each(['Basic', 'Digest'])('with %s says that it takes an access token (D50)', async (scheme) => {
    const token = `${scheme} YW5hOnNlY3JldA==`
    const { status, body } = await service.api.get('/users/me', {
      token,
      headers: { 'accept-language': 'pt' },
    })
    expect([status, body.error.errorCode]).toEqual([401, 'INVALID_TOKEN'])
    expect(body.error.message).toBe(
      `The service takes an access token in Authorization, alone or after \`Bearer\`, and not ${scheme}.`,
    )
    expect(body.error.localizedMessage).toBe(
      `O serviço aceita um token de acesso em Authorization, sozinho ou depois de \`Bearer\`, e não ${scheme}.`,
    )
  })

  test('with an unknown token after Bearer says that the token is unknown', async () => {
    const { body } = await service.api.get('/users/me', { token: `Bearer ${'x'.repeat(64)}` })
    expect(body.error.message).toBe('The access token is unknown or has expired.')
  })

  test('with Bearer twice says so', async () => {
    const token = `Bearer Bearer ${admin.token}`
    const { status, body } = await service.api.get('/users/me', {
      token,
      headers: { 'accept-language': 'pt' },
    })
    expect([status, body.error.errorCode]).toEqual([401, 'INVALID_TOKEN'])
    expect(body.error.message).toBe(
      'Authorization has `Bearer` twice. Give your HTTP client the token alone.',
    )
    expect(body.error.localizedMessage).toBe(
      'Authorization tem `Bearer` duas vezes. Passe ao seu cliente HTTP só o token.',
    )
  })

  test('cannot be replaced by a query parameter: 401 that says to use the header (D50)', async () => {
    const { status, body } = await service.api.get(`/users/me?access_token=${admin.token}`)
    expect(status).toBe(401)
    expect(body.error.message).toContain('Authorization header')
    expect((await service.api.get(`/users/me?access_token=${admin.token}`, admin)).status).toBe(401)
  })
})

describe('POST /users/login', () => {
  test('answers id, ttl, created and userId (D51)', async () => {
    const { status, body } = await service.api.post('/users/login', { email: admin.email, password })
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9A-Za-z]{64}$/),
      ttl: 1209600,
      created: service.clock.now().toISOString(),
      userId: (await service.api.get('/users/me', admin)).body.uuid,
    })
  })

  test('takes the e-mail in any case', async () => {
    const email = admin.email.toUpperCase()
    expect((await service.api.post('/users/login', { email, password })).status).toBe(200)
  })

  test('notes the time as lastLoginAt', async () => {
    service.clock.advance(60)
    await service.api.post('/users/login', { email: admin.email, password })
    const { body } = await service.api.get('/users/me', admin)
    expect(body.lastLoginAt).toBe(service.clock.now().toISOString())
  })

  test.each([
    ['nothing', {}],
    ['no password', { email: 'ana@example.com' }],
    ['no e-mail', { password }],
    ['an empty e-mail', { email: ' ', password }],
    ['an object for an e-mail', { email: { neq: '' }, password }],
    ['null', { email: null, password: null }],
  ])('with %s is 400 USERNAME_EMAIL_REQUIRED', async (_what, body) => {
    const answer = await service.api.post('/users/login', body)
    expect([answer.status, answer.body.error.code]).toEqual([400, 'USERNAME_EMAIL_REQUIRED'])
  })

  test('answers a wrong password and an unknown e-mail with the same 401 body', async () => {
    const wrong = await service.api.post('/users/login', { email: admin.email, password: 'wrong password' })
    const unknown = await service.api.post('/users/login', { email: 'nobody@x.example', password })
    expect([wrong.status, wrong.body.error.code]).toEqual([401, 'LOGIN_FAILED'])
    expect(unknown.status).toBe(401)
    expect(unknown.body).toEqual(wrong.body)
  })

  test('before confirmation is 401 LOGIN_FAILED_EMAIL_NOT_VERIFIED, but only with the right password', async () => {
    const signup = newSignup()
    await service.api.post('/accounts/signup', signup)
    const right = await service.api.post('/users/login', { email: signup.email, password })
    expect([right.status, right.body.error.code]).toEqual([401, 'LOGIN_FAILED_EMAIL_NOT_VERIFIED'])
    const wrong = await service.api.post('/users/login', { email: signup.email, password: 'wrong password' })
    expect(wrong.body.error.code).toBe('LOGIN_FAILED')
  })

  test('takes a ttl for the token, and refuses one out of range', async () => {
    const { body } = await service.api.post('/users/login', { email: admin.email, password, ttl: 60 })
    expect(body.ttl).toBe(60)
    const zero = await service.api.post('/users/login', { email: admin.email, password, ttl: 0 })
    expect([zero.status, zero.body.error.details.codes]).toEqual([422, { ttl: ['numericality'] }])
  })
})

describe('POST /users/accessTokens', () => {
  test('answers a token that works (§2.8): id, ttl, created', async () => {
    const token = await newToken()
    expect(token).toMatchObject({ ttl: 1209600, created: service.clock.now().toISOString() })
    expect((await service.api.get('/users/me', { token: token.id })).status).toBe(200)
  })

  test('needs no body', async () => {
    expect((await service.api.post('/users/accessTokens', undefined, admin)).body.ttl).toBe(1209600)
    const empty = { token: admin.token, headers: { 'content-type': 'application/json' } }
    expect((await service.api.post('/users/accessTokens', '', empty)).body.ttl).toBe(1209600)
  })

  test.each([-1, 1, 31556926])('takes a ttl of %s (D52)', async (ttl) => {
    expect((await newToken(ttl)).ttl).toBe(ttl)
  })

  test.each([0, -2, 31556927, 1.5, '60', null])('refuses a ttl of %j with 422', async (ttl) => {
    const { status, body } = await service.api.post('/users/accessTokens', { ttl }, admin)
    expect(status).toBe(422)
    expect(Object.keys(body.error.details.codes)).toEqual(['ttl'])
  })

  test('keeps only a hash of the token', async () => {
    const { id } = await newToken()
    expect(await tablesWith(service.db, id)).toEqual([])
  })
})

describe('the life of a token', () => {
  test('is 14 days by default, to the second', async () => {
    const { id: token } = await newToken()
    service.clock.advance(14 * days - 1)
    expect((await service.api.get('/users/me', { token })).status).toBe(200)
    service.clock.advance(1)
    const { status, body } = await service.api.get('/users/me', { token })
    expect([status, body.error.code]).toEqual([401, 'INVALID_TOKEN'])
    admin.token = (await service.api.post('/users/login', { email: admin.email, password })).body.id
  })

  test('never ends with a ttl of -1', async () => {
    const { id: token } = await newToken(-1)
    service.clock.advance(10 * 365 * days)
    expect((await service.api.get('/users/me', { token })).status).toBe(200)
    admin.token = token
  })
})

describe('HEAD /users/accessTokens', () => {
  test('is 200 without a body when the token exists', async () => {
    const { status, body } = await service.api.head('/users/accessTokens', admin)
    expect([status, body]).toEqual([200, ''])
  })

  test('is 404, never 401, when it does not exist, has expired or is not sent', async () => {
    const { id: expired } = await newToken(1)
    service.clock.advance(2)
    for (const token of ['x'.repeat(64), expired, undefined]) {
      const { status, body } = await service.api.head('/users/accessTokens', { token })
      expect([status, body]).toEqual([404, ''])
    }
  })
})

describe('GET and DELETE /users/accessTokens (D53)', () => {
  test('list the own tokens by their last four characters, with created, expires, last used', async () => {
    const agent = await addUser(service, admin)
    service.clock.advance(1)
    const { body: token } = await service.api.post('/users/accessTokens', { ttl: 60, name: 'CRM' }, agent)
    expect(token.name).toBe('CRM')
    service.clock.advance(7)
    await service.api.get('/users/me', { token: token.id })
    await service.tick('last use of tokens')
    const { body } = await service.api.get('/users/accessTokens', agent)
    expect(body).toHaveLength(2)
    expect(body[0]).toEqual({
      ref: expect.any(String),
      name: 'CRM',
      lastFour: token.id.slice(-4),
      ttl: 60,
      created: token.created,
      expires: new Date(Date.parse(token.created) + 60_000).toISOString(),
      lastUsed: service.clock.now().toISOString(),
      lastUsedAddress: '127.0.0.1',
      scopes: null,
      addresses: null,
      kind: 'token',
      userAgent: null,
      fromLogin: false,
      current: false,
    })
    expect(body[1]).toMatchObject({ current: true, name: null, fromLogin: true })
    expect(JSON.stringify(body)).not.toContain(token.id)
  })

  test('a revoked token stops working at once', async () => {
    const { id: token } = await newToken()
    expect((await service.api.get('/users/me', { token })).status).toBe(200)
    const { body: listed } = await service.api.get('/users/accessTokens', { token })
    const { ref } = listed.find(({ current }: { current: boolean }) => current)
    expect((await service.api.delete(`/users/accessTokens/${ref}`, admin)).status).toBe(200)
    expect((await service.api.get('/users/me', { token })).body.error.code).toBe('INVALID_TOKEN')
    expect((await service.api.delete(`/users/accessTokens/${ref}`, admin)).status).toBe(404)
  })

  test("another user's token is revoked by an ADMIN only, and none that never was", async () => {
    const [agent, other] = [await addUser(service, admin), await addUser(service, admin)]
    const [{ ref }] = (await service.api.get('/users/accessTokens', agent)).body
    const stranger = await openAccount(service)
    for (const named of [ref, 'nonsense', '0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d']) {
      expect((await service.api.delete(`/users/accessTokens/${named}`, other)).status).toBe(404)
      expect((await service.api.delete(`/users/accessTokens/${named}`, stranger)).status).toBe(404)
    }
    expect((await service.api.get('/users/me', agent)).status).toBe(200)
  })
})

describe('the access tokens of another user (D144)', () => {
  test('are listed and revoked by an ADMIN, one or all', async () => {
    const agent = await addUser(service, admin)
    const [one, two, three] = await Promise.all(
      ['one', 'two', 'three'].map(
        async (name) => (await service.api.post('/users/accessTokens', { name }, agent)).body,
      ),
    )
    const path = `/users/accessTokens?user=${agent.uuid}`
    const { body: listed } = await service.api.get(path, admin)
    expect(listed).toHaveLength(4)
    const { ref } = listed.find(({ name }: { name: string }) => name === 'one')
    expect((await service.api.delete(`/users/accessTokens/${ref}`, admin)).body).toEqual({ ref })
    expect((await service.api.get('/users/me', { token: one.id })).status).toBe(401)
    expect((await service.api.get('/users/me', { token: two.id })).status).toBe(200)
    expect((await service.api.delete(path, admin)).body).toEqual({ revoked: 3 })
    for (const { id } of [two, three]) {
      expect((await service.api.get('/users/me', { token: id })).status).toBe(401)
    }
    expect((await service.api.get('/users/me', agent)).status).toBe(401)
  })

  test('are hidden from USERs and from other accounts', async () => {
    const [agent, other] = [await addUser(service, admin), await addUser(service, admin)]
    const path = `/users/accessTokens?user=${agent.uuid}`
    const stranger = await openAccount(service)
    for (const send of [service.api.get, service.api.delete]) {
      expect((await send(path, other)).status).toBe(403)
      expect((await send(path, stranger)).status).toBe(404)
    }
    expect((await service.api.get('/users/me', agent)).status).toBe(200)
  })

  test('in use stays when an ADMIN revokes all of their own', async () => {
    const { body: spare } = await service.api.post('/users/accessTokens', {}, admin)
    const { uuid } = (await service.api.get('/users/me', admin)).body
    expect((await service.api.delete(`/users/accessTokens?user=${uuid}`, admin)).status).toBe(200)
    expect((await service.api.get('/users/me', admin)).status).toBe(200)
    expect((await service.api.get('/users/me', { token: spare.id })).status).toBe(401)
  })
})

describe('roles (D54)', () => {
  test('the user made by signup is ADMIN', async () => {
    expect((await service.api.get('/users/me', admin)).body.role).toBe('ADMIN')
  })

  test('a USER may do what is their own and read users, everything else is 403', async () => {
    const agent = await addUser(service, admin)
    const allowed = [
      service.api.get('/users/me', agent),
      service.api.get('/users', agent),
      service.api.patch('/users', { name: 'Davi' }, agent),
      service.api.post('/users/accessTokens', {}, agent),
      service.api.get('/users/accessTokens', agent),
    ]
    for (const answer of await Promise.all(allowed)) expect(answer.status).toBe(200)
    const refused = [
      service.api.post('/users', {}, agent),
      service.api.get('/accounts', agent),
      service.api.patch('/accounts', { name: 'X' }, agent),
      service.api.get('/accounts/audit?page=1', agent),
    ]
    for (const { status, body } of await Promise.all(refused)) {
      expect([status, body.error.code]).toEqual([403, 'ACCESS_DENIED'])
    }
  })
})
