/** Links from which Linphone fetches its settings (D328). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { minutes } from '../../helpers/run/test-clock.ts'
import { addUser, openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'
import { removeExtensionUnder } from '../../helpers/stored/people-rows.ts'
import { countRows } from '../../helpers/stored/row-counts.ts'

let service: Service
let admin: Awaited<ReturnType<typeof openAccount>>
let agent: Awaited<ReturnType<typeof addUser>>
let path: string

beforeAll(async () => {
  const settings = { SIP_PORT: '0', SIP_WS_PORT: '0', RTP_PORTS: '26000-26099' }
  service = await startService(settings, { engine: undefined })
  admin = await openAccount(service)
  agent = await addUser(service, admin)
  const extension = { senha: 's3nha<do>ramal', first_name: 'Ana "A"', last_name: 'Souza' }
  const { body } = await service.api.post(
    '/extensions',
    { ...extension, ramal: '1000', email_address: agent.email },
    admin,
  )
  path = `/extensions/${body.id}/setup-link`
})
afterAll(() => service.stop())

const fetchSettings = (url: string) => fetch(url, { headers: { accept: '*/*' } })

test('answer the account as Linphone reads it, once', async () => {
  const { status, body } = await service.api.post(path, {}, agent)
  expect([status, body.app]).toEqual([200, 'linphone'])
  expect(body.svg).toMatch(/^<svg/)
  const answer = await fetchSettings(body.url)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/xml; charset=utf-8'])
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const xml = await answer.text()
  for (const [name, value] of Object.entries({
    transient_provisioning: '1',
    username: '1000',
    passwd: 's3nha&#60;do&#62;ramal',
    realm: admin.domain,
    reg_identity: `&#34;Ana A Souza&#34; &#60;sip:1000@${admin.domain}&#62;`,
  })) {
    expect(xml).toContain(`<entry name="${name}" overwrite="true">${value}</entry>`)
  }
  expect(xml).toMatch(/<entry name="reg_route" [^>]*>&#60;sip:[\d.]+:\d+;transport=udp&#62;</)
  const again = await fetchSettings(body.url)
  const { error } = (await again.json()) as { error: { code: string } }
  expect([again.status, error.code]).toEqual([404, 'SETUP_LINK_INVALID'])
  const { body: log } = await service.api.get('/accounts/audit?page=1', admin)
  expect(log.data.slice(0, 2)).toMatchObject([
    { action: 'extension.setup-link-used', actor: null, subject: '1000' },
    { action: 'extension.setup-link-created', actor: agent.email, subject: '1000' },
  ])
})

test('opened in a browser it shows a page, and is not used up', async () => {
  const { body } = await service.api.post(path, {}, admin)
  const page = await fetch(body.url, { headers: { accept: 'text/html', 'accept-language': 'en' } })
  expect(page.headers.get('content-type')).toContain('text/html')
  const html = await page.text()
  expect(html).toContain(`href="linphone-config:${body.url}"`)
  expect(html).not.toContain('s3nha')
  expect((await fetchSettings(body.url)).status).toBe(200)
})

test('HEAD says whether a link works, and does not use it up (D328)', async () => {
  const { body } = await service.api.post(path, {}, agent)
  const head = () => fetch(body.url, { method: 'HEAD', headers: { accept: '*/*' } })
  const before = await head()
  expect([before.status, before.headers.get('content-type')]).toEqual([200, 'application/xml; charset=utf-8'])
  expect((await fetchSettings(body.url)).status).toBe(200)
  expect((await head()).status).toBe(404)
})

test('work for ten minutes, and until the next one is made', async () => {
  const { body: first } = await service.api.post(path, {}, admin)
  const { body: second } = await service.api.post(path, {}, admin)
  expect((await fetchSettings(first.url)).status).toBe(404)
  service.clock.advance(10 * minutes)
  expect((await fetchSettings(second.url)).status).toBe(404)
  await service.tick('old set-up links')
  expect(await countRows(service.db, 'phone_setup_links')).toBe(0)
})

test('are made by those who may see senha', async () => {
  const calling = { ttl: 600, scopes: ['calls:place'] }
  const { body: token } = await service.api.post('/users/accessTokens', calling, admin)
  for (const [who, status] of [
    [await addUser(service, admin), 403],
    [{ token: token.id }, 403],
    [await openAccount(service), 404],
  ] as const) {
    expect((await service.api.post(path, {}, who)).status).toBe(status)
  }
})

test('of an extension that is deleted meanwhile are refused', async () => {
  const input = { senha: 's3nha-do-ramal', first_name: 'Ana', last_name: 'Souza', email_address: agent.email }
  const { body } = await service.api.post('/extensions', { ...input, ramal: '1001' }, admin)
  const ask = () => service.api.post(`/extensions/${body.id}/setup-link`, {}, admin)
  const { answer } = await removeExtensionUnder(service.db, body.id, ask)
  expect((await answer).body.error.code).toBe('EXTENSION_NOT_FOUND')
})
