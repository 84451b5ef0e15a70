/** Spec §7, D100, D101, D106: errors, and the headers of every response. */
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { basePath, entry } from '../../../src/http/entry.ts'
import { createClient } from '../../helpers/service/client.ts'
import { newUser, openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'

/** A route that fails with an unexpected error. */
const broken = entry({
  method: 'GET',
  path: '/broken',
  tag: 'Users',
  about: 'Always fails',
  may: 'anyone',
  limit: 'other',
  run: async () => {
    throw new Error('internal secret: postgres://user:pw@db')
  },
})

let service: Service
let admin: Awaited<ReturnType<typeof openAccount>>

beforeAll(async () => {
  service = await startService({}, { routes: [broken] })
  admin = await openAccount(service)
})
afterAll(() => service.stop())

const json = { 'content-type': 'application/json' }

test.each([
  ['/calls', 'without the version'],
  ['/api/calls', 'with a part of the version'],
  ['/api/api/v1/calls', 'with a part of it twice'],
  ['/api/v1/api/v1/calls', 'with the version twice'],
])('%s, %s, is refused with how a path begins', async (path) => {
  const headers = { 'accept-language': 'pt' }
  const { status, body } = await createClient(service.url).get(path, { headers })
  expect([status, body.error.errorCode]).toEqual([404, 'ROUTE_NOT_FOUND'])
  expect(body.error.message).toBe(
    `There is no route GET ${path}. Routes of the API begin with /api/v1, as in /api/v1/calls`,
  )
  expect(body.error.localizedMessage).toBe(
    `A rota GET ${path} não existe. As rotas da API começam com /api/v1, como em /api/v1/calls`,
  )
})

test('a path that begins with the version is refused by its name alone', async () => {
  const { body } = await service.api.get('/apis', admin)
  expect(body.error.message).toBe('There is no route GET /api/v1/apis')
})

describe('the error body', () => {
  test.each([
    ['an unknown route', 404, 'ROUTE_NOT_FOUND', () => service.api.get('/nowhere', admin)],
    ['another method', 405, 'METHOD_NOT_ALLOWED', () => service.api.send('PUT', '/users', {}, admin)],
    ['a path outside the API', 404, 'ROUTE_NOT_FOUND', () => createClient(service.url).get('/wp-login.php')],
    ['malformed JSON', 400, 'MALFORMED_BODY', () => service.api.post('/users', '{"name":', admin)],
    [
      'a key named __proto__, which is one like any other',
      422,
      'VALIDATION_FAILED',
      () => service.api.post('/users', '{"__proto__":{"role":"ADMIN"}}', admin),
    ],
    [
      'a wrong content type',
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      () =>
        service.api.post('/users', 'a=b', { token: admin.token, headers: { 'content-type': 'text/plain' } }),
    ],
    [
      'a body over 1 MiB',
      413,
      'BODY_TOO_LARGE',
      () => service.api.post('/users', { name: 'x'.repeat(1_048_577) }, admin),
    ],
    ['a body that is no object', 422, 'VALIDATION_FAILED', () => service.api.post('/users', '[1]', admin)],
    ['no body', 422, 'VALIDATION_FAILED', () => service.api.post('/users', undefined, admin)],
    ['null', 422, 'VALIDATION_FAILED', () => service.api.post('/users', 'null', admin)],
    [
      'a broken escape in the path',
      400,
      'MALFORMED_REQUEST',
      () => service.api.delete('/users/accessTokens/%E0%A4%A', admin),
    ],
    ['no token', 401, 'AUTHORIZATION_REQUIRED', () => service.api.get('/users')],
  ])('of %s is %s %s', async (_what, status, code, ask) => {
    const answer = await ask()
    expect(answer.status).toBe(status)
    const { error, ...rest } = answer.body
    expect(rest).toEqual({})
    expect(error).toMatchObject({ statusCode: status, code, errorCode: code })
    expect(error.name).toMatch(/Error$/)
    expect(error.message).toEqual(expect.any(String))
    expect(answer.headers.get('content-type')).toContain('application/json')
  })

  test('names the fields that break their rules, with codes and messages (D101)', async () => {
    const { body } = await service.api.post('/users', { ...newUser(), email: 'x', phone: '1' }, admin)
    expect(body.error).toMatchObject({
      statusCode: 422,
      name: 'ValidationError',
      details: {
        context: 'User',
        codes: { email: ['format'], phone: ['format'] },
        messages: { email: ['must be an e-mail address'] },
      },
    })
    expect(body.error.message).toContain('`email` must be an e-mail address')
  })

  test('of an internal error reveals no internals', async () => {
    const { status, body } = await service.api.get('/broken')
    expect(status).toBe(500)
    expect(body.error.code).toBe('INTERNAL_ERROR')
    expect(JSON.stringify(body)).not.toContain('internal secret')
  })

  test('answers also what is not HTTP', async () => {
    const { port } = new URL(service.url)
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), 'localhost', () => socket.write('NOT HTTP AT ALL\r\n\r\n'))
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk
      })
      socket.on('end', () => resolve(text))
      socket.on('error', reject)
    })
    expect(answer).toContain('400 Bad Request')
    expect(answer).toContain('"errorCode":"MALFORMED_REQUEST"')
  })
})

describe('the language of messages (D158)', () => {
  const inPortuguese = { headers: { 'accept-language': 'pt-BR,pt;q=0.9,en;q=0.8' } }

  test('is English, with Portuguese beside it where that is preferred', async () => {
    const english = await service.api.get('/users')
    expect(english.body.error.message).toBe('Send the access token in the Authorization header.')
    expect(english.headers.get('content-language')).toBe('en')
    const portuguese = await service.api.get('/users', inPortuguese)
    expect(portuguese.body.error).toMatchObject({
      code: 'AUTHORIZATION_REQUIRED',
      name: 'UnauthorizedError',
      message: english.body.error.message,
      localizedMessage: 'Envie o token de acesso no cabeçalho Authorization.',
    })
    expect(english.body.error).not.toHaveProperty('localizedMessage')
    expect(portuguese.headers.get('content-language')).toBe('pt-BR')
    expect(portuguese.headers.get('vary')).toBe('Accept-Language')
  })

  test('holds for the details of fields', async () => {
    const person = { ...newUser(), email: 'x', phone: '1' }
    const { body } = await service.api.post('/users', person, { token: admin.token, ...inPortuguese })
    expect(body.error.details).toMatchObject({
      codes: { email: ['format'], phone: ['format'] },
      messages: { email: ['must be an e-mail address'] },
      localizedMessages: { email: ['deve ser um endereço de e-mail'] },
    })
    expect(body.error.localizedMessage).toContain('`email` deve ser um endereço de e-mail')
  })

  test('leaves what clients compare as it is, for pages in a Brazilian browser too', async () => {
    const page = { ...inPortuguese.headers, origin: 'https://crm.example' }
    const options = { token: admin.token, headers: page }
    const person = { ...newUser(), email: admin.email }
    const taken = await service.api.post('/users', person, options)
    expect(taken.body.error.message).toContain('already exists')
    expect(taken.body.error.details.messages.email).toEqual(['already exists'])
    expect(taken.body.error.localizedMessage).toContain('já existe')
    const extension = { senha: '12345678', first_name: 'A', last_name: 'B', email_address: 'a@b.example' }
    await service.api.post('/extensions', { ...extension, ramal: '1200' }, options)
    const call = await service.api.post('/calls', { extension: '1200', called: '5548999998888' }, options)
    expect(call.body.error.message).toMatch(/not\s*registered/i)
  })

  test('holds for messages with parameters', async () => {
    const call = { extension: '9876', called: '5548999998888' }
    const { body } = await service.api.post('/calls', call, { token: admin.token, ...inPortuguese })
    expect(body.error.localizedMessage).toBe('o ramal 9876 não existe nesta conta')
    const nowhere = await service.api.get('/nowhere', inPortuguese)
    expect(nowhere.body.error.localizedMessage).toBe('A rota GET /api/v1/nowhere não existe')
  })

  test.each([
    [
      { where: { nobody: 1 } },
      'filter.where.nobody: is not a known field',
      'filter.where.nobody: não é um campo conhecido',
    ],
    [
      { limit: 0 },
      'filter.limit: must be a whole number from 1 to 1000',
      'filter.limit: deve ser um número inteiro de 1 a 1000',
    ],
    [
      { where: { name: { regexp: '(?=a)' } } },
      'filter.where.name.regexp: must not look ahead or behind',
      'filter.where.name.regexp: não pode olhar para a frente nem para trás (lookahead, lookbehind)',
    ],
    [
      { where: { name: { regexp: '(' } } },
      'filter.where.name.regexp: is not a regular expression: Unterminated group',
      'filter.where.name.regexp: não é uma expressão regular: grupo sem fim',
    ],
    [
      { where: { name: { regexp: '(?:(?:a?){100}){100}' } } },
      'where: has a regular expression that is too large: repeat less',
      'where: tem uma expressão regular grande demais: repita menos',
    ],
    [
      { where: { name: { regexp: '(?ii:a)' } } },
      "filter.where.name.regexp: is not a regular expression: Duplicated flag 'i'",
      'filter.where.name.regexp: não é uma expressão regular',
    ],
  ])('holds for the filter %j', async (filter, en, pt) => {
    const path = `/users?filter=${encodeURIComponent(JSON.stringify(filter))}`
    const english = await service.api.get(path, admin)
    expect(english.body.error).toMatchObject({ code: 'INVALID_PARAMETER_VALUE', message: en })
    const portuguese = await service.api.get(path, { token: admin.token, ...inPortuguese })
    expect(portuguese.body.error).toMatchObject({ message: en, localizedMessage: pt })
    expect(portuguese.headers.get('content-language')).toBe('pt-BR')
  })
})

describe('every answer', () => {
  test('has an X-Request-Id, the one given if it is sane', async () => {
    const own = await service.api.get('/nowhere')
    expect(own.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    const given = await service.api.get('/users/me', { ...admin, headers: { 'x-request-id': 'crm-42' } })
    expect(given.headers.get('x-request-id')).toBe('crm-42')
    const silly = await service.api.get('/users/me', { ...admin, headers: { 'x-request-id': 'a b<script>' } })
    expect(silly.headers.get('x-request-id')).not.toContain('<')
  })

  test('carries the headers that keep browsers safe', async () => {
    const { headers } = await service.api.get('/users/me', admin)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('strict-transport-security')).toContain('max-age')
    expect(headers.get('x-powered-by')).toBeNull()
  })

  test('may be read by any page in a browser (D106)', async () => {
    for (const answer of [await service.api.get('/users/me', admin), await service.api.get('/nowhere')]) {
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      const exposed = answer.headers.get('access-control-expose-headers')
      for (const name of ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'Retry-After']) {
        expect(exposed).toContain(name)
      }
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    }
  })

  test('to a preflight allows the methods and headers clients use', async () => {
    const { status, headers } = await service.api.send('OPTIONS', '/users', undefined, {
      headers: { origin: 'https://crm.example', 'access-control-request-method': 'PATCH' },
    })
    expect(status).toBe(204)
    for (const method of ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']) {
      expect(headers.get('access-control-allow-methods')).toContain(method)
    }
    for (const name of ['Authorization', 'Content-Type', 'Idempotency-Key', '*']) {
      expect(headers.get('access-control-allow-headers')).toContain(name)
    }
  })
})

test('an empty body is no body, whatever its content type (D13)', async () => {
  const { status } = await service.api.post('/users/accessTokens', '', { token: admin.token, headers: json })
  expect(status).toBe(200)
})

describe('the text of a body (D375)', () => {
  const name = 'João Conceição \uFFFD'
  const latin1 = Buffer.from('{"name":"João"}', 'latin1')

  async function rename(body: Buffer<ArrayBuffer>, contentType: string) {
    const headers = { authorization: admin.token, 'content-type': contentType }
    return await fetch(`${service.url}${basePath}/users`, { method: 'PATCH', headers, body })
  }

  test.each(['application/json', 'application/json; charset=UTF-8', 'application/json; charset=none'])(
    'that is not UTF-8 is refused as %s, and not changed',
    async (contentType) => {
      const answer = await rename(latin1, contentType)
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({ error: { code: 'MALFORMED_BODY' } })
    },
  )

  test('is read in the charset that Content-Type names', async () => {
    const answer = await rename(latin1, 'application/json; charset="ISO-8859-1"')
    expect(await answer.json()).toMatchObject({ name: 'João' })
  })

  test.each(['application/json', 'application/json;charset=UTF-8', 'application/json; charset=iso-8859-1'])(
    'is UTF-8 wherever it can be, as %s',
    async (contentType) => {
      const answer = await rename(Buffer.from(JSON.stringify({ name })), contentType)
      expect(await answer.json()).toMatchObject({ name })
    },
  )
})

test('a field the contract does not name has no effect (D61)', async () => {
  const input = { ...newUser(), emailVerified: true, account_id: 1, password_hash: 'x' }
  const { status, body } = await service.api.post('/users', input, admin)
  expect([status, body.emailVerified]).toEqual([200, false])
})

test('a success is 200, except signup (D102)', async () => {
  expect((await service.api.post('/users', newUser(), admin)).status).toBe(200)
})
