/** The commands of `ramal` and their output. */

import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { command } from '../../../src/kit/process/command.ts'
import { makeDataDir, runRamal, startRamal } from '../../helpers/programs/ramal-process.ts'
import { runHere } from '../../helpers/programs/run-here.ts'
import { createClient } from '../../helpers/service/client.ts'

const data = makeDataDir()
const env = { DATA_DIR: data.path }
let ramal: Awaited<ReturnType<typeof startRamal>>

beforeAll(async () => {
  ramal = await startRamal(env)
})
afterAll(async () => {
  await ramal.kill('SIGTERM')
  data.remove()
})

const create = (...args: string[]) => runRamal(['account', 'create', ...args], env)

/** In this process: a command of which another test has a process. */
async function here(...args: string[]) {
  const { code, output, errors } = await runHere(args, env)
  return { code, text: `${output}${errors}` }
}

describe.concurrent('serve', () => {
  test('says where the API, the reference and the mailbox are, and what to try next', () => {
    expect(ramal.text()).toMatch(/API\s+http:\/\/localhost:\d+\/api\/v1/)
    expect(ramal.text()).toMatch(/Reference\s+http:\/\/localhost:\d+\/docs/)
    expect(ramal.text()).toMatch(/Mailbox\s+http:\/\/localhost:\d+\/mailbox\?token=[\w-]{24}\n/)
    expect(ramal.text()).toContain(`Next: ramal account`)
  })

  test('makes its secret key readable by its owner only', () => {
    expect(statSync(join(data.path, 'secret.key')).mode & 0o777).toBe(0o600)
  })

  test('answers /health, /ready, /addresses and /metrics', async () => {
    const outside = createClient(ramal.url)
    expect((await outside.get('/health')).body).toEqual({ status: 'ok' })
    expect((await outside.get('/ready')).body).toEqual({ status: 'ready', waiting: [] })
    expect((await outside.get('/addresses')).body, 'D172').toEqual({
      SIP: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      WebSocket: expect.stringMatching(/^ws:\/\/127\.0\.0\.1:\d+$/),
      'Web phones': `${ramal.url.replace('http', 'ws')}/sip`,
    })
    await ramal.api.get('/users')
    const { body } = await ramal.operator.get('/metrics')
    expect(body).toMatch(
      /ramal_http_request_seconds_count\{method="GET",route="\/api\/v1\/users",status="401"\} \d+/,
    )
  })

  test('refuses a contradiction with one clear sentence', async () => {
    const { code, text } = await runRamal(['serve'], { ...env, SMTP_URL: 'smtp://mail.example' })
    expect(code).toBe(1)
    expect(text).toBe('SMTP_URL is set but MAIL_FROM is not: say which address our mail comes from.\n')
  })

  test('refuses another secret key than the one that sealed the database', async () => {
    const { code, text } = await runRamal(['serve'], { ...env, PORT: '0', SECRET_KEY: 'ab'.repeat(32) })
    expect(code).toBe(1)
    expect(text).toContain('The secret key is not the one this database was sealed with')
  })
})

describe('account create', () => {
  test('makes an active account beside the running service and prints its token once', async () => {
    const { code, text } = await create('--domain', 'loja.ramal.localhost', '--email', 'ana@loja.example')
    expect(code).toBe(0)
    const token = /Token\s+(\w{64})/.exec(text)?.[1] ?? ''
    expect((await ramal.api.get('/accounts', { token })).body.domain).toBe('loja.ramal.localhost')
    const password = /Password\s+(\S+)/.exec(text)?.[1]
    expect((await ramal.api.post('/users/login', { email: 'ana@loja.example', password })).status).toBe(200)
  })

  test('says what is wrong in one sentence', async () => {
    const options = ['--domain', 'loja.example.com', '--email', 'x@loja.example']
    const { code, text } = await here('account', 'create', ...options)
    expect(code).toBe(1)
    expect(text).toContain('`domain` must be letters, digits and dashes followed by .ramal.localhost')
  })

  test('without its required options says which they are', async () => {
    const { code, text } = await here('account', 'create')
    expect(code).toBe(2)
    expect(text).toBe(`--domain and --email are needed.\nSee: ${command} account --help\n`)
  })
})

describe('user password', () => {
  test('sets a new password beside the running service, which ends the tokens there at once (D139)', async () => {
    const email = 'bia@loja-dois.example'
    const made = await create('--domain', 'loja-dois.ramal.localhost', '--email', email)
    const token = /Token\s+(\w{64})/.exec(made.text)?.[1] ?? ''
    expect((await ramal.api.get('/users/me', { token })).status).toBe(200)
    const { code, text } = await runRamal(['user', 'password', '--email', email], env)
    expect(code).toBe(0)
    const password = /Password\s+(\S+)/.exec(text)?.[1]
    await expect.poll(async () => (await ramal.api.get('/users/me', { token })).status).toBe(401)
    const login = await ramal.api.post('/users/login', { email, password })
    expect(login.status).toBe(200)
    const { body } = await ramal.api.get('/accounts/audit?page=1', { token: login.body.id })
    expect(body.data).toContainEqual(
      expect.objectContaining({ action: 'user.password-set', actor: null, subject: email }),
    )
  })

  test('says so when there is no such user, and what is missing without an e-mail', async () => {
    const nobody = await here('user', 'password', '--email', 'nobody@x.example')
    expect(nobody).toEqual({ code: 1, text: 'There is no user nobody@x.example.\n' })
    expect(await here('user', 'password')).toMatchObject({ code: 2 })
  })
})

test('migrate says that the database is up to date', async () => {
  expect(await here('migrate')).toEqual({ code: 0, text: 'The database is up to date.\n' })
})

describe('number assign, release and list (D189)', () => {
  const number = (...args: string[]) => here('number', ...args)

  test('give a number to an account beside the running service, and take it back', async () => {
    const options = ['--domain', 'loja-tres.ramal.localhost', '--email', 'caio@loja-tres.example']
    const made = await here('account', 'create', ...options)
    const token = /Token\s+(\w{64})/.exec(made.text)?.[1] ?? ''
    const assign = (domain: string) => number('assign', '(48) 3030-4000', '--account', domain)
    const owner = 'loja-tres.ramal.localhost'
    expect(await assign(owner)).toEqual({ code: 0, text: `+554830304000 belongs to ${owner}.\n` })
    const shown = async () => (await ramal.api.get('/numbers', { token })).body
    expect(await shown()).toMatchObject([{ number: '554830304000', verified: true, proof: 'operator' }])
    expect(await assign('loja.ramal.localhost')).toEqual({
      code: 1,
      text: `+554830304000 belongs to ${owner}. Release it first: number release 554830304000\n`,
    })
    expect((await number('list', '--account', owner)).text).toMatch(
      /^\+554830304000 +loja-tres\.ramal\.localhost +operator, \d{4}-\d\d-\d\d\n$/,
    )
    const released = { code: 0, text: `+554830304000 no longer belongs to ${owner}.\n` }
    expect(await number('release', '554830304000')).toEqual(released)
    expect(await shown()).toMatchObject([{ number: '554830304000', verified: false, proof: null }])
    expect((await number('list')).text).toContain('not verified')
    expect(await number('release', '554830304000')).toMatchObject({ code: 1 })
  })

  test('say what is missing or wrong in one sentence', async () => {
    expect((await number('assign', '12', '--account', 'x')).text).toContain('The number needs its area code')
    expect((await number('assign', '4830304000')).text).toContain('--account, the domain of the account')
    expect(await number('assign', '4830304000', '--account', 'nobody.ramal.localhost')).toEqual({
      code: 1,
      text: 'There is no account nobody.ramal.localhost.\n',
    })
    expect(await number()).toMatchObject({ code: 2 })
  })
})

describe.concurrent('doctor', () => {
  test('finds all well beside a running service', async () => {
    const SIP_PORT = /SIP\s+127\.0\.0\.1:(\d+)/.exec(ramal.text())?.[1] ?? ''
    const { code, text } = await runRamal(['doctor'], { ...env, PORT: new URL(ramal.url).port, SIP_PORT })
    expect(text).not.toContain('BAD')
    expect(text).toMatch(/ok {3}sip .* is taken, and answers SIP/)
    expect(text).toMatch(/ok {3}trunks .*sandbox carrier/)
    expect(text).toMatch(/ok {3}recording kept 90 days/)
    expect(text).toMatch(/ok {3}port .* is answered by a running Ramal/)
    expect(text).toMatch(/ok {3}database .*PostgreSQL \d+/)
    expect(code).toBe(0)
  })

  test('says what to do about ports that are taken, and a carrier, a mail server and a Redis that do not answer', async () => {
    const socket = createSocket('udp4').bind(0, '127.0.0.1')
    await once(socket, 'listening')
    const stranger = createServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1')
    await once(stranger, 'listening')
    const { port } = stranger.address() as AddressInfo
    const { code, text } = await runRamal(['doctor'], {
      ...env,
      PORT: String(port),
      SMTP_URL: 'smtp://127.0.0.1:1',
      MAIL_FROM: 'x@ramal.example',
      SIP_PORT: String(socket.address().port),
      TRUNKS: '[{"name": "main", "address": "sip:127.0.0.1:1;transport=tcp"}]',
      PAYMENT_GATEWAY: 'sandbox',
      REDIS_URL: 'redis://127.0.0.1:1',
    })
    stranger.close()
    socket.close()
    expect(code).toBe(1)
    expect(text).toMatch(/BAD {2}port .*stop it or set PORT/)
    expect(text).toMatch(/BAD {2}sip .*set SIP_HOST and SIP_PORT/)
    expect(text).toMatch(/BAD {2}trunks .*main does not answer/)
    expect(text).toMatch(/BAD {2}mail .*check SMTP_URL/)
    expect(text).toMatch(/BAD {2}redis .*check REDIS_URL/)
  })
})
