/** The pages of the operator open with the operator token alone (D109), whatever a proxy makes of a request. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../helpers/programs/free-port.ts'
import { programMissing } from '../../helpers/programs/programs.ts'
import { makeDataDir } from '../../helpers/programs/ramal-process.ts'
import { type Service, startService } from '../../helpers/service/service.ts'
import { statusOf } from '../../helpers/service/status-of.ts'

const pages = ['/mailbox', '/metrics', '/operator/api/overview', '/operator/api/accounts']
const browser = { accept: 'text/html,application/xhtml+xml' }

let service: Service
let token: string
beforeAll(async () => {
  service = await startService({ CONSOLE: 'on' })
  token = service.app.operatorToken?.token ?? ''
})
afterAll(() => service?.stop())

test.each(pages)('D109: %s needs the token, also by the names of this machine', async (path) => {
  for (const host of ['localhost:3000', '127.0.0.1', '[::1]:3000', 'evil.example']) {
    expect([host, await statusOf(`${service.url}${path}`, { host })]).toEqual([host, 401])
    const authorization = `Bearer ${token}`
    expect([host, await statusOf(`${service.url}${path}`, { host, authorization })]).toEqual([host, 200])
    const guess = { host, authorization: `Bearer ${token.slice(1)}x` }
    expect([host, await statusOf(`${service.url}${path}`, guess)]).toEqual([host, 401])
  }
})

test('D109: the token that the service makes is in a file for its owner, and stays the same', async () => {
  const file = join(service.dataDir, 'operator-token')
  expect(readFileSync(file, 'utf8').trim()).toBe(token)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(token).toMatch(/^[\w-]{24}$/)
})

test.each(['/mailbox', '/operator', '/console'])(
  'D109: the printed link to %s gives a browser a cookie, which opens all of them',
  async (path) => {
    const answer = await fetch(`${service.url}${path}?token=${token}`, {
      headers: browser,
      redirect: 'manual',
    })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, path])
    const given = answer.headers.get('set-cookie') ?? ''
    expect(given).toMatch(/^ramal-operator=[^;]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/)
    expect(given).not.toContain(token)
    const cookie = given.split(';', 1)[0] ?? ''
    for (const page of ['/mailbox', '/metrics']) {
      expect(await statusOf(`${service.url}${page}`, { ...browser, cookie })).toBe(200)
    }
    const own = { cookie, 'sec-fetch-site': 'same-origin' }
    expect(await statusOf(`${service.url}/operator/api/overview`, own)).toBe(200)
  },
)

test('D109: a browser without the cookie sees where the link to the mailbox is', async () => {
  for (const query of ['', '?token=', '?token=a-guess-of-24-characters']) {
    const answer = await fetch(`${service.url}/mailbox${query}`, {
      headers: { ...browser, 'accept-language': 'en' },
    })
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([401, null])
    expect(await answer.text()).toContain('that the service printed at its start')
  }
})

/** As nginx does with a bare `proxy_pass`: Host is that of the service, and nothing says that there is a proxy. */
async function startPlainProxy(target: string): Promise<string> {
  const port = await freePort()
  const { host } = new URL(target)
  const folder = makeDataDir()
  const file = join(folder.path, 'haproxy.cfg')
  writeFileSync(
    file,
    `defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
frontend all
  bind 127.0.0.1:${port}
  http-request set-header Host ${host}
  default_backend service
backend service
  server one ${host.replace('localhost', '127.0.0.1')}
`,
  )
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' })
  const exited = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exited
    folder.remove()
  })
  const url = `http://127.0.0.1:${port}`
  await expect.poll(() => statusOf(`${url}/health`, {}).catch(() => 0), { timeout: 10_000 }).toBe(200)
  return url
}

describe.skipIf(programMissing('haproxy'))('behind a proxy that names this machine', () => {
  test.each(pages)('D109: %s is closed to strangers', async (path) => {
    const proxy = await startPlainProxy(service.url)
    expect(await statusOf(`${proxy}${path}`, { host: 'voice.example.com' })).toBe(401)
    expect(await statusOf(`${proxy}${path}`, { authorization: `Bearer ${token}` })).toBe(200)
  })
})
