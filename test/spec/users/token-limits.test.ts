/** Access tokens that are limited to scopes, addresses and a time (D204, D205, D206). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describedRoutes } from '../../helpers/description/described-routes.ts'
import { addUser, openAccount, password } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'
import { setScope } from '../../helpers/stored/people-rows.ts'

let service: Service
let admin: Awaited<ReturnType<typeof openAccount>>

beforeAll(async () => {
  service = await startService({ TRUST_PROXY: '127.0.0.1,::1' })
  admin = await openAccount(service)
})
afterAll(() => service.stop())

const from = (address: string) => ({ 'x-forwarded-for': address })

async function newToken(limits: object, maker: { token: string } = admin) {
  const { status, body } = await service.api.post('/users/accessTokens', limits, maker)
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return { ...body, token: String(body.id) }
}

const codeOf = ({ status, body }: { status: number; body: { error: { code: string } } }) => [
  status,
  body.error.code,
]

describe('scopes (D204)', () => {
  /** Routes that no token, or any token, opens. */
  const open = [
    'GET /accounts/confirm',
    'POST /accounts/confirm',
    'POST /accounts/signup',
    'DELETE /console/session',
    'GET /console/session',
    'POST /console/session',
    'GET /openapi.json',
    'GET /phone-setup/{token}',
    'HEAD /phone-setup/{token}',
    'HEAD /users/accessTokens',
    'GET /status',
    'POST /users/login',
    'POST /users/logout',
    'GET /users/me',
    'POST /users/resend-confirmation',
    'POST /users/reset',
    'GET /users/set-password',
    'POST /users/set-password',
  ]

  test('are declared by every route, except the few that need none', async () => {
    const { body: document } = await service.api.get('/openapi.json')
    const undeclared = Object.entries<Record<string, { description?: string }>>(document.paths).flatMap(
      ([path, operations]) =>
        Object.entries(operations)
          .filter(
            ([, { description = '' }]) =>
              !/Scope: `(calls:place|calls:read|contacts|billing|admin)`/.test(description),
          )
          .map(([method]) => `${method.toUpperCase()} ${path}`),
    )
    expect(undeclared.sort()).toEqual([...open].sort())
  })

  test('that no route asks for open no route', async () => {
    const { token } = await newToken({ scopes: ['admin'] })
    await setScope(service.db, token, 'nothing')
    const answers = await Promise.all(
      (await describedRoutes(service))
        .filter(({ method, path }) => !open.includes(`${method} ${path}`))
        .filter(({ method, path }) => method !== 'HEAD' && !/\/recording$|^\/phone-setup\//.test(path))
        .map(async ({ method, path, example }) => {
          const { status, body } = await service.api.send(method, path, example, { token })
          return [method, path, status, body.error?.code]
        }),
    )
    expect(answers.length).toBeGreaterThan(40)
    expect(answers.filter(([, , status, code]) => status !== 403 || code !== 'SCOPE_REQUIRED')).toEqual([])
  })

  test('open their routes and no others; the refusal names what is missing', async () => {
    const reader = await newToken({ scopes: ['calls:read'] })
    expect((await service.api.get('/calls?page=1', reader)).status).toBe(200)
    expect((await service.api.get('/users/me', reader)).status).toBe(200)
    const refused = await service.api.post('/calls', { extension: '1000', called: '5548999990009' }, reader)
    expect(codeOf(refused)).toEqual([403, 'SCOPE_REQUIRED'])
    expect(refused.body.error.message).toContain('calls:place')
    const cashier = await newToken({ scopes: ['billing'] })
    expect((await service.api.get('/credits/balance', cashier)).status).toBe(200)
    expect(codeOf(await service.api.get('/calls?page=1', cashier))).toEqual([403, 'SCOPE_REQUIRED'])
  })

  test('give a USER nothing that the role does not allow', async () => {
    const agent = await addUser(service, admin)
    const token = await newToken({ scopes: ['admin', 'billing'] }, agent)
    expect(codeOf(await service.api.get('/credits/balance', token))).toEqual([403, 'ACCESS_DENIED'])
  })

  test('without them a token does all that its user may do, as ever', async () => {
    const token = await newToken({})
    expect(token).not.toHaveProperty('scopes')
    for (const path of ['/calls?page=1', '/credits/balance', '/users', '/integrations']) {
      expect((await service.api.get(path, token)).status).toBe(200)
    }
  })

  test('are shown when the token is made and in the list', async () => {
    const agent = await addUser(service, admin)
    const limits = { name: 'CRM', scopes: ['calls:place', 'calls:read'], addresses: ['203.0.113.0/24'] }
    expect(await newToken(limits, agent)).toMatchObject(limits)
    const { body } = await service.api.get('/users/accessTokens', agent)
    expect(body.find(({ name }: { name: string }) => name === 'CRM')).toMatchObject(limits)
    const { body: audit } = await service.api.get('/accounts/audit?page=1', admin)
    expect(audit.data[0]).toMatchObject({ action: 'token.created', details: limits })
  })

  test.each([[[]], [['all']], [['admin', 'admin']], ['admin'], [null]])('of %j are 422', async (scopes) => {
    const { status, body } = await service.api.post('/users/accessTokens', { scopes }, admin)
    expect([status, body.error.code]).toEqual([422, 'VALIDATION_FAILED'])
  })
})

describe('the password of an extension (D206)', () => {
  test('is shown only to a token with the scope admin', async () => {
    const input = {
      ramal: '1000',
      senha: 's3nha-do-ramal',
      first_name: 'Ana',
      last_name: 'Souza',
      email_address: admin.email,
      gravar_audio: 0,
    }
    const { body: made } = await service.api.post('/extensions', input, admin)
    const seenBy = async (scopes: string[]) => {
      const token = await newToken({ scopes })
      const { body } = await service.api.get('/extensions', token)
      const { body: one } = await service.api.get(`/extensions/${made.id}`, token)
      return [body[0].senha, one.senha]
    }
    expect(await seenBy(['calls:read'])).toEqual([null, null])
    expect(await seenBy(['calls:place'])).toEqual([null, null])
    expect(await seenBy(['admin'])).toEqual([input.senha, input.senha])
  })
})

describe('addresses (D205)', () => {
  test('of a token, and its networks, are the only ones it works from', async () => {
    const { token } = await newToken({ addresses: ['203.0.113.7', '198.51.100.0/24', '2001:db8:7::/48'] })
    const at = async (address: string) =>
      (await service.api.get('/users/me', { token, headers: from(address) })).status
    for (const address of ['203.0.113.7', '198.51.100.200', '2001:db8:7::9'])
      expect(await at(address)).toBe(200)
    for (const address of ['203.0.113.8', '127.0.0.1', '2001:db8:8::9']) expect(await at(address)).toBe(403)
    expect(codeOf(await service.api.get('/users/me', { token }))).toEqual([403, 'TOKEN_ADDRESS_REFUSED'])
  })

  test('of an IPv4 network hold for a connection over IPv6 too', async () => {
    const { token } = await newToken({ addresses: ['203.0.113.0/24'] })
    const mapped = from('::ffff:203.0.113.9')
    expect((await service.api.get('/users/me', { token, headers: mapped })).status).toBe(200)
  })

  test.each([[['nowhere']], [['10.0.0.0/33']], [['10.0.0.1', '']], [[]], ['10.0.0.1']])(
    'of %j are 422',
    async (addresses) => {
      const { status, body } = await service.api.post('/users/accessTokens', { addresses }, admin)
      expect([status, Object.keys(body.error.details.codes)[0]]).toEqual([
        422,
        expect.stringMatching(/^addresses/),
      ])
    },
  )
})

describe('a limited token (D205)', () => {
  const limits = { scopes: ['admin', 'calls:read'], addresses: ['127.0.0.0/8', '::1'], ttl: 600 }

  test('makes tokens with its own limits where none are given', async () => {
    const maker = await newToken(limits)
    service.clock.advance(60)
    expect(await newToken({}, maker)).toMatchObject({
      scopes: limits.scopes,
      addresses: limits.addresses,
      ttl: 540,
    })
    const narrower = { scopes: ['calls:read'], addresses: ['127.0.0.1'], ttl: 60 }
    expect(await newToken(narrower, maker)).toMatchObject(narrower)
  })

  test.each([
    ['more scopes', { scopes: ['admin', 'billing'] }],
    ['other addresses', { addresses: ['10.0.0.1'] }],
    ['a larger network', { addresses: ['0.0.0.0/0'] }],
    ['a longer life', { ttl: 601 }],
    ['an endless life', { ttl: -1 }],
  ])('makes none with %s: 403', async (_what, wanted) => {
    const maker = await newToken(limits)
    expect(codeOf(await service.api.post('/users/accessTokens', wanted, maker))).toEqual([
      403,
      'TOKEN_LIMITS_EXCEEDED',
    ])
  })

  test('is not helped by the password: its limits stay', async () => {
    const maker = await newToken(limits)
    const wanted = { ttl: -1, currentPassword: password }
    expect(codeOf(await service.api.post('/users/accessTokens', wanted, maker))).toEqual([
      403,
      'TOKEN_LIMITS_EXCEEDED',
    ])
  })
})

describe('a token with an end (D491)', () => {
  const make = (wanted: object, maker: { token: string }) =>
    service.api.post('/users/accessTokens', wanted, maker)
  const logIn = async (more: object = {}) => {
    const { body } = await service.api.post('/users/login', { email: admin.email, password, ...more })
    return { token: String(body.id) }
  }

  test('of a login as it comes makes any token, at any time', async () => {
    const token = await logIn()
    service.clock.advance(86_400)
    expect((await newToken({ ttl: -1 }, token)).ttl).toBe(-1)
    expect((await newToken({ ttl: 31_556_926 }, token)).ttl).toBe(31_556_926)
    expect((await newToken({}, token)).ttl).toBe(1_209_600)
  })

  test('that never ends makes any token', async () => {
    const endless = await newToken({ ttl: -1 })
    expect((await newToken({ ttl: -1 }, endless)).ttl).toBe(-1)
  })

  test.each([
    ['made by another token', () => newToken({ ttl: 60 })],
    ['of a login that asked for a short one', () => logIn({ ttl: 60 })],
  ])('%s makes none that outlives it, except with the password', async (_what, makeMaker) => {
    const maker = await makeMaker()
    for (const ttl of [-1, 61, 1_209_600]) {
      expect(codeOf(await make({ ttl }, maker))).toEqual([403, 'REAUTHENTICATION_REQUIRED'])
    }
    expect((await newToken({ ttl: 60 }, maker)).ttl).toBe(60)
    expect((await newToken({}, maker)).ttl).toBe(60)
    expect(codeOf(await make({ ttl: -1, currentPassword: 'wrong' }, maker))).toEqual([
      422,
      'INVALID_PASSWORD',
    ])
    expect((await newToken({ ttl: -1, currentPassword: password }, maker)).ttl).toBe(-1)
  })
})
