/** A thief with a password, or with a token, and no second factor: what they try, and what it gets them (D201, D202). */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { defined } from '../../../src/kit/defined.ts'
import { days, minutes } from '../../helpers/run/test-clock.ts'
import { appCode } from '../../helpers/service/authenticator.ts'
import { addUser, openAccount, password } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'

const path = '/users/me/second-factor'

let service: Service
let admin: Awaited<ReturnType<typeof openAccount>>

beforeAll(async () => {
  service = await startService()
  admin = await openAccount(service)
})
afterAll(() => service.stop())

/** A user with a second factor, whose login was long ago. */
async function addVictim() {
  const me = await addUser(service, admin)
  const { body } = await service.api.post(path, { currentPassword: password }, me)
  const secret = String(body.secret)
  const code = appCode(secret, service.clock.now())
  const { body: codes } = await service.api.post(`${path}/enable`, { code }, me)
  service.clock.advance(11 * minutes)
  return { ...me, secret, recoveryCodes: codes.recoveryCodes as string[] }
}

const codeNow = ({ secret }: { secret: string }) => appCode(secret, service.clock.now())

const logIn = async (email: string, code?: string) => {
  const body = { email, password, ...defined({ code }) }
  const answer = await service.api.post('/users/login', body)
  return [answer.status, answer.body.error?.code]
}

const wrongCode = (victim: { secret: string }) => appCode(victim.secret, service.clock.now(), 100)

test('D201: a stolen password alone opens no login, however it is sent', async () => {
  const victim = await addVictim()
  expect(await logIn(victim.email)).toEqual([401, 'SECOND_FACTOR_REQUIRED'])
  expect(await logIn(victim.email, '')).toEqual([401, 'SECOND_FACTOR_FAILED'])
  for (const code of [null, 0, [], {}]) {
    const answer = await service.api.post('/users/login', { email: victim.email, password, code })
    expect(answer.status).toBe(422)
  }
})

test('D201: a code that was seen over the shoulder does not work again, nor does the one before it', async () => {
  const victim = await addVictim()
  const before = codeNow(victim)
  service.clock.advance(30)
  const code = codeNow(victim)
  expect((await logIn(victim.email, code))[0]).toBe(200)
  expect(await logIn(victim.email, code)).toEqual([401, 'SECOND_FACTOR_FAILED'])
  expect(await logIn(victim.email, before)).toEqual([401, 'SECOND_FACTOR_FAILED'])
})

test('D201: the same code sent many times at once logs in once', async () => {
  const victim = await addVictim()
  const code = codeNow(victim)
  const answers = await Promise.all(Array.from({ length: 6 }, () => logIn(victim.email, code)))
  expect(answers.filter(([status]) => status === 200)).toHaveLength(1)
})

test('D201: codes are guessed ten times in a quarter of an hour, at once or one by one', async () => {
  const victim = await addVictim()
  const guesses = await Promise.all(Array.from({ length: 30 }, () => logIn(victim.email, wrongCode(victim))))
  expect(guesses.filter(([status]) => status === 401)).toHaveLength(10)
  expect(guesses.filter(([status]) => status === 429)).toHaveLength(20)
  expect(await logIn(victim.email, codeNow(victim))).toEqual([429, 'RATE_LIMITED'])
})

test('D201: and twenty times a day; a recovery code still lets the owner in', async () => {
  const victim = await addVictim()
  let guessed = 0
  for (let round = 0; round < 3; round += 1) {
    service.clock.advance(15 * minutes)
    const guesses = await Promise.all(
      Array.from({ length: 10 }, () => logIn(victim.email, wrongCode(victim))),
    )
    guessed += guesses.filter(([, code]) => code === 'SECOND_FACTOR_FAILED').length
  }
  expect(guessed).toBe(20)
  service.clock.advance(15 * minutes)
  expect(await logIn(victim.email, codeNow(victim))).toEqual([429, 'RATE_LIMITED'])
  expect((await logIn(victim.email, victim.recoveryCodes[0]))[0]).toBe(200)
  service.clock.advance(1 * days)
  expect((await logIn(victim.email, codeNow(victim)))[0]).toBe(200)
})

test('D202: a stolen token turns no second factor on or off, and gets no recovery codes', async () => {
  const [victim, other] = [await addVictim(), await addUser(service, admin)]
  service.clock.advance(11 * minutes)
  for (const [action, who] of [
    ['', other],
    ['', victim],
    ['/disable', victim],
    ['/recovery-codes', victim],
  ] as const) {
    const none = await service.api.post(`${path}${action}`, {}, who)
    expect([none.status, none.body.error.code]).toEqual([403, 'REAUTHENTICATION_REQUIRED'])
    const wrong = await service.api.post(`${path}${action}`, { currentPassword: 'a guess' }, who)
    expect([wrong.status, wrong.body.error.code]).toEqual([422, 'INVALID_PASSWORD'])
  }
  expect((await service.api.get(path, victim)).body).toMatchObject({ enabled: true, recoveryCodesLeft: 10 })
})

test('D202: a stolen token with the password, but no code, changes neither password nor second factor', async () => {
  const victim = await addVictim()
  const newPassword = 'the password of a thief'
  const changes = [
    ['/users/change-password', { oldPassword: password, newPassword }],
    [`${path}/disable`, { currentPassword: password }],
    [`${path}/recovery-codes`, { currentPassword: password }],
  ] as const
  for (const [route, body] of changes) {
    const none = await service.api.post(route, body, victim)
    expect([none.status, none.body.error.code]).toEqual([403, 'REAUTHENTICATION_REQUIRED'])
    const wrong = await service.api.post(route, { ...body, code: wrongCode(victim) }, victim)
    expect([wrong.status, wrong.body.error.code]).toEqual([422, 'INVALID_CODE'])
  }
})

test('D202: a stolen token does not move the e-mail of a user with a second factor', async () => {
  const victim = await addVictim()
  const email = 'thief@evil.example'
  const none = await service.api.patch('/users', { email }, victim)
  expect([none.status, none.body.error.code]).toEqual([403, 'REAUTHENTICATION_REQUIRED'])
  const half = await service.api.patch('/users', { email, currentPassword: password }, victim)
  expect([half.status, half.body.error.code]).toEqual([403, 'REAUTHENTICATION_REQUIRED'])
  const whole = { email: `new-${victim.email}`, currentPassword: password, code: codeNow(victim) }
  const { status, body } = await service.api.patch('/users', whole, victim)
  expect([status, body.pendingEmail]).toEqual([200, whole.email])
})
