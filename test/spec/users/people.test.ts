/** People come and go: invitations, removal, addresses that belong to somebody else (D140, D141, D143). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { days, hours } from '../../helpers/run/test-clock.ts'
import { accountIdOf, insertCalls } from '../../helpers/service/call-rows.ts'
import { changeLimits } from '../../helpers/service/operator.ts'
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
import { removeUser } from '../../helpers/stored/people-rows.ts'
import { tablesWith } from '../../helpers/stored/secrets.ts'

let service: Service
let admin: Awaited<ReturnType<typeof openAccount>>

beforeAll(async () => {
  service = await startService()
  admin = await openAccount(service)
  // The clock goes on by more than the days a token lives.
  admin.token = (await service.api.post('/users/accessTokens', { ttl: -1 }, admin)).body.id
})
afterAll(() => service.stop())

const newPassword = 'chosen by herself'
const tokenOf = (link: string) => new URL(link).searchParams.get('token') ?? ''
const logIn = (email: string, secret: string) => service.api.post('/users/login', { email, password: secret })

function invitee() {
  const { password: _none, ...rest } = newUser()
  return rest
}

const invite = (uuid: string, by: { token: string }) => service.api.post('/users/invitations', { uuid }, by)

async function textTo(email: string): Promise<string> {
  return (await mailsTo(service, email))[0]?.text ?? ''
}

describe('an account that nothing has proven (D492)', () => {
  test('invites twenty people a day, counting mails that are sent again; once it is proven, any number', async () => {
    const fresh = await openAccount(service)
    const add = () => service.api.post('/users', invitee(), fresh)
    const { body: first } = await add()
    for (let n = 1; n < 19; n += 1) expect((await add()).status).toBe(200)
    expect((await invite(first.uuid, fresh)).status).toBe(200)
    const refused = [await add(), await invite(first.uuid, fresh)]
    for (const { status, body, headers } of refused) {
      expect([status, body.error.code]).toEqual([429, 'RATE_LIMITED'])
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(3_600)
    }
    // Nobody gets a mail.
    expect((await service.api.post('/users', newUser(), fresh)).status).toBe(200)
    await changeLimits(service, fresh.domain, { proven: true })
    // Known by a notice.
    await expect.poll(async () => (await add()).status).toBe(200)
  })

  test('invites again the next day', async () => {
    const fresh = await openAccount(service)
    for (let n = 0; n < 20; n += 1) await service.api.post('/users', invitee(), fresh)
    service.clock.advance(24 * 3_600 + 1)
    expect((await service.api.post('/users', invitee(), fresh)).status).toBe(200)
  })
})

describe('an invitation (D141)', () => {
  test('is what POST /users sends without a password; the person chooses one, which proves the e-mail', async () => {
    const person = { ...invitee(), name: 'Bia Lima' }
    const { status, body } = await service.api.post('/users', person, admin)
    expect([status, body]).toEqual([
      200,
      {
        ...person,
        uuid: expect.any(String),
        emailVerified: false,
        createdAt: expect.any(String),
        invited: true,
      },
    ])
    expect(await textTo(person.email)).toMatch(/^Olá, Bia!/)
    expect(await textTo(person.email)).toContain(admin.domain)
    expect((await logIn(person.email, newPassword)).status).toBe(401)
    const link = await mailedLink(service, person.email)
    const page = await fetch(link, { headers: { 'accept-language': 'en' } })
    expect(await page.text()).toContain('Choose a password to enter the account')
    const form = { method: 'POST', body: new URLSearchParams({ newPassword }) }
    expect((await fetch(link, form)).status).toBe(200)
    const { body: token } = await logIn(person.email, newPassword)
    const me = (await service.api.get('/users/me', { token: token.id })).body
    expect(me.emailVerified).toBe(true)
    expect(me).not.toHaveProperty('invited')
  })

  test('works for 7 days, and is sent again by an ADMIN, which ends the older link', async () => {
    const person = invitee()
    const { body: user } = await service.api.post('/users', person, admin)
    const first = tokenOf(await mailedLink(service, person.email))
    const set = (token: string) => service.api.post('/users/set-password', { token, newPassword })
    service.clock.advance(7 * days)
    expect((await set(first)).status).toBe(404)
    expect((await invite(user.uuid, admin)).status).toBe(200)
    const second = tokenOf(await mailedLink(service, person.email))
    service.clock.advance(7 * days - 1)
    expect((await set(second)).status).toBe(200)
    const accepted = await invite(user.uuid, admin)
    expect([accepted.status, accepted.body.error.code]).toEqual([409, 'INVITATION_ACCEPTED'])
  })

  test('is sent by ADMINs only', async () => {
    const agent = await addUser(service, admin)
    const { body: user } = await service.api.post('/users', invitee(), admin)
    expect((await invite(user.uuid, agent)).status).toBe(403)
    const stranger = await openAccount(service)
    expect((await invite(user.uuid, stranger)).status).toBe(404)
  })

  test('does not make an ADMIN who cannot log in yet the one that keeps the account', async () => {
    const alone = await openAccount(service)
    await service.api.post('/users', { ...invitee(), role: 'ADMIN' }, alone)
    const { status, body } = await service.api.patch('/users', { role: 'USER' }, alone)
    expect([status, body.error.code]).toEqual([409, 'LAST_ADMIN'])
  })
})

describe('DELETE /users/{uuid} (D140)', () => {
  const remove = (uuid: string, by: { token: string }) => service.api.delete(`/users/${uuid}`, by)

  test('ends login, tokens and integrations at once; the e-mail can be used again', async () => {
    const agent = await addUser(service, admin)
    const webhook = { webhookUrl: 'https://hooks.example/x', webhookTypes: ['channel-hangup'] }
    const integration = { gateway: 'crm', webhook: true, metadata: webhook }
    expect((await service.api.patch('/integrations', integration, agent)).status).toBe(200)
    const { status, body } = await remove(agent.uuid, admin)
    expect([status, body.email]).toEqual([200, agent.email])
    expect((await service.api.get('/users/me', agent)).body.error.code).toBe('INVALID_TOKEN')
    expect((await logIn(agent.email, password)).body.error.code).toBe('LOGIN_FAILED')
    expect(await tablesWith(service.db, 'https://hooks.example/x')).toEqual([])
    expect((await remove(agent.uuid, admin)).status).toBe(404)
    expect((await service.api.post('/users', { ...newUser(), email: agent.email }, admin)).status).toBe(200)
  })

  test('leaves what the person did on record, with their name', async () => {
    const agent = await addUser(service, admin)
    const account = await accountIdOf(service.db, admin.domain)
    const [call] = await insertCalls(service.db, account, [
      { user_uuid: agent.uuid, email: agent.email, first_name: 'Bia', last_name: 'Lima' },
    ])
    service.clock.advance(1)
    await remove(agent.uuid, admin)
    const record = (await service.api.get(`/calls/${call}`, admin)).body
    expect(record).toMatchObject({ email: agent.email, first_name: 'Bia', last_name: 'Lima' })
    const { body: audit } = await service.api.get('/accounts/audit?page=1', admin)
    expect(audit.data[0]).toMatchObject({
      action: 'user.removed',
      actor: admin.email,
      subject: agent.email,
      details: { name: agent.name, role: 'USER' },
    })
  })

  test('answers 401 to a request of the removed user that was let in a moment before', async () => {
    const agent = await addUser(service, admin)
    expect((await service.api.get('/users/me', agent)).status).toBe(200)
    // No notice: this process still knows the token, as another one does for a moment.
    await removeUser(service.db, agent.email)
    const { status, body } = await service.api.post('/users/accessTokens', {}, agent)
    expect([status, body.error.code]).toEqual([401, 'INVALID_TOKEN'])
  })

  test('is for ADMINs of the account, who may also remove themselves', async () => {
    const [agent, second] = [await addUser(service, admin), await addUser(service, admin, 'ADMIN')]
    expect((await remove(agent.uuid, agent)).status).toBe(403)
    expect((await remove(agent.uuid, await openAccount(service))).status).toBe(404)
    expect((await remove('nobody', admin)).status).toBe(404)
    expect((await remove(second.uuid, second)).status).toBe(200)
  })

  test('never removes the last ADMIN, also when the last two remove each other at once', async () => {
    const first = await openAccount(service)
    const firstUuid = (await service.api.get('/users/me', first)).body.uuid
    const alone = await remove(firstUuid, first)
    expect([alone.status, alone.body.error.code]).toEqual([409, 'LAST_ADMIN'])
    const second = await addUser(service, first, 'ADMIN')
    await Promise.all([remove(second.uuid, first), remove(firstUuid, second)])
    const lists = await Promise.all([first, second].map((who) => service.api.get('/users', who)))
    const [left] = lists.filter(({ status }) => status === 200)
    expect(lists.map(({ status }) => status).sort()).toEqual([200, 401])
    expect(left?.body.map(({ role }: { role: string }) => role)).toEqual(['ADMIN'])
  })
})

describe('an e-mail address held by somebody who never confirmed it (D143)', () => {
  test('is released by its owner, who then signs up', async () => {
    const victim = newSignup()
    const held = { ...newUser(), email: victim.email }
    const { body: holder } = await service.api.post('/users', held, admin)
    const refused = await service.api.post('/accounts/signup', victim)
    expect([refused.status, refused.body.error.details.codes]).toEqual([422, { email: ['uniqueness'] }])
    const link = await mailedLink(service, victim.email)
    expect(await textTo(victim.email)).toContain(admin.domain)
    // One mail, however often it is tried.
    await service.api.post('/accounts/signup', victim)
    expect(await mailedLink(service, victim.email)).toBe(link)
    expect((await fetch(link)).status).toBe(200)
    expect((await service.api.get(`/users/${holder.uuid}`, admin)).status).toBe(200)
    expect((await press(link)).status).toBe(200)
    expect((await service.api.get(`/users/${holder.uuid}`, admin)).status).toBe(404)
    expect((await service.api.post('/accounts/signup', victim)).status).toBe(201)
  })

  test('stays with a user who confirmed it, with the only ADMIN, and within one account', async () => {
    const confirmed = await addUser(service, admin)
    await service.api.patch('/users', { uuid: confirmed.uuid, emailVerified: true }, admin)
    const colleague = await addUser(service, admin)
    const alone = await openAccount(service)
    await service.api.patch('/users', { emailVerified: false }, alone)
    const stranger = await openAccount(service)
    for (const [email, by] of [
      [confirmed.email, stranger],
      [colleague.email, admin],
      [alone.email, stranger],
    ] as const) {
      expect((await service.api.post('/users', { ...newUser(), email }, by)).status).toBe(422)
      expect(await textTo(email)).not.toMatch(/release the e-mail/)
    }
  })

  test('of a sign-up is offered to its owner after an hour, not to who signs up twice', async () => {
    const squatter = newSignup()
    await service.api.post('/accounts/signup', squatter)
    const again = { ...newSignup(), email: squatter.email }
    expect((await service.api.post('/accounts/signup', again)).status).toBe(422)
    expect(await textTo(squatter.email)).not.toMatch(/release the e-mail/)
    service.clock.advance(1 * hours)
    expect((await service.api.post('/accounts/signup', again)).status).toBe(422)
    expect(await textTo(squatter.email)).toMatch(/release the e-mail/)
    expect((await press(await mailedLink(service, squatter.email))).status).toBe(200)
    expect((await service.api.post('/accounts/signup', again)).status).toBe(201)
  })
})
