/** The session of the web console (D296): a cookie that only pages of this service can use. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { appCode } from '../../helpers/service/authenticator.ts'
import { addUser, mailedLink, newSignup, openAccount, password, press } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'

const own = { 'sec-fetch-site': 'same-origin' }
const hours = 3_600

let service: Service
let admin: Awaited<ReturnType<typeof openAccount>>

beforeAll(async () => {
  service = await startService()
  admin = await openAccount(service)
})
afterAll(() => service.stop())

type Login = { email?: string; keep?: boolean; code?: string }

const logIn = (rest: Login = {}, headers: Record<string, string> = own) =>
  service.api.post(
    '/console/session',
    { email: admin.email, password, ...rest },
    { headers: { 'user-agent': 'Firefox', ...headers } },
  )

/** The cookie as a browser sends it back. */
async function open(rest: Login = {}): Promise<{ cookie: string }> {
  const { headers } = await logIn(rest)
  return { cookie: headers.get('set-cookie')?.split(';', 1)[0] ?? '' }
}

const me = (headers: Record<string, string>) => service.api.get('/users/me', { headers })

describe('POST /console/session', () => {
  test('answers a cookie that scripts and other sites cannot use, and who is there', async () => {
    const { status, headers, body } = await logIn({ keep: true })
    expect(status).toBe(200)
    expect(headers.getSetCookie()[0]).toMatch(
      /^ramal=\w{64}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=1209600$/,
    )
    expect(headers.get('access-control-allow-credentials')).toBe(null)
    expect(body).toMatchObject({
      user: { email: admin.email, role: 'ADMIN' },
      account: { domain: admin.domain, timeZone: 'America/Sao_Paulo', language: 'pt' },
      balance: { currency: 'BRL' },
      session: { keep: true },
      features: { gateway: 'sandbox', sandboxCarrier: true, recordingDays: expect.any(Number) },
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    })
    expect(JSON.stringify(body)).not.toContain(/ramal=(\w+)/.exec(headers.get('set-cookie') ?? '')?.[1])
  })

  test('without keep the cookie ends with the browser', async () => {
    const { headers } = await logIn()
    expect(headers.getSetCookie()[0]).toMatch(/^ramal=\w{64}; Path=\/; HttpOnly; SameSite=Strict$/)
  })

  test('refuses what a login refuses, and pages of others', async () => {
    const wrong = await service.api.post(
      '/console/session',
      { email: admin.email, password: 'wrong password' },
      { headers: own },
    )
    expect([wrong.status, wrong.body.error.code]).toEqual([401, 'LOGIN_FAILED'])
    const empty = await service.api.post('/console/session', { email: admin.email }, { headers: own })
    expect([empty.status, empty.body.error.code]).toEqual([400, 'USERNAME_EMAIL_REQUIRED'])
    for (const headers of [{}, { 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }]) {
      const { status, body, headers: answered } = await logIn({}, headers)
      expect([status, body.error.code, answered.get('set-cookie')]).toEqual([403, 'FOREIGN_ORIGIN', null])
    }
  })

  test('takes the code of a second factor', async () => {
    const agent = await addUser(service, admin)
    const { secret } = (await service.api.post('/users/me/second-factor', {}, agent)).body
    await service.api.post(
      '/users/me/second-factor/enable',
      { code: appCode(secret, service.clock.now()) },
      agent,
    )
    const without = await logIn({ email: agent.email })
    expect([without.status, without.body.error.code]).toEqual([401, 'SECOND_FACTOR_REQUIRED'])
    const code = appCode(secret, service.clock.now(), 1)
    expect((await logIn({ email: agent.email, code })).body.user.email).toBe(agent.email)
  })
})

describe('the cookie', () => {
  test('authenticates requests of our own pages to any route, and of no others', async () => {
    const cookie = await open()
    const host = new URL(service.url).host
    const accepted = [
      own,
      { origin: `http://${host}` },
      { referer: `http://${host}/console/calls` },
      { ...own, origin: 'null' },
    ]
    for (const headers of accepted) expect((await me({ ...cookie, ...headers })).status).toBe(200)
    const refused = [
      {},
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: `http://${host}` },
      { 'sec-fetch-site': 'none' },
      { origin: 'https://evil.example' },
      { referer: 'https://evil.example/' },
    ]
    for (const headers of refused) {
      const { status, body } = await me({ ...cookie, ...headers })
      expect([status, body.error.code], JSON.stringify(headers)).toEqual([401, 'AUTHORIZATION_REQUIRED'])
    }
    const made = await service.api.patch('/users', { name: 'Ana' }, { headers: { ...cookie, ...own } })
    expect([made.status, made.body.name]).toEqual([200, 'Ana'])
    const recording = await service.api.get('/calls/none/recording', { headers: { ...cookie, ...own } })
    expect(recording.body.error.code).toBe('RECORDING_NOT_FOUND')
  })

  test('is no access token, nor an access token a cookie; a token in the header decides alone', async () => {
    const { cookie } = await open()
    const token = cookie.replace('ramal=', '')
    expect((await service.api.get('/users/me', { token })).body.error.code).toBe('INVALID_TOKEN')
    expect((await service.api.head('/users/accessTokens', { token })).status).toBe(404)
    expect((await me({ ...own, cookie: `ramal=${admin.token}` })).body.error.code).toBe('INVALID_TOKEN')
    const both = await service.api.get('/users/me', { token: 'x'.repeat(64), headers: { ...own, cookie } })
    expect(both.body.error.code).toBe('INVALID_TOKEN')
  })

  test('has the prefix of a host and is sent over HTTPS only where the service is reached by it', async () => {
    const secure = await startService({ PUBLIC_URL: 'https://voz.example' })
    const account = newSignup()
    await secure.api.post('/accounts/signup', account)
    await press((await mailedLink(secure, account.email)).replace('https://voz.example', secure.url))
    const { headers } = await secure.api.post(
      '/console/session',
      { email: account.email, password },
      { headers: own },
    )
    const [cookie = ''] = headers.getSetCookie()
    expect(cookie).toMatch(/^__Host-ramal=\w{64}; Path=\/; HttpOnly; SameSite=Strict; Secure$/)
    const value = cookie.split(';', 1)[0]?.split('=')[1]
    const answers = await Promise.all(
      [`__Host-ramal=${value}`, `ramal=${value}`].map((sent) =>
        secure.api.get('/users/me', { headers: { ...own, cookie: sent } }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 401])
    await secure.stop()
  })
})

describe('a session', () => {
  test('is listed among the tokens with browser and address, ends by DELETE, and is in the audit log', async () => {
    const agent = await addUser(service, admin)
    const cookie = await open({ email: agent.email })
    const headers = { ...cookie, ...own }
    const { body: tokens } = await service.api.get('/users/accessTokens', { headers })
    expect(tokens.find(({ current }: { current: boolean }) => current)).toMatchObject({
      kind: 'session',
      userAgent: 'Firefox',
      lastUsedAddress: '127.0.0.1',
      fromLogin: true,
    })
    const ended = await service.api.delete('/console/session', { headers })
    expect([ended.status, ended.headers.get('set-cookie')]).toEqual([
      200,
      'ramal=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0',
    ])
    expect((await me(headers)).body.error.code).toBe('INVALID_TOKEN')
    expect((await service.api.delete('/console/session', agent)).status).toBe(404)
    const { body } = await service.api.get('/accounts/audit?page=1', admin)
    const actions = body.data.filter(({ actor }: { actor: string }) => actor === agent.email)
    expect(actions.map(({ action }: { action: string }) => action).slice(0, 2)).toEqual([
      'session.ended',
      'session.started',
    ])
  })

  test('ends by revoking its token, and by a new password', async () => {
    const agent = await addUser(service, admin)
    const revoked = { ...(await open({ email: agent.email })), ...own }
    const { body: tokens } = await service.api.get('/users/accessTokens', agent)
    const { ref } = tokens.find(({ kind }: { kind: string }) => kind === 'session')
    await service.api.delete(`/users/accessTokens/${ref}`, agent)
    expect((await me(revoked)).status).toBe(401)
    const other = { ...(await open({ email: agent.email })), ...own }
    const change = { oldPassword: password, newPassword: 'another password' }
    await service.api.post('/users/change-password', change, agent)
    expect((await me(other)).status).toBe(401)
  })

  test.each([
    [false, 12 * hours],
    [true, 14 * 24 * hours],
  ])('with keep %s ends %i seconds after its last use', async (keep, seconds) => {
    const headers = { ...(await open({ keep })), ...own }
    for (let n = 0; n < 2; n += 1) {
      service.clock.advance(seconds - 1)
      const { status, body } = await service.api.get('/console/session', { headers })
      const expires = new Date(service.clock.now().getTime() + seconds * 1000).toISOString()
      expect([status, body.session]).toMatchObject([200, { keep, expires }])
      await service.tick('last use of tokens')
    }
    service.clock.advance(seconds)
    expect((await me(headers)).body.error.code).toBe('INVALID_TOKEN')
    admin.token = (await service.api.post('/users/login', { email: admin.email, password })).body.id
  })

  test('shows a USER no balance, and a header token no session', async () => {
    const agent = await addUser(service, admin)
    const { body } = await service.api.get('/console/session', agent)
    expect([body.balance, body.session, body.user.role]).toEqual([null, null, 'USER'])
  })
})

test('sessions have 300 requests a minute by user over all routes, beside the limits of programs (D297)', async () => {
  const limited = await startService({ RATE_LIMITS: 'on' })
  const account = await openAccount(limited)
  const { headers: answered } = await limited.api.post(
    '/console/session',
    { email: account.email, password },
    { headers: own },
  )
  const headers = { ...own, cookie: answered.get('set-cookie')?.split(';', 1)[0] ?? '' }
  let last = await limited.api.get('/users/me', { headers })
  expect([last.headers.get('ratelimit-limit'), last.headers.get('ratelimit-remaining')]).toEqual([
    '300',
    '299',
  ])
  for (let n = 1; n < 300; n += 1) {
    last = await limited.api.get(n % 2 === 0 ? '/users/me' : '/calls?page=1', { headers })
  }
  expect([last.status, last.headers.get('ratelimit-remaining')]).toEqual([200, '0'])
  expect((await limited.api.get('/calls?page=1', { headers })).status).toBe(429)
  const program = await limited.api.get('/users/me', account)
  expect([program.status, program.headers.get('ratelimit-limit')]).toEqual([200, '60'])
  const invalid = await limited.api.get('/extensions', { headers: { ...own, cookie: 'ramal=x' } })
  expect([invalid.status, invalid.headers.get('ratelimit-limit')]).toEqual([401, '60'])
  await limited.stop()
})

test('D491: a session makes no token that outlives it, except with the password', async () => {
  const headers = { ...own, ...(await open()) }
  const make = (wanted: object) => service.api.post('/users/accessTokens', wanted, { headers })
  for (const ttl of [-1, 12 * hours + 60]) {
    const { status, body } = await make({ ttl })
    expect([status, body.error.code]).toEqual([403, 'REAUTHENTICATION_REQUIRED'])
  }
  expect((await make({ ttl: hours })).body.ttl).toBe(hours)
  expect((await make({ ttl: -1, currentPassword: password })).body.ttl).toBe(-1)
})
