/** Spec §8, D103-D105: the rate limit of each route. */
import { afterEach, describe, expect, test } from 'vitest'
import type { Answer } from '../../helpers/service/client.ts'
import { addUser, openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'

let service: Service
afterEach(() => service.stop())

const extension = (ramal: string) => ({
  ramal,
  senha: '12345678',
  first_name: 'A',
  last_name: 'B',
  email_address: 'a@b.example',
})

const proxied = (address: string) => ({ 'x-forwarded-for': address })

async function start(settings: Record<string, string> = {}) {
  service = await startService({ RATE_LIMITS: 'on', TRUST_PROXY: '127.0.0.1,::1', ...settings })
  return await openAccount(service)
}

async function repeat(times: number, ask: () => Promise<Answer>): Promise<Answer> {
  for (let n = 1; n < times; n += 1) expect((await ask()).status).not.toBe(429)
  return await ask()
}

describe('the table', () => {
  test.each([
    ['POST /calls', 15, 'extension and user'],
    ['POST /dialer', 15, 'extension and user'],
  ])('%s: %s a minute by %s', async (route, limit) => {
    const admin = await start()
    const agent = await addUser(service, admin)
    for (const ramal of ['1000', '1001']) await service.api.post('/extensions', extension(ramal), admin)
    const path = route.split(' ')[1] ?? ''
    const numbers = { called: '5548999998888', phone: '5548999998888' }
    const place = (extension: string, who: { token: string } = admin) =>
      service.api.post(path, { ...numbers, extension }, { token: who.token })
    expect((await repeat(limit, () => place('1000'))).headers.get('ratelimit-remaining')).toBe('0')
    expect((await place('1000')).status).toBe(429)
    expect((await place('1001')).status).toBe(422)
    expect((await place('1000', agent)).status).toBe(422)
  })

  test('POST /calls: extensions that do not exist count together, by user', async () => {
    const admin = await start()
    let n = 5000
    const invent = () =>
      service.api.post('/calls', { extension: String(n++), called: '5548999998888' }, admin)
    const last = await repeat(15, invent)
    expect([last.body.error.code, last.headers.get('ratelimit-remaining')]).toEqual([
      'EXTENSION_UNKNOWN',
      '0',
    ])
    const { status, body } = await invent()
    expect([status, body.error.code]).toEqual([429, 'RATE_LIMITED'])
    await service.api.post('/extensions', extension('1000'), admin)
    const real = await service.api.post('/calls', { extension: '1000', called: '5548999998888' }, admin)
    expect(real.body.error.code).toBe('EXTENSION_NOT_REGISTERED')
  })

  test('both forms of hanging up have one counter', async () => {
    const admin = await start()
    const id = '0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d'
    await repeat(15, () => service.api.post(`/calls/${id}/hangup`, undefined, admin))
    const { headers } = await repeat(15, () => service.api.post('/calls/hangup', { id }, admin))
    expect(headers.get('ratelimit-remaining')).toBe('0')
    expect((await service.api.post(`/calls/${id}/hangup`, undefined, admin)).status).toBe(429)
  })

  test('any other route counts by user with RATE_LIMIT_BY=user, and by address without a token', async () => {
    const admin = await start({ RATE_LIMIT_BY: 'user' })
    const agent = await addUser(service, admin)
    const me = (token?: string, address = '192.0.2.1') =>
      service.api.get('/users/me', { token, headers: proxied(address) })
    await repeat(30, () => me(admin.token))
    await repeat(30, () => me(admin.token, '192.0.2.2'))
    expect((await me(admin.token, '192.0.2.3')).status).toBe(429)
    expect((await me(agent.token)).status).toBe(200)
    await repeat(60, () => me())
    expect((await me()).status).toBe(429)
    expect((await me(agent.token)).status).toBe(200)
  })

  test('POST /calls and POST /dialer count apart', async () => {
    const admin = await start()
    await repeat(15, () => service.api.post('/calls', { extension: '1000' }, admin))
    expect((await service.api.post('/calls', { extension: '1000' }, admin)).status).toBe(429)
    expect((await service.api.post('/dialer', { extension: '1000' }, admin)).status).toBe(422)
  })

  test.each([
    ['POST /calls/{id}/hangup', 30, 404, () => service.api.post.bind(null, '/calls/x/hangup', undefined)],
    ['GET /calls', 15, 200, () => service.api.get.bind(null, '/calls?page=1')],
  ])('%s: %s a minute by user', async (_route, limit, otherwise, ask) => {
    const admin = await start()
    const agent = await addUser(service, admin)
    const last = await repeat(limit, () => ask()(admin))
    expect(last.headers.get('ratelimit-limit')).toBe(String(limit))
    expect((await ask()(admin)).status).toBe(429)
    expect((await ask()(agent)).status).toBe(otherwise)
  })

  test('POST /users/login: 10 a minute by address, wrong ones too', async () => {
    await start()
    // Each time another e-mail, which has a limit of its own (D146).
    let people = 0
    const login = (address: string) => {
      people += 1
      const body = { email: `x${people}@y.example`, password: 'wrong' }
      return service.api.post('/users/login', body, { headers: proxied(address) })
    }
    await repeat(10, () => login('192.0.2.1'))
    expect((await login('192.0.2.1')).status).toBe(429)
    expect((await login('192.0.2.2')).status).toBe(401)
  })

  test('any other route: 60 a minute by address, each route by itself', async () => {
    const admin = await start()
    const me = (address: string) =>
      service.api.get('/users/me', { token: admin.token, headers: proxied(address) })
    expect((await repeat(60, () => me('192.0.2.1'))).status).toBe(200)
    expect((await me('192.0.2.1')).status).toBe(429)
    expect((await me('192.0.2.2')).status).toBe(200)
    const users = await service.api.get('/users', { token: admin.token, headers: proxied('192.0.2.1') })
    expect(users.headers.get('ratelimit-remaining')).toBe('59')
  })

  test('unknown routes count together', async () => {
    await start()
    let n = 0
    const guess = () => service.api.get(`/guess-${n++}`, { headers: proxied('192.0.2.9') })
    await repeat(60, guess)
    expect((await guess()).status).toBe(429)
  })
})

describe('the window', () => {
  test('lasts 60 seconds from the first request and ends by itself', async () => {
    const admin = await start()
    const list = () => service.api.get('/calls?page=1', admin)
    await list()
    service.clock.advance(59)
    await repeat(14, list)
    expect((await list()).status).toBe(429)
    service.clock.advance(1)
    const { status, headers } = await list()
    expect([status, headers.get('ratelimit-remaining')]).toEqual([200, '14'])
  })

  test('is shown in three headers of every response, refusals included (D104)', async () => {
    const admin = await start()
    const first = await service.api.get('/calls?page=1', admin)
    service.clock.advance(0.5)
    const second = await service.api.get('/calls?page=1', admin)
    expect(headersOf(first)).toEqual(['15', '14', '60'])
    expect(headersOf(second)).toEqual(['15', '13', '60'])
    expect(headersOf(await service.api.get('/users?x=1', admin))).toEqual(['60', '59', '60'])
    expect(headersOf(await service.api.post('/users', '{', admin))).toEqual(['60', '59', '60'])
    expect(headersOf(await service.api.get('/nowhere'))).toEqual(['60', '59', '60'])
  })

  test.each([
    ['a broken escape in the path', 'GET', '/calls/%zz', undefined, 400, 'MALFORMED_REQUEST'],
    ['a broken escape in an unknown path', 'GET', '/%E0%A4%A', undefined, 400, 'MALFORMED_REQUEST'],
    ['an id of 3,000 characters', 'GET', `/calls/${'7'.repeat(3000)}`, undefined, 404, 'CALL_NOT_FOUND'],
    ['a wrong method', 'PUT', '/calls', '{', 405, 'METHOD_NOT_ALLOWED'],
    ['an unknown route', 'GET', '/nowhere', undefined, 404, 'ROUTE_NOT_FOUND'],
    ['a body that is too large', 'POST', '/users', 'x'.repeat(1_048_577), 413, 'BODY_TOO_LARGE'],
    ['a body that is not JSON', 'POST', '/calls', '{', 400, 'MALFORMED_BODY'],
  ])('counts %s, and shows it', async (_what, method, path, body, status, code) => {
    const admin = await start()
    const ask = () => service.api.send(method, path, body, admin)
    const [first, second] = [await ask(), await ask()]
    expect([first.status, first.body.error.code]).toEqual([status, code])
    const [limit, remaining] = headersOf(first)
    expect(headersOf(second).slice(0, 2)).toEqual([limit, String(Number(remaining) - 1)])
  })

  test('counts HEAD together with GET', async () => {
    const admin = await start()
    await service.api.get('/users/me', admin)
    const { headers } = await service.api.send('HEAD', '/users/me', undefined, admin)
    expect(headers.get('ratelimit-remaining')).toBe('58')
  })

  test('counts a refused request too, whatever refused it', async () => {
    const admin = await start()
    await service.api.post('/calls', '{"extension":', admin)
    await service.api.post('/calls', { extension: 77 }, admin)
    await service.api.post('/calls', { extension: '77' }, admin)
    const remaining = async (extension: string) =>
      (await service.api.post('/calls', { extension }, admin)).headers.get('ratelimit-remaining')
    expect(await remaining('77')).toBe('13')
    expect(await remaining('not a number')).toBe('12')
  })

  test('of a route by user counts by address without a valid token', async () => {
    await start()
    const stranger = (address: string) =>
      service.api.get('/calls?page=1', { token: 'x', headers: proxied(address) })
    await repeat(15, () => stranger('192.0.2.1'))
    expect((await stranger('192.0.2.1')).status).toBe(429)
    expect((await stranger('192.0.2.2')).status).toBe(401)
  })

  test('does not count preflights', async () => {
    const admin = await start()
    const preflight = { headers: { 'access-control-request-method': 'GET' } }
    for (let n = 0; n < 70; n += 1) await service.api.send('OPTIONS', '/users', undefined, preflight)
    const { headers } = await service.api.get('/users', admin)
    expect(headers.get('ratelimit-remaining')).toBe('59')
  })
})

test('429 has the contract body, RateLimit-Reset and Retry-After', async () => {
  const admin = await start()
  await repeat(15, () => service.api.get('/calls?page=1', admin))
  service.clock.advance(17.2)
  const { status, headers, body } = await service.api.get('/calls?page=1', admin)
  expect(status).toBe(429)
  expect(body.error).toEqual({
    statusCode: 429,
    errorCode: 'RATE_LIMITED',
    code: 'RATE_LIMITED',
    name: 'TooManyRequests',
    message: expect.any(String),
  })
  expect([
    headers.get('ratelimit-remaining'),
    headers.get('ratelimit-reset'),
    headers.get('retry-after'),
  ]).toEqual(['0', '43', '43'])
})

test('the address is the socket unless a trusted proxy speaks for another (D105)', async () => {
  const admin = await start({ TRUST_PROXY: '' })
  await service.api.get('/users/me', { token: admin.token, headers: proxied('192.0.2.1') })
  const { headers } = await service.api.get('/users/me', {
    token: admin.token,
    headers: proxied('192.0.2.2'),
  })
  expect(headers.get('ratelimit-remaining')).toBe('58')
})

test('IPv6 addresses of one /64 count together (D105)', async () => {
  const admin = await start()
  const from = (address: string) =>
    service.api.get('/users/me', { token: admin.token, headers: proxied(address) })
  await from('2001:db8:1:2::1')
  expect((await from('2001:db8:1:2:ffff::9')).headers.get('ratelimit-remaining')).toBe('58')
  expect((await from('2001:db8:1:3::1')).headers.get('ratelimit-remaining')).toBe('59')
})

function headersOf({ headers }: Answer) {
  return ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'].map((name) => headers.get(name))
}

test('D471: an account is limited too, whatever addresses its requests of other routes come from', async () => {
  const admin = await start()
  const other = await openAccount(service)
  let n = 0
  const ask = (token: string) => {
    n += 1
    return service.api.head('/live', { token, headers: proxied(`10.1.${n >> 8}.${n & 255}`) })
  }
  const last = await repeat(300, () => ask(admin.token))
  expect(last.status).toBe(200)
  const refused = await ask(admin.token)
  const reset = refused.headers.get('ratelimit-reset')
  expect([
    refused.status,
    refused.headers.get('ratelimit-remaining'),
    refused.headers.get('retry-after'),
  ]).toEqual([429, '0', reset])
  expect(Number(reset)).toBeGreaterThan(0)
  // Every other route counts together; those with rows of their own do not, nor do other accounts.
  const me = await service.api.get('/users/me', { token: admin.token, headers: proxied('10.2.0.1') })
  expect([me.status, me.body.error.code]).toEqual([429, 'RATE_LIMITED'])
  expect((await service.api.get('/calls', admin)).status).toBe(200)
  expect((await ask(other.token)).status).toBe(200)
  service.clock.advance(61)
  expect((await ask(admin.token)).status).toBe(200)
})
