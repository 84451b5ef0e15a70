/** Operators with names, passwords and second factors (D648), in the log by name (D649), confirmed by the password (D650). */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { ApiDocument } from '../../src/http/reference/document.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { faultsOf } from '../helpers/description/api-description.ts'
import { runRamal } from '../helpers/programs/ramal-process.ts'
import { appCode } from '../helpers/service/authenticator.ts'
import { createClient } from '../helpers/service/client.ts'
import {
  addOperator,
  asBrowser,
  logIn,
  sameOrigin,
  sessionOf,
  setUp,
  startOperator,
  tokenIn,
  withOperatorToken,
} from '../helpers/service/operators.ts'
import { openAccount, password } from '../helpers/service/people.ts'
import { type Service, startService } from '../helpers/service/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ CONSOLE: 'on' })
  await service.app.consoleBuild?.finished
})
afterAll(() => service?.stop())

const reason = 'Ticket 4711'
type Entry = { operator: string; action: string; subject: string | null; domain: string | null }
const log = async () => (await withOperatorToken(service).get('/log')).body.rows as Entry[]
const codeOf = (secret: string) => appCode(secret, service.clock.now())

test('a session with the operator token is in the log when it begins and ends, a request with it is not (D669)', async () => {
  const given = { token: service.app.operatorToken?.token }
  const typed = await asBrowser(service).post('/session', given, { headers: sameOrigin })
  await asBrowser(service).delete('/session', sessionOf(typed))
  const page = await createClient(service.url).get(`/operator?token=${given.token}`, {
    headers: { accept: 'text/html' },
  })
  expect(page.status).toBe(303)
  await asBrowser(service).post('/session', { token: 'a guess' }, { headers: sameOrigin })
  expect((await log()).slice(0, 4)).toMatchObject([
    { operator: 'token', action: 'operator.logged-in', details: { address: '127.0.0.1' } },
    { operator: 'token', action: 'operator.logged-out', details: { address: '127.0.0.1' } },
    { operator: 'token', action: 'operator.logged-in', details: { address: '127.0.0.1' } },
  ])
  expect(await log()).toHaveLength(3)
})

test('the log shows one operator, the token or the command line alone (D669)', async () => {
  await startOperator(service, 'one@operator.example')
  const read = (operator: string) =>
    withOperatorToken(service).get(`/log?operator=${encodeURIComponent(operator)}`)
  const whole = (await withOperatorToken(service).get('/log')).body
  for (const who of ['one@operator.example', 'token', 'command line']) {
    const { rows, total } = (await read(who)).body
    const expected = (whole.rows as Entry[]).filter(({ operator }) => operator === who)
    expect([who, rows, total]).toEqual([who, expected, expected.length])
  }
  expect((await read('ONE@operator.example')).body.total).toBe(2)
})

describe('a set-up link', () => {
  test('is used once, for a password and an authenticator app, and then the operator logs in', async () => {
    const { link, ...added } = await addOperator(service, 'Rita@Operator.example')
    expect(added).toMatchObject({ email: 'rita@operator.example', state: 'invited', lastLoginAt: null })
    expect(link).toMatch(/^http:\/\/[^/]+\/operator\/set-up#[0-9A-Za-z]{32}$/)
    const { secret, recoveryCodes } = await setUp(service, link)
    expect(recoveryCodes).toHaveLength(10)
    const again = await asBrowser(service).post(
      '/set-up/begin',
      { link: tokenIn(link) },
      { headers: sameOrigin },
    )
    expect([again.status, again.body.error.code]).toEqual([404, 'PASSWORD_LINK_INVALID'])
    service.clock.advance(30)
    const given = { email: 'rita@operator.example', password }
    const halfway = await logIn(service, given)
    expect([halfway.status, halfway.body.error.code]).toEqual([401, 'SECOND_FACTOR_REQUIRED'])
    expect(halfway.headers.getSetCookie()).toEqual([])
    const answer = await logIn(service, { ...given, code: codeOf(secret) })
    expect(answer.body).toMatchObject({ operator: { name: 'Rita Campos', email: given.email } })
    expect(answer.headers.getSetCookie()[0]).toMatch(
      /^ramal-operator=[0-9A-Za-z]{64}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/,
    )
    const reused = await logIn(service, { ...given, code: codeOf(secret) })
    expect([reused.status, reused.body.error.code]).toEqual([401, 'SECOND_FACTOR_FAILED'])
    expect((await asBrowser(service).get('/overview', sessionOf(answer))).status).toBe(200)
    expect((await log()).slice(0, 4).map(({ operator, action }) => [operator, action])).toEqual([
      ['rita@operator.example', 'operator.login-failed'],
      ['rita@operator.example', 'operator.logged-in'],
      ['rita@operator.example', 'operator.set-up'],
      ['token', 'operator.added'],
    ])
  })

  test('needs a password of 8 characters and the first code of the app, and ends after 48 hours', async () => {
    const { link } = await addOperator(service, 'late@operator.example')
    const form = { headers: sameOrigin }
    const post = (path: string, body: object) => asBrowser(service).post(path, body, form)
    const token = tokenIn(link)
    const early = await post('/set-up', { link: token, password, code: '123456' })
    expect([early.status, early.body.error.code]).toEqual([409, 'SECOND_FACTOR_NOT_BEGUN'])
    const { secret } = (await post('/set-up/begin', { link: token })).body
    const short = await post('/set-up', { link: token, password: 'short', code: codeOf(secret) })
    expect([short.status, short.body.error.details.codes]).toEqual([422, { password: ['length'] }])
    const wrong = await post('/set-up', { link: token, password, code: 'abcdef' })
    expect([wrong.status, wrong.body.error.code]).toEqual([422, 'INVALID_CODE'])
    service.clock.advance(48 * 3600)
    const late = await post('/set-up', { link: token, password, code: codeOf(secret) })
    expect([late.status, late.body.error.code]).toEqual([404, 'PASSWORD_LINK_INVALID'])
  })

  test('an e-mail is that of one operator, and names and e-mails are checked', async () => {
    await addOperator(service, 'once@operator.example')
    const add = async (name: string, email: string) => {
      const { status, body } = await withOperatorToken(service).post('/operators', { name, email })
      return [status, body.error.details.codes]
    }
    expect(await add('Rita', 'ONCE@operator.example')).toEqual([422, { email: ['uniqueness'] }])
    expect(await add('Rita', 'nobody')).toEqual([422, { email: ['format'] }])
    expect(await add('www.example.com', 'two@operator.example')).toEqual([422, { name: ['format'] }])
  })
})

describe('a session', () => {
  test('ends after 12 hours and by log-out, and only our own page uses it', async () => {
    const { session } = await startOperator(service, 'hours@operator.example')
    const read = (options: object) => asBrowser(service).get('/session', options)
    expect((await read(session)).body.operator.email).toBe('hours@operator.example')
    const { cookie } = session.headers
    expect((await read({ headers: { cookie } })).status).toBe(401)
    expect((await read({ headers: { cookie, 'sec-fetch-site': 'cross-site' } })).status).toBe(403)
    service.clock.advance(12 * 3600 - 60)
    expect((await read(session)).status).toBe(200)
    service.clock.advance(61)
    expect((await read(session)).status).toBe(401)
    const { session: other } = await startOperator(service, 'leaves@operator.example')
    const ended = await asBrowser(service).delete('/session', other)
    expect(ended.headers.get('set-cookie')).toMatch(/^ramal-operator=; .*Max-Age=0$/)
    expect((await read(other)).status).toBe(401)
    expect((await log())[0]).toMatchObject({
      action: 'operator.logged-out',
      operator: 'leaves@operator.example',
    })
    await service.tick('old operator sessions')
    const left = await service.db.selectFrom('operator_sessions').select('expires_at').execute()
    expect(left.every(({ expires_at }) => expires_at > service.clock.now())).toBe(true)
  })

  test('a recovery code replaces the code of the app once', async () => {
    const { email, recoveryCodes } = await startOperator(service, 'phone@operator.example')
    const [code = ''] = recoveryCodes
    expect((await logIn(service, { email, password, code: code.toUpperCase() })).status).toBe(200)
    expect((await logIn(service, { email, password, code })).status).toBe(401)
    expect(await log()).toContainEqual(
      expect.objectContaining({ action: 'operator.recovery-code-used', details: { left: 9 } }),
    )
  })

  test('no user of an account logs in there, and no operator in an account', async () => {
    const user = await openAccount(service)
    const asUser = await logIn(service, { email: user.email, password: user.password, code: '123456' })
    expect([asUser.status, asUser.body.error.code]).toEqual([401, 'LOGIN_FAILED'])
    const { email } = await startOperator(service, 'alone@operator.example')
    expect((await service.api.post('/users/login', { email, password })).status).toBe(401)
  })
})

test('D146: ten wrong passwords from an address are refused for a while, and each is in the log', async () => {
  const { email, secret } = await startOperator(service, 'guessed@operator.example')
  for (let count = 0; count < 10; count += 1) {
    const answer = await logIn(service, { email, password: `wrong password ${count}`, code: '123456' })
    expect(answer.body.error.code).toBe('LOGIN_FAILED')
  }
  const right = await logIn(service, { email, password, code: codeOf(secret) })
  expect([right.status, right.body.error.code]).toEqual([429, 'RATE_LIMITED'])
  const failures = async () =>
    (await log()).filter(({ action, subject }) => action === 'operator.login-failed' && subject === email)
  await expect.poll(async () => (await failures()).length).toBe(10)
  service.clock.advance(15 * 60)
  expect((await logIn(service, { email, password, code: codeOf(secret) })).status).toBe(200)
})

describe('D650: who may operate changes only with the own password', () => {
  test('a session alone adds, resets and switches nobody; wrong passwords are counted and recorded', async () => {
    const { session, email } = await startOperator(service, 'boss@operator.example')
    const other = await addOperator(service, 'other@operator.example')
    const post = (path: string, body: object) => asBrowser(service).post(path, body, session)
    const requests: [string, object][] = [
      ['/operators', { name: 'Thief', email: 'thief@operator.example' }],
      [`/operators/${other.id}/reset`, { reason }],
      [`/operators/${other.id}/switch`, { on: false, reason }],
    ]
    for (const [path, body] of requests) {
      const bare = await post(path, body)
      expect([bare.status, bare.body.error.code]).toEqual([403, 'REAUTHENTICATION_REQUIRED'])
      const wrong = await post(path, { ...body, currentPassword: 'not the password' })
      expect([wrong.status, wrong.body.error.code]).toEqual([422, 'INVALID_PASSWORD'])
    }
    expect(await log()).toContainEqual(
      expect.objectContaining({ action: 'operator.password-wrong', operator: email }),
    )
    for (let count = 0; count < 7; count += 1) {
      await post('/operators', { ...requests[0]?.[1], currentPassword: 'not the password' })
    }
    const locked = await post('/operators', { ...requests[0]?.[1], currentPassword: password })
    expect(locked.status).toBe(429)
    const { rows } = (await withOperatorToken(service).get('/operators')).body
    expect(rows.map((row: { email: string }) => row.email)).not.toContain('thief@operator.example')
  })

  test('the token in Authorization needs nothing else; a session of it needs the token', async () => {
    const token = service.app.operatorToken?.token ?? ''
    const begun = await asBrowser(service).post('/session', { token }, { headers: sameOrigin })
    const post = (body: object) => asBrowser(service).post('/operators', body, sessionOf(begun))
    const person = { name: 'Ana', email: 'ana@operator.example' }
    expect((await post(person)).status).toBe(403)
    expect((await post({ ...person, currentPassword: password })).status).toBe(422)
    expect((await post({ ...person, currentPassword: token })).status).toBe(200)
  })

  test('a reset ends password and sessions at once, and keeps the app unless that is reset, too', async () => {
    const boss = await startOperator(service, 'resets@operator.example')
    const lost = await startOperator(service, 'lost@operator.example')
    const reset = async (secondFactor: boolean) => {
      const body = { reason, secondFactor, currentPassword: password }
      const answer = await asBrowser(service).post(`/operators/${lost.id}/reset`, body, boss.session)
      expect([answer.status, answer.body.state]).toEqual([200, 'invited'])
      return tokenIn(answer.body.link)
    }
    const link = await reset(false)
    expect((await asBrowser(service).get('/session', lost.session)).status).toBe(401)
    service.clock.advance(30)
    const given = { email: lost.email, password }
    expect((await logIn(service, { ...given, code: codeOf(lost.secret) })).status).toBe(401)
    const form = { headers: sameOrigin }
    const begun = await asBrowser(service).post('/set-up/begin', { link }, form)
    expect(begun.body).toEqual({ name: 'Rita Campos', email: lost.email })
    const next = 'another long password'
    const body = { link, password: next, code: codeOf(lost.secret) }
    const finished = await asBrowser(service).post('/set-up', body, form)
    expect([finished.status, finished.body.recoveryCodes]).toEqual([200, []])
    service.clock.advance(30)
    const back = await logIn(service, { ...given, password: next, code: codeOf(lost.secret) })
    expect(back.status).toBe(200)
    const fresh = await reset(true)
    const { secret } = (await asBrowser(service).post('/set-up/begin', { link: fresh }, form)).body
    const old = await asBrowser(service).post(
      '/set-up',
      { link: fresh, password, code: lost.recoveryCodes[1] },
      form,
    )
    expect([old.status, old.body.error.code]).toEqual([422, 'INVALID_CODE'])
    const renewed = await asBrowser(service).post(
      '/set-up',
      { link: fresh, password, code: codeOf(secret) },
      form,
    )
    expect([renewed.status, renewed.body.recoveryCodes.length]).toEqual([200, 10])
    expect(await log()).toContainEqual(
      expect.objectContaining({
        action: 'operator.reset',
        operator: boss.email,
        subject: lost.email,
        reason,
      }),
    )
  })

  test('who resets themselves keeps password and session until the link is used', async () => {
    const own = await startOperator(service, 'new-phone@operator.example')
    const body = { reason, secondFactor: true, currentPassword: password }
    const answer = await asBrowser(service).post(`/operators/${own.id}/reset`, body, own.session)
    expect([answer.status, answer.body.state]).toEqual([200, 'active'])
    expect((await asBrowser(service).get('/session', own.session)).status).toBe(200)
    const { secret } = await setUp(service, answer.body.link, 'another long password')
    expect((await asBrowser(service).get('/session', own.session)).status).toBe(401)
    service.clock.advance(30)
    const given = { email: own.email, password: 'another long password' }
    expect((await logIn(service, { ...given, code: codeOf(own.secret) })).status).toBe(401)
    expect((await logIn(service, { ...given, code: codeOf(secret) })).status).toBe(200)
  })

  test('one that is switched off is out at once, until switched on; nobody switches themselves off', async () => {
    const boss = await startOperator(service, 'switches@operator.example')
    const leaver = await startOperator(service, 'leaver@operator.example')
    const flip = (id: number, on: boolean) =>
      asBrowser(service).post(
        `/operators/${id}/switch`,
        { on, reason, currentPassword: password },
        boss.session,
      )
    expect((await flip(leaver.id, false)).body.state).toBe('off')
    expect((await asBrowser(service).get('/session', leaver.session)).status).toBe(401)
    service.clock.advance(30)
    const given = { email: leaver.email, password }
    const refused = await logIn(service, { ...given, code: codeOf(leaver.secret) })
    expect([refused.status, refused.body.error.code]).toEqual([401, 'LOGIN_FAILED'])
    expect((await flip(leaver.id, true)).body.state).toBe('active')
    expect((await asBrowser(service).get('/session', leaver.session)).status).toBe(401)
    expect((await logIn(service, { ...given, code: codeOf(leaver.secret) })).status).toBe(200)
    const own = await flip(boss.id, false)
    expect([own.status, own.body.error.details.codes]).toEqual([422, { on: ['exclusion'] }])
    expect((await flip(999_999, false)).status).toBe(404)
  })
})

test('D649: what operators change is in the log by name, of accounts too, which do not see the name', async () => {
  const account = await openAccount(service)
  const { session, email } = await startOperator(service, 'named@operator.example')
  const post = (path: string, body: object) => asBrowser(service).post(path, body, session)
  const credit = { amount: 10, reason: 'Goodwill', key: 'a-key-of-this-test' }
  expect((await post(`/accounts/${account.domain}/credit`, credit)).status).toBe(200)
  expect((await post(`/accounts/${account.domain}/suspend`, { reason: 'Unpaid' })).status).toBe(200)
  expect((await post(`/accounts/${account.domain}/release`, { reason: 'Paid' })).status).toBe(200)
  const incident = {
    kind: 'incident',
    title: 'Chamadas lentas',
    text: 'Estamos vendo.',
    components: ['calls'],
  }
  expect((await post('/incidents', { ...incident, impact: 'degraded', state: 'investigating' })).status).toBe(
    200,
  )
  const { nodes } = (await asBrowser(service).get('/overview', session)).body
  const drain = `/nodes/${nodes[0].id}/drain`
  expect((await post(drain, { draining: true })).status).toBe(200)
  expect((await post(drain, { draining: false })).status).toBe(200)
  const rows = (await log()).slice(0, 6)
  expect(rows.map(({ operator, action, domain }) => [operator, action, domain])).toEqual([
    [email, 'node.undrained', null],
    [email, 'node.drained', null],
    [email, 'incident.opened', null],
    [email, 'account.released', account.domain],
    [email, 'account.suspended', account.domain],
    [email, 'credit.adjusted', account.domain],
  ])
  expect(rows.at(-1)).toMatchObject({ reason: 'Goodwill' })
  const seen = JSON.stringify((await service.api.get('/accounts/audit?page=1', account)).body)
  expect(seen).toContain('account.suspended')
  expect(seen).not.toContain(email)
})

test('every answer is as described (D618)', async () => {
  const operator = withOperatorToken(service)
  const description = (await operator.get('/openapi.json')).body as ApiDocument
  const invited = await addOperator(service, 'described@operator.example')
  const answers = {
    Operators: (await operator.get('/operators')).body,
    OperatorInvited: invited,
    Operator: (await operator.post(`/operators/${invited.id}/switch`, { on: false, reason })).body,
    OperatorLog: (await operator.get('/log')).body,
  }
  for (const [name, answer] of Object.entries(answers)) {
    const faults = faultsOf(description, { $ref: `#/components/schemas/${name}` }, answer)
    expect([name, faults]).toEqual([name, []])
  }
})

test('with a named operator the console opens without a token, which is then no way in', async () => {
  const closed = await startService({ CONSOLE: 'on', HOST: '0.0.0.0' })
  onTestFinished(() => closed.stop())
  await closed.app.consoleBuild?.finished
  expect((await asBrowser(closed).get('/session')).status).toBe(404)
  const { link } = await closed.app.services.users.operators.add({
    name: 'Rita Campos',
    email: 'rita@operator.example',
  })
  expect((await asBrowser(closed).get('/session')).status).toBe(401)
  const { secret } = await setUp(closed, link)
  closed.clock.advance(30)
  const given = { email: 'rita@operator.example', password }
  const answer = await logIn(closed, { ...given, code: appCode(secret, closed.clock.now()) })
  expect((await asBrowser(closed).get('/overview', sessionOf(answer))).status).toBe(200)
  const byToken = await asBrowser(closed).post('/session', { token: 'a guess' }, { headers: sameOrigin })
  expect(byToken.status).toBe(401)
})

test('`ramal operator` adds the first one, resets, switches and lists', async () => {
  // A command goes by the time of the database.
  const own = await startService({ CONSOLE: 'on' }, { clock: systemClock })
  onTestFinished(() => own.stop())
  const env = { DATABASE_URL: own.database.url, DATA_DIR: own.dataDir, LOG_LEVEL: 'error' }
  const ramal = (...args: string[]) => runRamal(['operator', ...args], env)
  expect((await ramal('list')).text).toContain('There are no operators yet.')
  const begin = async (text: string) => {
    const [, link = ''] = /^Link {6}(\S+)$/m.exec(text) ?? []
    expect(link).toContain('/operator/set-up#')
    const form = { headers: sameOrigin }
    return (await asBrowser(own).post('/set-up/begin', { link: tokenIn(link) }, form)).body
  }
  const added = await ramal('add', 'first@operator.example', '--name', 'First Operator')
  expect(await begin(added.text)).toMatchObject({ email: 'first@operator.example', name: 'First Operator' })
  expect((await ramal('list')).text).toBe('invited first@operator.example  First Operator\n')
  expect((await ramal('off', 'first@operator.example')).code).toBe(0)
  expect((await begin(added.text)).error.code).toBe('PASSWORD_LINK_INVALID')
  expect((await ramal('list')).text).toContain('off     first@operator.example')
  expect((await ramal('on', 'first@operator.example')).code).toBe(0)
  const reset = await ramal('reset', 'FIRST@operator.example', '--second-factor')
  expect(await begin(reset.text)).toMatchObject({ email: 'first@operator.example' })
  const unknown = await ramal('reset', 'nobody@operator.example')
  expect([unknown.code, unknown.text]).toEqual([1, 'There is no operator nobody@operator.example.\n'])
  expect((await ramal('add', 'second@operator.example')).code).toBe(2)
  const { rows } = (await withOperatorToken(own).get('/log')).body
  expect(rows[0]).toMatchObject({
    operator: 'command line',
    action: 'operator.reset',
    subject: 'first@operator.example',
  })
})
