/** Spec §3 (activation), §4.4 and §2.7: signup, confirmation, the account. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { days, hours } from '../../helpers/run/test-clock.ts'
import {
  mailedLink,
  mailsTo,
  newSignup,
  newUser,
  openAccount,
  password,
  press,
} from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'
import { tablesWith } from '../../helpers/stored/secrets.ts'

let service: Service

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const signUp = (request: object) => service.api.post('/accounts/signup', request)
const logIn = (email: string) => service.api.post('/users/login', { email, password })

describe('POST /accounts/signup', () => {
  test('needs no token and answers 201 with status and message', async () => {
    const { status, body } = await signUp(newSignup())
    expect(status).toBe(201)
    expect(body).toEqual({ status: 201, message: expect.any(String) })
  })

  test('answers in Portuguese too where Accept-Language prefers it (D158)', async () => {
    const english = await signUp(newSignup())
    expect(english.body.message).toMatch(/^Account created\./)
    expect(english.headers.get('content-language')).toBe('en')
    const asked = { headers: { 'accept-language': 'pt-BR' } }
    const portuguese = await service.api.post('/accounts/signup', newSignup(), asked)
    expect(portuguese.body.message).toBe(english.body.message)
    expect(portuguese.body.localizedMessage).toMatch(/^Conta criada\./)
    expect(portuguese.headers.get('content-language')).toBe('pt-BR')
  })

  test('names every field that is missing', async () => {
    const { status, body } = await signUp({})
    expect(status).toBe(422)
    expect(Object.keys(body.error.details.codes).sort()).toEqual(
      ['organization_name', 'domain', 'email', 'password', 'phone', 'crm', 'user_quantity'].sort(),
    )
    expect(body.error.details.context).toBe('Account')
  })

  test.each([
    ['domain', 'padaria.example.com'],
    ['domain', '.ramal.localhost'],
    ['domain', 'a.b.ramal.localhost'],
    ['domain', '-a.ramal.localhost'],
    ['domain', 'xn--pdaria-5ve.ramal.localhost'],
    ['domain', 'zz--padaria.ramal.localhost'],
    ['domain', 'são-joão.ramal.localhost'],
    ['email', 'dona'],
    ['password', '1234567'],
    ['phone', '123'],
    ['crm', 'Nada'],
    ['user_quantity', '5-10'],
    ['organization_name', '   '],
    ['organization_name', 'Aurora\nhttps://evil.example'],
    ['organization_name', 'Prize at http://evil.example'],
  ])('refuses %s %j', async (field, value) => {
    const { status, body } = await signUp({ ...newSignup(), [field]: value })
    expect(status).toBe(422)
    expect(Object.keys(body.error.details.codes)).toEqual([field])
  })

  test.each(['1-5', '6-10', '11-20', '21-50', '50+'])('takes %s users', async (user_quantity) => {
    expect((await signUp({ ...newSignup(), user_quantity })).status).toBe(201)
  })

  test.each(['Pipedrive', 'RD Station', 'Outros'])('takes %s as crm', async (crm) => {
    expect((await signUp({ ...newSignup(), crm })).status).toBe(201)
  })

  test('keeps the domain in lower case', async () => {
    const person = newSignup()
    expect((await signUp({ ...person, domain: person.domain.toUpperCase() })).status).toBe(201)
    expect((await signUp({ ...newSignup(), domain: person.domain })).status).toBe(422)
  })

  test('refuses a domain and an e-mail that exist, both at once', async () => {
    const first = newSignup()
    await signUp(first)
    const { status, body } = await signUp(first)
    expect(status).toBe(422)
    expect(body.error.details.codes).toEqual({ domain: ['uniqueness'], email: ['uniqueness'] })
    expect(body.error.message).toContain('already exists')
  })

  test('makes exactly one account when many race for a domain, and one when they race for an e-mail', async () => {
    const { domain } = newSignup()
    const sameDomain = await Promise.all(Array.from({ length: 6 }, () => signUp({ ...newSignup(), domain })))
    expect(sameDomain.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422, 422])
    const { email } = newSignup()
    const sameEmail = await Promise.all(Array.from({ length: 6 }, () => signUp({ ...newSignup(), email })))
    expect(sameEmail.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422, 422])
  })

  test('frees an unconfirmed domain and e-mail after 7 days, a confirmed one never (D57)', async () => {
    const unconfirmed = newSignup()
    await signUp(unconfirmed)
    const confirmed = await openAccount(service)
    service.clock.advance(7 * days)
    expect((await signUp(unconfirmed)).status).toBe(422)
    service.clock.advance(1)
    expect((await signUp({ ...newSignup(), domain: unconfirmed.domain })).status).toBe(201)
    expect((await signUp({ ...newSignup(), email: unconfirmed.email })).status).toBe(201)
    expect((await signUp({ ...newSignup(), domain: confirmed.domain })).status).toBe(422)
  })

  test('sweeps away what was never confirmed', async () => {
    const { domain } = newSignup()
    await signUp({ ...newSignup(), domain })
    expect(await tablesWith(service.db, domain)).toContain('accounts')
    service.clock.advance(8 * days)
    await service.tick('unconfirmed sign-ups')
    expect(await tablesWith(service.db, domain)).not.toContain('accounts')
  })
})

describe('the confirmation link', () => {
  test('activates the account: its user can log in and is verified', async () => {
    const person = newSignup()
    await signUp(person)
    const link = await mailedLink(service, person.email)
    const response = await press(link, { 'accept-language': 'en' })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toContain('text/html')
    expect(await response.text()).toContain(person.domain)
    const { body: token } = await logIn(person.email)
    const me = await service.api.get('/users/me', { token: token.id })
    expect(me.body).toMatchObject({ emailVerified: true, role: 'ADMIN', email: person.email })
  })

  test('acts when its button is pressed; opening it, however often, uses nothing up (D138)', async () => {
    const person = newSignup()
    await signUp(person)
    const link = await mailedLink(service, person.email)
    for (let opened = 0; opened < 3; opened += 1) {
      const page = await fetch(link, { headers: { 'accept-language': 'en', accept: 'text/html' } })
      const html = await page.text()
      expect(page.status).toBe(200)
      expect(html).toContain('<form method="post"><button>Confirm e-mail</button></form>')
      expect(html).toContain(person.email)
      expect(page.headers.get('content-security-policy')).toContain("form-action 'self'")
      expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    }
    expect((await logIn(person.email)).body.error.code).toBe('LOGIN_FAILED_EMAIL_NOT_VERIFIED')
    // As a browser sends the form.
    const form = await press(link, { 'content-type': 'application/x-www-form-urlencoded' })
    expect(form.status).toBe(200)
    expect(await form.text()).toContain('/docs">')
    expect((await logIn(person.email)).status).toBe(200)
  })

  test('works once', async () => {
    const person = newSignup()
    await signUp(person)
    const link = await mailedLink(service, person.email)
    const answers = await Promise.all([press(link), press(link), press(link)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404])
  })

  test('works until 48 hours have passed', async () => {
    const [early, late] = [newSignup(), newSignup()]
    await signUp(early)
    await signUp(late)
    const links = await Promise.all([early, late].map(({ email }) => mailedLink(service, email)))
    service.clock.advance(48 * hours - 1)
    expect((await press(links[0] ?? '')).status).toBe(200)
    service.clock.advance(1)
    expect((await press(links[1] ?? '')).status).toBe(404)
  })

  test('that no longer works is answered with a page for people and an error body for programs', async () => {
    const path = '/accounts/confirm?token=unknown'
    const page = await service.api.get(path, { headers: { accept: 'text/html' } })
    expect(page.status).toBe(404)
    expect(page.body).toContain('<html lang="pt">')
    const error = await service.api.get(path)
    expect([error.status, error.body.error.code]).toEqual([404, 'CONFIRMATION_INVALID'])
    expect((await service.api.get('/accounts/confirm')).status).toBe(404)
  })

  test('is sent again when the right password comes after it expired, and not before (D62)', async () => {
    const person = newSignup()
    await signUp(person)
    const first = await mailedLink(service, person.email)
    await logIn(person.email)
    expect(await mailedLink(service, person.email)).toBe(first)
    service.clock.advance(49 * hours)
    await logIn(person.email)
    const second = await mailedLink(service, person.email)
    expect(second).not.toBe(first)
    expect((await press(second)).status).toBe(200)
    expect((await logIn(person.email)).status).toBe(200)
  })

  test('comes in a mail that greets nobody by the name of the company, and repeats nothing typed (D145)', async () => {
    const person = { ...newSignup(), organization_name: 'Ganhe um premio em evil.example agora' }
    await signUp(person)
    const [mail] = await mailsTo(service, person.email)
    const text = mail?.text ?? ''
    expect(text.split('\n')[0]).toBe('Olá!')
    expect(text).not.toContain('evil')
  })

  test('is kept as a hash; the mail that carries it is sealed', async () => {
    const person = newSignup()
    await signUp(person)
    const token = new URL(await mailedLink(service, person.email)).searchParams.get('token') ?? ''
    expect(await tablesWith(service.db, token)).toEqual([])
  })
})

describe('GET and PATCH /accounts', () => {
  test('answer the account (§2.7)', async () => {
    const admin = await openAccount(service)
    const { status, body } = await service.api.get('/accounts', admin)
    expect(status).toBe(200)
    expect(body).toEqual({
      uuid: expect.any(String),
      domain: admin.domain,
      name: admin.organization_name,
      email: admin.email,
      phone: admin.phone,
      createdAt: service.clock.now().toISOString(),
      updatedAt: expect.any(String),
    })
  })

  test('change name, e-mail and phone, each by itself', async () => {
    const admin = await openAccount(service)
    const before = (await service.api.get('/accounts', admin)).body
    service.clock.advance(1)
    const updatedAt = service.clock.now().toISOString()
    const named = await service.api.patch('/accounts', { name: 'Padaria Nova' }, admin)
    expect(named.body).toEqual({ ...before, name: 'Padaria Nova', updatedAt })
    const both = await service.api.patch(
      '/accounts',
      { email: 'nova@padaria.example', phone: '1133334444' },
      admin,
    )
    expect(both.body).toEqual({ ...named.body, email: 'nova@padaria.example', phone: '1133334444' })
  })

  test('refuse an invalid e-mail and phone', async () => {
    const admin = await openAccount(service)
    const { status, body } = await service.api.patch('/accounts', { email: 'x', phone: '1' }, admin)
    expect(status).toBe(422)
    expect(body.error.details.codes).toEqual({ email: ['format'], phone: ['format'] })
  })

  test('cannot change the domain', async () => {
    const admin = await openAccount(service)
    const { body } = await service.api.patch('/accounts', { domain: 'other.ramal.localhost' }, admin)
    expect(body.domain).toBe(admin.domain)
  })
})

describe('GET /accounts/audit (D60)', () => {
  test('lists what matters to security, newest first, in pages (§2.9)', async () => {
    const admin = await openAccount(service)
    service.clock.advance(1)
    const user = newUser()
    await service.api.post('/users', user, admin)
    const { status, body } = await service.api.get('/accounts/audit?page=1', admin)
    expect(status).toBe(200)
    expect(body.data.map(({ action }: { action: string }) => action)).toEqual([
      'user.created',
      'login.succeeded',
      'account.confirmed',
      'user.email-confirmed',
      'account.signed-up',
    ])
    expect(body.data[0]).toMatchObject({ actor: admin.email, subject: user.email, details: { role: 'USER' } })
    expect(body.meta).toEqual({ totalItemCount: 5, totalPageCount: 1, itemsPerPage: 100, currentPage: 1 })
  })

  test('holds failed logins, without the password', async () => {
    const admin = await openAccount(service)
    service.clock.advance(1)
    await service.api.post('/users/login', { email: admin.email, password: 'wrong password' })
    await expect
      .poll(async () => (await service.api.get('/accounts/audit?page=1', admin)).body.data[0])
      .toMatchObject({ action: 'login.failed', actor: null, subject: admin.email })
  })
})
