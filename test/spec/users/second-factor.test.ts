/** The second factor of a user: turning it on and off, and logging in with it (D200, D201). */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defined } from '../../../src/kit/defined.ts'
import { programMissing } from '../../helpers/programs/programs.ts'
import { hours, minutes } from '../../helpers/run/test-clock.ts'
import { appCode, oathtoolCode } from '../../helpers/service/authenticator.ts'
import { disableSecondFactor } from '../../helpers/service/operator.ts'
import { addUser, mailsTo, openAccount, password } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'
import { tablesWith } from '../../helpers/stored/secrets.ts'

const path = '/users/me/second-factor'
const credentials = { currentPassword: password }

let service: Service
let admin: Awaited<ReturnType<typeof openAccount>>

beforeAll(async () => {
  service = await startService()
  admin = await openAccount(service)
})
afterAll(() => service.stop())

type Person = { email: string; token: string }

const logIn = (email: string, code?: string) =>
  service.api.post('/users/login', { email, password, ...defined({ code }) })

const outcome = ({ status, body }: Awaited<ReturnType<typeof logIn>>) => [status, body.error?.code]

async function subjectsMailedTo(email: string): Promise<string[]> {
  return (await mailsTo(service, email)).map(({ subject }) => subject)
}

async function begin(me: Person): Promise<string> {
  return (await service.api.post(path, credentials, me)).body.secret
}

/** A user with an enabled second factor; `code` is the next one that is right. */
async function addProtected() {
  const me = await addUser(service, admin)
  const secret = await begin(me)
  const code = () => {
    service.clock.advance(30)
    return appCode(secret, service.clock.now())
  }
  const { body } = await service.api.post(`${path}/enable`, { code: code() }, me)
  return { ...me, secret, code, recoveryCodes: body.recoveryCodes as string[] }
}

describe('turning it on', () => {
  test('takes two steps: a secret, then its first code, which answers ten recovery codes', async () => {
    const me = await addUser(service, admin)
    const off = { enabled: false, enabledAt: null, recoveryCodesLeft: 0 }
    expect((await service.api.get(path, me)).body).toEqual(off)
    const { status, body } = await service.api.post(path, credentials, me)
    expect(status).toBe(200)
    expect(body.secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(body.otpauthUri).toContain(`secret=${body.secret}`)
    expect(body.otpauthUri).toContain(encodeURIComponent(me.email))
    expect((await service.api.get(path, me)).body).toEqual(off)
    expect((await logIn(me.email)).status).toBe(200)
    const code = appCode(body.secret, service.clock.now())
    const { body: codes } = await service.api.post(`${path}/enable`, { code }, me)
    expect(new Set(codes.recoveryCodes).size).toBe(10)
    for (const one of codes.recoveryCodes) expect(one).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/)
    expect((await service.api.get(path, me)).body).toEqual({
      enabled: true,
      enabledAt: service.clock.now().toISOString(),
      recoveryCodesLeft: 10,
    })
    expect(await subjectsMailedTo(me.email)).toContainEqual(expect.stringContaining('Second factor enabled'))
  })

  test.skipIf(programMissing('oathtool'))('works with the codes of oathtool', async () => {
    const me = await addUser(service, admin)
    const secret = await begin(me)
    const code = oathtoolCode(secret, service.clock.now())
    expect((await service.api.post(`${path}/enable`, { code }, me)).status).toBe(200)
  })

  test('needs a right code: another is 422, and nothing is enabled', async () => {
    const me = await addUser(service, admin)
    const secret = await begin(me)
    const wrong = appCode(secret, service.clock.now(), 5)
    expect(outcome(await service.api.post(`${path}/enable`, { code: wrong }, me))).toEqual([
      422,
      'INVALID_CODE',
    ])
    expect((await logIn(me.email)).status).toBe(200)
  })

  test('needs a secret of the last half hour, else 409', async () => {
    const me = await addUser(service, admin)
    const enable = (code: string) => service.api.post(`${path}/enable`, { code }, me)
    expect(outcome(await enable('123456'))).toEqual([409, 'SECOND_FACTOR_NOT_BEGUN'])
    const secret = await begin(me)
    service.clock.advance(30 * minutes)
    expect(outcome(await enable(appCode(secret, service.clock.now())))).toEqual([
      409,
      'SECOND_FACTOR_NOT_BEGUN',
    ])
  })

  test('is refused while it is on: 409', async () => {
    const me = await addProtected()
    const again = await service.api.post(path, { ...credentials, code: me.code() }, me)
    expect(outcome(again)).toEqual([409, 'SECOND_FACTOR_ENABLED'])
    expect((await service.api.get(path, me)).body.enabled).toBe(true)
  })

  test('stores the secret encrypted and the recovery codes as hashes', async () => {
    const me = await addProtected()
    for (const secret of [me.secret, ...me.recoveryCodes]) {
      expect(await tablesWith(service.db, secret)).toEqual([])
    }
  })

  test('leaves the tokens of the user as they are, and is on record', async () => {
    const me = await addProtected()
    expect((await service.api.get('/users/me', me)).status).toBe(200)
    const { body } = await service.api.get('/accounts/audit?page=1', admin)
    expect(body.data[0]).toMatchObject({ action: 'user.second-factor-enabled', actor: me.email })
  })
})

describe('logging in with it (D201)', () => {
  test('takes a code: without one 401 SECOND_FACTOR_REQUIRED, and only with the right password', async () => {
    const me = await addProtected()
    expect(outcome(await logIn(me.email))).toEqual([401, 'SECOND_FACTOR_REQUIRED'])
    const { status, body } = await logIn(me.email, me.code())
    expect([status, body.id]).toEqual([200, expect.stringMatching(/^[0-9A-Za-z]{64}$/)])
    const wrong = await service.api.post('/users/login', { email: me.email, password: 'wrong password' })
    expect(outcome(wrong)).toEqual([401, 'LOGIN_FAILED'])
  })

  test.each(['000000', '12345', 'abcd-abcd-abcd-abcd', ''])(
    'with %j is 401 SECOND_FACTOR_FAILED',
    async (code) => {
      const me = await addProtected()
      expect(outcome(await logIn(me.email, code))).toEqual([401, 'SECOND_FACTOR_FAILED'])
      service.clock.advance(1)
    },
  )

  test('takes spaces and hyphens as people write them', async () => {
    const me = await addProtected()
    const code = me.code()
    expect((await logIn(me.email, `${code.slice(0, 3)} ${code.slice(3)}`)).status).toBe(200)
    const [first = ''] = me.recoveryCodes
    expect((await logIn(me.email, first.replaceAll('-', '').toUpperCase())).status).toBe(200)
  })

  test('with a recovery code works once, and is notified by mail with how many are left', async () => {
    const me = await addProtected()
    const [first = '', second = ''] = me.recoveryCodes
    expect((await logIn(me.email, first)).status).toBe(200)
    expect(outcome(await logIn(me.email, first))).toEqual([401, 'SECOND_FACTOR_FAILED'])
    expect((await logIn(me.email, second)).status).toBe(200)
    expect((await service.api.get(path, me)).body.recoveryCodesLeft).toBe(8)
    const subjects = await subjectsMailedTo(me.email)
    expect(subjects.filter((subject) => subject.includes('Recovery code used'))).toHaveLength(2)
  })

  test('ignores a code of a user without a second factor', async () => {
    const me = await addUser(service, admin)
    expect((await logIn(me.email, '123456')).status).toBe(200)
  })
})

describe('new recovery codes', () => {
  test('replace the earlier ones', async () => {
    const me = await addProtected()
    const { body } = await service.api.post(`${path}/recovery-codes`, { ...credentials, code: me.code() }, me)
    expect(body.recoveryCodes).toHaveLength(10)
    expect(outcome(await logIn(me.email, me.recoveryCodes[0]))).toEqual([401, 'SECOND_FACTOR_FAILED'])
    expect((await logIn(me.email, body.recoveryCodes[0])).status).toBe(200)
    expect(await subjectsMailedTo(me.email)).toContainEqual(expect.stringContaining('New recovery codes'))
  })

  test('of a user without a second factor are 409', async () => {
    const me = await addUser(service, admin)
    const answer = await service.api.post(`${path}/recovery-codes`, credentials, me)
    expect(outcome(answer)).toEqual([409, 'SECOND_FACTOR_NOT_ENABLED'])
  })
})

describe('turning it off', () => {
  test('needs password and code; afterwards the password is enough, and a mail says so', async () => {
    const me = await addProtected()
    const { status, body } = await service.api.post(
      `${path}/disable`,
      { ...credentials, code: me.code() },
      me,
    )
    expect([status, body]).toEqual([200, { enabled: false, enabledAt: null, recoveryCodesLeft: 0 }])
    expect((await logIn(me.email)).status).toBe(200)
    expect(await subjectsMailedTo(me.email)).toContainEqual(expect.stringContaining('Second factor disabled'))
    const again = await service.api.post(`${path}/disable`, credentials, me)
    expect(outcome(again)).toEqual([409, 'SECOND_FACTOR_NOT_ENABLED'])
  })

  test('is done by the operator for a user who lost everything', async () => {
    const me = await addProtected()
    expect(await disableSecondFactor(service, me.email.toUpperCase())).toBe(true)
    expect((await logIn(me.email)).status).toBe(200)
    expect(await disableSecondFactor(service, me.email)).toBe(false)
    expect(await disableSecondFactor(service, 'nobody@x.example')).toBeUndefined()
    const { body } = await service.api.get('/accounts/audit?page=1', admin)
    const off = body.data.find(({ action }: { action: string }) => action === 'user.second-factor-disabled')
    expect(off).toMatchObject({ actor: null, subject: me.email })
    expect(await subjectsMailedTo(me.email)).toContainEqual(expect.stringContaining('Second factor disabled'))
  })

  test('goes with the user who is removed', async () => {
    const me = await addProtected()
    service.clock.advance(1 * hours)
    expect((await service.api.delete(`/users/${me.uuid}`, admin)).status).toBe(200)
  })
})
