/** Passwords that change: by the user, by a mailed link, and how often one may guess (D139, D146, D147). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hours, minutes } from '../../helpers/run/test-clock.ts'
import {
  addUser,
  mailedLink,
  mailsTo,
  newSignup,
  newUser,
  openAccount,
  password,
  press,
} from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'
import { changePasswordUnder, requestedLinksSent } from '../../helpers/stored/people-rows.ts'

let service: Service
let admin: Awaited<ReturnType<typeof openAccount>>

beforeAll(async () => {
  service = await startService()
  admin = await openAccount(service)
})
afterAll(() => service.stop())

const newPassword = 'a better horse battery'
const formHeaders = { 'content-type': 'application/x-www-form-urlencoded', 'accept-language': 'en' }

const logIn = (email: string, secret: string) => service.api.post('/users/login', { email, password: secret })

const tokenOf = (link: string) => new URL(link).searchParams.get('token') ?? ''

async function requestReset(email: string) {
  const answer = await service.api.post('/users/reset', { email })
  await requestsDone()
  return answer
}

const requestsDone = () => requestedLinksSent(service.db)

async function linksMailedTo(email: string): Promise<number> {
  return (await mailsTo(service, email)).filter(({ text }) => text.includes('token=')).length
}

describe('POST /users/change-password', () => {
  test('changes the password, ends the other tokens and keeps the one in use', async () => {
    const me = await addUser(service, admin)
    const { body: spare } = await service.api.post('/users/accessTokens', {}, me)
    const body = { oldPassword: password, newPassword }
    expect((await service.api.post('/users/change-password', body, me)).status).toBe(200)
    expect((await service.api.get('/users/me', me)).status).toBe(200)
    expect((await service.api.get('/users/me', { token: spare.id })).status).toBe(401)
    expect((await logIn(me.email, password)).status).toBe(401)
    expect((await logIn(me.email, newPassword)).status).toBe(200)
  })

  test('with a wrong current password is 422 INVALID_PASSWORD, and 429 after ten of them', async () => {
    const me = await addUser(service, admin)
    const change = (oldPassword: string) =>
      service.api.post('/users/change-password', { oldPassword, newPassword }, me)
    for (let guess = 0; guess < 10; guess += 1) {
      const { status, body } = await change(`guess ${guess}`)
      expect([status, body.error.code]).toEqual([422, 'INVALID_PASSWORD'])
    }
    const limited = await change(password)
    expect([limited.status, limited.body.error.code]).toEqual([429, 'RATE_LIMITED'])
    service.clock.advance(15 * minutes)
    expect((await change(password)).status).toBe(200)
  })

  test.each(['1234567', 'x'.repeat(201)])('refuses %s as the new one', async (short) => {
    const me = await addUser(service, admin)
    const body = { oldPassword: password, newPassword: short }
    const answer = await service.api.post('/users/change-password', body, me)
    expect([answer.status, answer.body.error.details.codes]).toEqual([422, { newPassword: ['length'] }])
  })

  test('lets one of two changes at once win', async () => {
    const me = await addUser(service, admin)
    const answers = await Promise.all(
      ['first password', 'second password'].map((wanted) =>
        service.api.post('/users/change-password', { oldPassword: password, newPassword: wanted }, me),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
  })

  test('ends tokens that are made at the same moment, by login or by a token that ends', async () => {
    const me = await addUser(service, admin)
    const ask = () => [service.api.post('/users/accessTokens', {}, me), logIn(me.email, password)]
    const pending = await changePasswordUnder(service.db, me.uuid, { count: 2, ask })
    for (const { status } of await Promise.all(pending)) expect(status).toBe(401)
  })

  test('is on record in the audit log', async () => {
    const me = await addUser(service, admin)
    service.clock.advance(1)
    await service.api.post('/users/change-password', { oldPassword: password, newPassword }, me)
    const { body } = await service.api.get('/accounts/audit?page=1', admin)
    expect(body.data[0]).toMatchObject({ action: 'user.password-changed', actor: me.email })
  })
})

describe('a forgotten password', () => {
  test('is answered alike for known and unknown addresses, and looks for neither (D147)', async () => {
    const me = await addUser(service, admin)
    const asked = [me.email, 'nobody@x.example']
    const answers = await Promise.all(asked.map((email) => service.api.post('/users/reset', { email })))
    const [known, unknown] = answers
    expect(known?.status).toBe(200)
    expect(unknown?.body).toEqual(known?.body)
    expect([...(unknown?.headers.keys() ?? [])]).toEqual([...(known?.headers.keys() ?? [])])
    await requestsDone()
    expect(await linksMailedTo(me.email)).toBe(1)
    expect(await linksMailedTo('nobody@x.example')).toBe(0)
  })

  test('is set on the page of its link, which ends all tokens and works once', async () => {
    const me = await addUser(service, admin)
    await requestReset(me.email)
    const link = await mailedLink(service, me.email)
    for (let opened = 0; opened < 2; opened += 1) {
      const page = await fetch(link, { headers: { accept: 'text/html', 'accept-language': 'pt-BR' } })
      expect([page.status, (await page.text()).includes('<form method="post">')]).toEqual([200, true])
    }
    const send = (wanted: string) =>
      fetch(link, {
        method: 'POST',
        headers: formHeaders,
        body: new URLSearchParams({ newPassword: wanted }),
      })
    const short = await send('short')
    expect([short.status, (await short.text()).includes('class="wrong"')]).toEqual([422, true])
    const done = await send(newPassword)
    expect([done.status, (await done.text()).includes('Password saved')]).toEqual([200, true])
    expect((await service.api.get('/users/me', me)).status).toBe(401)
    const { body: token } = await logIn(me.email, newPassword)
    // The mail reached its reader: the address is proven.
    expect((await service.api.get('/users/me', { token: token.id })).body.emailVerified).toBe(true)
    expect((await send('yet another password')).status).toBe(404)
  })

  test('is set over the API by the token of the link', async () => {
    const me = await addUser(service, admin)
    await requestReset(me.email)
    const token = tokenOf(await mailedLink(service, me.email))
    const short = await service.api.post('/users/set-password', { token, newPassword: 'short' })
    expect([short.status, short.body.error.details.codes]).toEqual([422, { newPassword: ['length'] }])
    expect((await service.api.post('/users/set-password', { token, newPassword })).status).toBe(200)
    const again = await service.api.post('/users/set-password', { token, newPassword })
    expect([again.status, again.body.error.code]).toEqual([404, 'PASSWORD_LINK_INVALID'])
  })

  test('has a link that works for an hour, unless a newer one replaces it', async () => {
    const me = await addUser(service, admin)
    await requestReset(me.email)
    const first = tokenOf(await mailedLink(service, me.email))
    service.clock.advance(1)
    await requestReset(me.email)
    const second = tokenOf(await mailedLink(service, me.email))
    expect(second).not.toBe(first)
    const set = (token: string) => service.api.post('/users/set-password', { token, newPassword })
    expect((await set(first)).status).toBe(404)
    service.clock.advance(1 * hours)
    expect((await set(second)).status).toBe(404)
    await requestReset(me.email)
    service.clock.advance(1 * hours - 1)
    expect((await set(tokenOf(await mailedLink(service, me.email)))).status).toBe(200)
  })

  test('before the account is active sends the confirmation again', async () => {
    const signup = newSignup()
    await service.api.post('/accounts/signup', signup)
    const first = await mailedLink(service, signup.email)
    service.clock.advance(1)
    await requestReset(signup.email)
    const second = await mailedLink(service, signup.email)
    expect(second).not.toBe(first)
    expect(second).toContain('/accounts/confirm?')
  })

  test('is refused with 429 after five mails to one address within an hour, known or not', async () => {
    const me = await addUser(service, admin)
    for (const email of [me.email, 'stranger@x.example']) {
      for (let n = 0; n < 5; n += 1) expect((await requestReset(email)).status).toBe(200)
      const limited = await requestReset(email)
      expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '3600'])
    }
  })
})

describe('POST /users/resend-confirmation', () => {
  test('sends another confirmation mail, and answers alike for any address (D147)', async () => {
    const signup = newSignup()
    await service.api.post('/accounts/signup', signup)
    const first = await mailedLink(service, signup.email)
    service.clock.advance(1)
    const asked = [signup.email, admin.email, 'nobody@y.example']
    const answers = await Promise.all(
      asked.map((email) => service.api.post('/users/resend-confirmation', { email })),
    )
    for (const { status, body } of answers) {
      expect([status, body]).toEqual([200, answers[0]?.body])
    }
    await requestsDone()
    expect(await linksMailedTo(signup.email)).toBe(2)
    const second = await mailedLink(service, signup.email)
    expect((await press(first)).status).toBe(404)
    expect((await press(second)).status).toBe(200)
    expect(await linksMailedTo(admin.email)).toBe(1)
  })

  test('refuses what is no e-mail address', async () => {
    const { status, body } = await service.api.post('/users/resend-confirmation', { email: 'nobody' })
    expect([status, body.error.details.codes]).toEqual([422, { email: ['format'] }])
  })
})

describe('failed logins (D146)', () => {
  test.each([
    ['a user', async () => (await addUser(service, admin)).email],
    ['an unknown address', async () => newUser().email],
  ])('of %s from one address are limited to ten in a quarter of an hour', async (_who, who) => {
    const email = await who()
    for (let guess = 0; guess < 10; guess += 1) expect((await logIn(email, 'wrong')).status).toBe(401)
    const limited = await logIn(email, password)
    expect([limited.status, limited.body.error.code]).toEqual([429, 'RATE_LIMITED'])
    expect(limited.headers.get('retry-after')).toBe('900')
    expect(limited.headers.get('ratelimit-reset')).toBe('900')
    service.clock.advance(15 * minutes)
    expect((await logIn(email, 'wrong')).status).toBe(401)
  })

  test('lock out nobody who has a token, and are forgotten after a right password', async () => {
    const me = await addUser(service, admin)
    for (let guess = 0; guess < 9; guess += 1) await logIn(me.email, 'wrong')
    expect((await logIn(me.email, password)).status).toBe(200)
    for (let guess = 0; guess < 10; guess += 1) await logIn(me.email, 'wrong')
    expect((await logIn(me.email, password)).status).toBe(429)
    expect((await service.api.get('/users/me', me)).status).toBe(200)
    await requestReset(me.email)
    const token = tokenOf(await mailedLink(service, me.email))
    await service.api.post('/users/set-password', { token, newPassword })
    expect((await logIn(me.email, newPassword)).status).toBe(200)
  })

  test('tell a crowd of guesses at once no more than ten guesses one by one', async () => {
    const me = await addUser(service, admin)
    const guesses = Array.from({ length: 30 }, (_, n) => logIn(me.email, `wrong ${n}`))
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(20)
  })
})

test('what these routes say is there in Portuguese where it is preferred, and the answer names its language (D158)', async () => {
  const headers = { 'accept-language': 'pt-BR' }
  const portuguese = await service.api.post('/users/reset', { email: 'ninguem@padaria.example' }, { headers })
  expect([portuguese.body.localizedMessage, portuguese.headers.get('content-language')]).toEqual([
    expect.stringContaining('um e-mail com um link está a caminho'),
    'pt-BR',
  ])
  const plain = await service.api.post('/users/reset', { email: 'ninguem@padaria.example' })
  expect([plain.body.message, plain.headers.get('content-language'), plain.headers.get('vary')]).toEqual([
    expect.stringContaining('a mail with a link is on its way'),
    'en',
    expect.stringContaining('Accept-Language'),
  ])
})
