/** D162: what a browser gets where a program gets JSON; D161: lines of the statement. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'

let service: Service

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

const open = (path: string, headers: Record<string, string>) =>
  fetch(`${service.url}${path}`, { headers, redirect: 'manual' })

test.each([
  ['/', 200],
  ['/nothing/here', 404],
  ['/api/v1/nothing', 404],
])('a browser that opens %s gets a page with links, in its language', async (path, status) => {
  for (const [language, words] of [
    ['pt-BR,pt;q=0.9', 'Referência da API'],
    ['en-US,en', 'API reference'],
    ['', 'Referência da API'],
  ] as const) {
    const answer = await open(path, { accept: browser, 'accept-language': language || '*' })
    const page = await answer.text()
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8'])
    expect(page).toContain(words)
    for (const link of ['/docs', '/health', '/mailbox']) expect(page).toContain(`href="${link}"`)
  }
})

test('the page of an unknown path escapes what it repeats', async () => {
  const page = await (await open('/<script>alert(1)</script>', { accept: browser })).text()
  expect(page).not.toContain('<script>')
})

test.each(['application/json', '*/*', 'application/json, text/html;q=0.9'])(
  'a program that accepts %s gets JSON for an unknown path',
  async (accept) => {
    const answer = await open('/nothing/here', { accept })
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ error: { code: 'ROUTE_NOT_FOUND' } })
  },
)

test('the development mailbox speaks both languages', async () => {
  const read = async (language: string) =>
    (await service.operator.get('/mailbox', { headers: { 'accept-language': language } })).body
  expect(await read('pt-BR')).toContain('Caixa de e-mails de desenvolvimento')
  expect(await read('en')).toContain('Development mailbox')
})

test('lines of the statement are in the language that is preferred, English by default (D161)', async () => {
  const admin = await openAccount(service)
  const line = async (headers: Record<string, string>) => {
    const answer = await service.api.get('/credits/statement?page=1', { token: admin.token, headers })
    return [answer.body.data[0].description, answer.headers.get('content-language')]
  }
  expect(await line({})).toEqual(['Trial credit', 'en'])
  expect(await line({ 'accept-language': 'pt-BR' })).toEqual(['Crédito de teste', 'pt-BR'])
})

test('answers of the API are kept nowhere', async () => {
  const admin = await openAccount(service)
  for (const path of ['/users/me', '/users', '/nowhere']) {
    const { headers } = await service.api.get(path, admin)
    expect(headers.get('cache-control'), path).toBe('no-store')
  }
})
