/** Spec §4.7, users: list, create, change, show. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hours } from '../../helpers/run/test-clock.ts'
import { filter } from '../../helpers/service/client.ts'
import { addUser, mailedLink, mailsTo, newUser, openAccount, press } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'

let service: Service
let admin: Awaited<ReturnType<typeof openAccount>>
let agent: Awaited<ReturnType<typeof addUser>>

beforeAll(async () => {
  service = await startService()
  admin = await openAccount(service)
  agent = await addUser(service, admin)
})
afterAll(() => service.stop())

const mailTo = async (email: string) => (await mailsTo(service, email))[0]

describe('GET /users', () => {
  test('answers the users of the account as an array, oldest first', async () => {
    const { status, body } = await service.api.get('/users', { token: agent.token })
    expect(status).toBe(200)
    expect(body.slice(0, 2).map((user: { email: string }) => user.email)).toEqual([admin.email, agent.email])
    expect(Object.keys(body[0]).sort()).toEqual(
      [
        'uuid',
        'name',
        'email',
        'phone',
        'role',
        'emailVerified',
        'createdAt',
        'updatedAt',
        'lastLoginAt',
      ].sort(),
    )
  })

  test('answers an array also when the filter leaves one user or none (D27)', async () => {
    const one = await service.api.get(`/users?${filter({ where: { email: agent.email } })}`, admin)
    expect(one.body).toHaveLength(1)
    const none = await service.api.get(`/users?${filter({ where: { email: 'nobody@x.example' } })}`, admin)
    expect(none.body).toEqual([])
  })

  test('finds users by JSON filter and by bracket filter alike', async () => {
    const json = await service.api.get(`/users?${filter({ where: { role: 'USER' }, limit: 1 })}`, admin)
    const brackets = await service.api.get('/users?filter[where][role]=USER&filter[limit]=1', admin)
    expect(json.body).toHaveLength(1)
    expect(brackets.body).toEqual(json.body)
  })

  test('compares e-mails without regard to case', async () => {
    const { body } = await service.api.get(
      `/users?${filter({ where: { email: agent.email.toUpperCase() } })}`,
      admin,
    )
    expect(body[0].uuid).toBe(agent.uuid)
  })

  test('finds by a phone in any notation, and no one by an id that is none (D131, D133)', async () => {
    const emails = async (where: object) =>
      (await service.api.get(`/users?${filter({ where })}`, admin)).body.map(
        ({ email }: typeof admin) => email,
      )
    // As sent: 48999998888 and +55 48 3333-4444.
    expect(await emails({ phone: '+55 (48) 99999-8888' })).toContain(agent.email)
    expect(await emails({ phone: { inq: ['048 3333 4444'] } })).toEqual([admin.email])
    expect(await emails({ phone: { neq: '55 48 3333-4444' } })).not.toContain(admin.email)
    expect(await emails({ id: 'abc' })).toEqual([])
    expect(await emails({ emailVerified: 1 })).toContain(admin.email)
  })

  test('never shows the users of another account, whatever the filter', async () => {
    const stranger = await openAccount(service)
    for (const where of [
      {},
      { or: [{ email: admin.email }, { email: { like: '%' } }] },
      { uuid: agent.uuid },
    ]) {
      const { body } = await service.api.get(`/users?${filter({ where })}`, stranger)
      const emails = body.map((user: { email: string }) => user.email)
      expect(emails).not.toContain(admin.email)
      expect(emails).not.toContain(agent.email)
    }
  })

  test.each([
    ['password', { where: { password: 'x' } }],
    ['password_hash', { where: { password_hash: { like: '%' } } }],
    ['a sort by password_hash', { order: 'password_hash' }],
    ['an unknown key', { wher: {} }],
    ['a malformed include', { include: 7 }],
  ])('refuses a filter with %s and names it (D25)', async (_what, asked) => {
    const { status, body } = await service.api.get(`/users?${filter(asked)}`, admin)
    expect(status).toBe(400)
    expect(body.error.code).toBe('INVALID_PARAMETER_VALUE')
    expect(body.error.message).toMatch(/^filter\./)
  })
})

describe('POST /users', () => {
  test('answers name, e-mail, phone and role of the new user, and what its creator needs next (D58)', async () => {
    const input = newUser('ADMIN')
    const { status, body } = await service.api.post('/users', input, admin)
    expect(status).toBe(200)
    const { password: _secret, ...shown } = input
    expect(body).toEqual({
      ...shown,
      uuid: expect.any(String),
      emailVerified: false,
      createdAt: service.clock.now().toISOString(),
    })
  })

  test('keeps the e-mail in lower case and the phone as it was sent (D63)', async () => {
    const input = { ...newUser(), phone: ' (48) 99999-8888' }
    const { body } = await service.api.post('/users', { ...input, email: input.email.toUpperCase() }, admin)
    expect([body.email, body.phone]).toEqual([input.email, '(48) 99999-8888'])
  })

  test('lets a user made by an ADMIN log in at once', async () => {
    const input = newUser()
    await service.api.post('/users', input, admin)
    const { status } = await service.api.post('/users/login', {
      email: input.email,
      password: input.password,
    })
    expect(status).toBe(200)
  })

  test('is refused to a USER with 403', async () => {
    const { status, body } = await service.api.post('/users', newUser(), agent)
    expect(status).toBe(403)
    expect(body.error).toMatchObject({ statusCode: 403, code: 'ACCESS_DENIED', errorCode: 'ACCESS_DENIED' })
  })

  test('refuses an e-mail that exists, in any case and in any account', async () => {
    const stranger = await openAccount(service)
    const input = { ...newUser(), email: agent.email.toUpperCase() }
    const { status, body } = await service.api.post('/users', input, stranger)
    expect(status).toBe(422)
    expect(body.error.details).toMatchObject({ codes: { email: ['uniqueness'] } })
    expect(body.error.message).toContain('already exists')
  })

  test('gives the e-mail to exactly one of many requests that race for it', async () => {
    const input = newUser()
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => service.api.post('/users', input, admin)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422, 422, 422, 422, 422])
  })

  test('refuses a password of 7 characters and accepts 8', async () => {
    const short = await service.api.post('/users', { ...newUser(), password: '1234567' }, admin)
    expect(short.status).toBe(422)
    expect(short.body.error.details.codes).toEqual({ password: ['length'] })
    expect((await service.api.post('/users', { ...newUser(), password: '12345678' }, admin)).status).toBe(200)
  })

  test.each(['1234', '+5511887654321', 'phone'])('refuses %s as a phone', async (phone) => {
    const { status, body } = await service.api.post('/users', { ...newUser(), phone }, admin)
    expect(status).toBe(422)
    expect(body.error.details.codes).toEqual({ phone: ['format'] })
  })

  test('refuses a role other than ADMIN and USER', async () => {
    const { status, body } = await service.api.post('/users', { ...newUser(), role: 'ROOT' }, admin)
    expect(status).toBe(422)
    expect(body.error.details.codes).toEqual({ role: ['inclusion'] })
  })

  test('names every missing field', async () => {
    const { status, body } = await service.api.post('/users', {}, admin)
    expect(status).toBe(422)
    expect(Object.keys(body.error.details.codes).sort()).toEqual([
      'email',
      'name',

      'phone',
      'role',
    ])
  })
})

describe('PATCH /users', () => {
  test('changes the caller when no uuid is given (D55)', async () => {
    const me = await addUser(service, admin)
    service.clock.advance(5)
    const { status, body } = await service.api.patch('/users', { name: 'Ana', phone: '+55 48 3333-4444' }, me)
    expect(status).toBe(200)
    expect(body).toMatchObject({ uuid: me.uuid, name: 'Ana', phone: '+55 48 3333-4444', email: me.email })
    expect(body.updatedAt).toBe(service.clock.now().toISOString())
    expect((await service.api.get('/users/me', me)).body).toEqual(body)
  })

  test('changes the user named by uuid for an ADMIN, and for nobody else', async () => {
    const other = await addUser(service, admin)
    expect((await service.api.patch('/users', { uuid: other.uuid, name: 'Bia' }, admin)).body.name).toBe(
      'Bia',
    )
    expect((await service.api.patch('/users', { uuid: other.uuid, name: 'X' }, agent)).status).toBe(403)
  })

  test('does not find a user of another account, an unknown or a malformed uuid', async () => {
    const stranger = await openAccount(service)
    for (const uuid of [agent.uuid, '0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d', 'nobody']) {
      const { status, body } = await service.api.patch('/users', { uuid, name: 'X' }, stranger)
      expect([status, body.error.code]).toEqual([404, 'USER_NOT_FOUND'])
    }
  })

  test('lets only an ADMIN change role and emailVerified', async () => {
    const me = await addUser(service, admin)
    for (const change of [{ emailVerified: true }, { role: 'ADMIN' }]) {
      expect((await service.api.patch('/users', change, me)).status).toBe(403)
      expect((await service.api.patch('/users', { uuid: me.uuid, ...change }, admin)).body).toMatchObject(
        change,
      )
    }
  })

  test('lets a USER send role and emailVerified back as they are', async () => {
    const me = await addUser(service, admin)
    const record = (await service.api.get('/users/me', me)).body
    const { status, body } = await service.api.patch('/users', { ...record, name: 'Caio' }, me)
    expect([status, body.name]).toEqual([200, 'Caio'])
  })

  test('changes the e-mail only once the new one is confirmed (D142)', async () => {
    const me = await addUser(service, admin)
    const email = newUser().email
    const { status, body } = await service.api.patch('/users', { email, name: 'Bia' }, me)
    expect(status).toBe(200)
    expect(body).toMatchObject({ email: me.email, pendingEmail: email, name: 'Bia' })
    expect((await service.api.get(`/users?${filter({ where: { pendingEmail: email } })}`, me)).body).toEqual([
      body,
    ])
    const notice = await mailTo(me.email)
    expect(notice?.text).toContain('change your password now')
    expect(notice?.text).not.toContain(email)
    expect((await press(await mailedLink(service, email))).status).toBe(200)
    const after = (await service.api.get('/users/me', me)).body
    expect(after).toMatchObject({ email, emailVerified: true })
    expect(after).not.toHaveProperty('pendingEmail')
    expect((await service.api.post('/users/login', { email, password: me.password })).status).toBe(200)
  })

  test("ends the user's other tokens with a new e-mail, and keeps the one that asked", async () => {
    const me = await addUser(service, admin)
    const { body: spare } = await service.api.post('/users/accessTokens', {}, me)
    const { email } = newUser()
    await service.api.patch('/users', { email }, me)
    expect((await service.api.get('/users/me', { token: spare.id })).status).toBe(200)
    await press(await mailedLink(service, email))
    expect((await service.api.get('/users/me', me)).status).toBe(200)
    expect((await service.api.get('/users/me', { token: spare.id })).status).toBe(401)
  })

  test('lets an ADMIN ask for the new e-mail of another, who has to confirm it as well', async () => {
    const me = await addUser(service, admin)
    const { email } = newUser()
    const asked = { uuid: me.uuid, email, emailVerified: true }
    const { body } = await service.api.patch('/users', asked, admin)
    expect(body).toMatchObject({ email: me.email, emailVerified: true, pendingEmail: email })
    await press(await mailedLink(service, email))
    expect((await service.api.get(`/users/${me.uuid}`, admin)).body.email).toBe(email)
  })

  test('checks again, when the new e-mail is confirmed, that nobody has it', async () => {
    const [me, other] = [await addUser(service, admin), newUser()]
    await service.api.patch('/users', { email: other.email }, me)
    const link = await mailedLink(service, other.email)
    await service.api.post('/users', other, admin)
    const answer = await press(link, { accept: 'text/html', 'accept-language': 'en' })
    expect([answer.status, (await answer.text()).includes('Somebody else uses this e-mail now')]).toEqual([
      422,
      true,
    ])
    expect((await service.api.get('/users/me', me)).body.email).toBe(me.email)
  })

  test('takes back a new e-mail that is not confirmed within 48 hours, or when the password changes', async () => {
    const [late, careful] = [await addUser(service, admin), await addUser(service, admin)]
    const [first, second] = [newUser().email, newUser().email]
    await service.api.patch('/users', { email: first }, late)
    await service.api.patch('/users', { email: second }, careful)
    const newPassword = 'another password'
    await service.api.post('/users/change-password', { oldPassword: careful.password, newPassword }, careful)
    expect((await press(await mailedLink(service, second))).status).toBe(404)
    expect((await service.api.get('/users/me', careful)).body).not.toHaveProperty('pendingEmail')
    service.clock.advance(48 * hours + 1)
    await service.tick('old links')
    expect((await service.api.get('/users/me', late)).body).not.toHaveProperty('pendingEmail')
  })

  test('refuses an e-mail that exists and an invalid phone', async () => {
    const taken = await service.api.patch('/users', { email: admin.email }, agent)
    expect(taken.body.error.details.codes).toEqual({ email: ['uniqueness'] })
    const phone = await service.api.patch('/users', { phone: '12' }, agent)
    expect(phone.body.error.details.codes).toEqual({ phone: ['format'] })
    expect([taken.status, phone.status]).toEqual([422, 422])
  })

  test('keeps the last ADMIN an ADMIN', async () => {
    const alone = await openAccount(service)
    const { status, body } = await service.api.patch('/users', { role: 'USER' }, alone)
    expect([status, body.error.code]).toEqual([409, 'LAST_ADMIN'])
  })

  test('leaves one ADMIN when the last two demote each other at once', async () => {
    const first = await openAccount(service)
    const second = await addUser(service, first, 'ADMIN')
    const firstUuid = (await service.api.get('/users/me', first)).body.uuid
    const answers = await Promise.all([
      service.api.patch('/users', { uuid: second.uuid, role: 'USER' }, first),
      service.api.patch('/users', { uuid: firstUuid, role: 'USER' }, second),
    ])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('takes an empty change for none', async () => {
    const before = (await service.api.get('/users/me', agent)).body
    expect((await service.api.patch('/users', {}, agent)).body).toEqual(before)
  })
})

describe('GET /users/{uuid}', () => {
  test('answers one user of the account, and 404 for anybody else', async () => {
    const me = (await service.api.get('/users/me', agent)).body
    expect((await service.api.get(`/users/${agent.uuid}`, admin)).body).toEqual(me)
    const stranger = await openAccount(service)
    for (const uuid of [agent.uuid, '0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d', 'nobody']) {
      const { status, body } = await service.api.get(`/users/${uuid}`, stranger)
      expect([status, body.error.code]).toEqual([404, 'USER_NOT_FOUND'])
    }
  })
})

describe('names (D145)', () => {
  test.each([
    ['a line break', 'Bia\nVisit us'],
    ['a separator of lines', 'Bia\u2028Visit us'],
    ['a control character', 'Bia\u0007'],
    ['a link', 'Bia https://evil.example'],
    ['a link without a scheme', 'See www.evil.example'],
  ])('refuse %s', async (_what, name) => {
    for (const answer of [
      await service.api.post('/users', { ...newUser(), name }, admin),
      await service.api.patch('/users', { name }, agent),
    ]) {
      expect([answer.status, answer.body.error.details.codes]).toEqual([422, { name: ['format'] }])
    }
  })
})

describe('GET /users/me', () => {
  test('answers the user who is asking (§2.6)', async () => {
    const { status, body } = await service.api.get('/users/me', agent)
    expect(status).toBe(200)
    expect(body).toEqual({
      uuid: agent.uuid,
      name: agent.name,
      email: agent.email,
      phone: agent.phone,
      role: 'USER',
      emailVerified: false,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: expect.any(String),
      lastLoginAt: expect.any(String),
    })
  })
})
