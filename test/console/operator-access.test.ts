/** Who may use the operator console (D320). */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { createClient } from '../helpers/service/client.ts'
import { openAccount } from '../helpers/service/people.ts'
import { type Service, startService } from '../helpers/service/service.ts'

const token = 'an operator token of 32 letters.'
const routes = ['/operator/api/session', '/operator/api/overview', '/operator/api/accounts']
const open = ({ url }: Service) => createClient(url)
const sameOrigin = { 'sec-fetch-site': 'same-origin' }

describe('without OPERATOR_TOKEN', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ CONSOLE: 'on' })
    await service.app.consoleBuild?.finished
  })
  afterAll(() => service?.stop())

  test('the page opens, and its data needs the token that the service made, in a browser and without', async () => {
    const page = await open(service).get('/operator/accounts')
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    for (const route of routes) {
      expect((await open(service).get(route)).status).toBe(401)
      expect((await open(service).get(route, { headers: sameOrigin })).status).toBe(401)
      const answer = await service.operator.get(route)
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
      expect(answer.headers.get('access-control-allow-origin')).toBe(null)
    }
  })

  test.each([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'http://localhost:1' },
    { origin: 'null' },
  ])('pages of another origin are refused (%o)', async (headers) => {
    for (const route of routes) expect((await service.operator.get(route, { headers })).status).toBe(403)
    const [node] = (await service.operator.get('/operator/api/overview')).body.nodes
    const drain = `/operator/api/nodes/${node.id}/drain`
    expect((await service.operator.post(drain, { draining: true }, { headers })).status).toBe(403)
    const form = { ...headers, 'content-type': 'text/plain' }
    expect((await service.operator.post(drain, '{"draining":true}', { headers: form })).status).toBe(403)
    expect((await service.operator.get('/operator/api/overview')).body.nodes[0].state).toBe('active')
  })

  test('a body that is no JSON changes nothing', async () => {
    const headers = { 'content-type': 'text/plain' }
    const answer = await service.operator.post('/operator/api/numbers', '{}', { headers })
    expect(answer.status).toBe(415)
  })
})

test('it is closed while the service listens on other addresses and has no token', async () => {
  const service = await startService({ CONSOLE: 'on', HOST: '0.0.0.0' })
  onTestFinished(() => service.stop())
  for (const route of ['/operator', ...routes]) expect((await open(service).get(route)).status).toBe(404)
})

describe('with OPERATOR_TOKEN', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({
      CONSOLE: 'on',
      HOST: '0.0.0.0',
      OPERATOR_TOKEN: token,
      RATE_LIMITS: 'on',
    })
    await service.app.consoleBuild?.finished
  })
  afterAll(() => service?.stop())

  const signIn = (given: string, headers: Record<string, string> = sameOrigin) =>
    open(service).post('/operator/api/session', { token: given }, { headers })

  test('the page opens, and its data needs the token; that of an account is none', async () => {
    expect((await open(service).get('/operator')).status).toBe(200)
    const admin = await openAccount(service)
    for (const route of routes) {
      expect((await open(service).get(route)).status).toBe(401)
      expect((await open(service).get(route, { token: `Bearer ${token}` })).status).toBe(200)
      const ofAccount = await open(service).get(route, { token: admin.token })
      expect([ofAccount.status, ofAccount.body.error.code]).toEqual([401, 'INVALID_TOKEN'])
    }
    const session = { email: admin.email, password: admin.password }
    const begun = await service.api.post('/console/session', session, { headers: sameOrigin })
    const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? ''
    const headers = { ...sameOrigin, cookie }
    expect((await service.api.get('/users/me', { headers })).status).toBe(200)
    expect((await open(service).get('/operator/api/overview', { headers })).status).toBe(401)
    service.clock.advance(60)
  })

  test('the typed token becomes a cookie that no script reads, for our own page, and for 12 hours', async () => {
    expect((await signIn(token, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await signIn(token, {})).status).toBe(403)
    const answer = await signIn(token)
    expect(answer.status).toBe(200)
    const given = answer.headers.get('set-cookie') ?? ''
    expect(given).toMatch(/^ramal-operator=[^;]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/)
    expect(given).not.toContain(token)
    const cookie = given.split(';')[0] ?? ''
    const read = (headers: Record<string, string>) => open(service).get('/operator/api/accounts', { headers })
    expect((await read({ cookie, ...sameOrigin })).status).toBe(200)
    expect((await read({ cookie, origin: service.url })).status).toBe(200)
    expect((await read({ cookie })).status).toBe(401)
    expect((await read({ cookie, 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    const [name = '', value = ''] = cookie.split('=')
    const [end = ''] = value.split('.')
    const forged = `${name}=${value.replace(end, String(Number(end) + 1))}`
    expect((await read({ cookie: forged, ...sameOrigin })).status).toBe(401)
    service.clock.advance(12 * 3600)
    expect((await read({ cookie, ...sameOrigin })).status).toBe(401)
    const ended = await open(service).delete('/operator/api/session', { token: `Bearer ${token}` })
    expect(ended.headers.get('set-cookie')).toMatch(/^ramal-operator=; .*Max-Age=0$/)
  })

  test('guesses are limited as logins are, in the form and in the header', async () => {
    service.clock.advance(60)
    for (let count = 0; count < 5; count += 1) {
      expect((await signIn('a guess')).status).toBe(401)
      const answer = await open(service).get('/operator/api/session', { token: 'Bearer a guess' })
      expect(answer.status).toBe(401)
    }
    const limited = await signIn(token)
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '60'])
  })
})

test('a short OPERATOR_TOKEN is refused at the start', () => {
  expect(() => readConfig({ OPERATOR_TOKEN: 'short' })).toThrow('at least 24 characters')
})
