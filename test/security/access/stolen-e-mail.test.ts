/** A thief with a user's token moves the user's e-mail to an address of theirs: how the owner stops it (D203). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { days } from '../../helpers/run/test-clock.ts'
import { appCode } from '../../helpers/service/authenticator.ts'
import { addUser, mailedLink, mailsTo, openAccount, password, press } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const ofThief = 'the password of a thief'
const ofOwner = 'the password of the owner'
let thieves = 0

const logIn = async (email: string, secret: string) =>
  (await service.api.post('/users/login', { email, password: secret })).status

const setPassword = async (email: string, newPassword: string) => {
  const token = new URL(await mailedLink(service, email)).searchParams.get('token')
  return (await service.api.post('/users/set-password', { token, newPassword })).status
}

/** The e-mail of an account's owner is moved, and the thief has confirmed the new one. */
async function moveEmail() {
  const victim = await openAccount(service)
  thieves += 1
  const thief = `thief${thieves}@evil.example`
  service.clock.advance(1)
  expect((await service.api.patch('/users', { email: thief }, victim)).status).toBe(200)
  const keepLink = await mailedLink(service, victim.email)
  expect((await press(await mailedLink(service, thief))).status).toBe(200)
  return { ...victim, thief, keepLink }
}

test('before the new e-mail is confirmed, the link stops it and ends the stolen token', async () => {
  const victim = await openAccount(service)
  service.clock.advance(1)
  await service.api.patch('/users', { email: 'early@evil.example' }, victim)
  const theirs = await mailedLink(service, 'early@evil.example')
  const keepLink = await mailedLink(service, victim.email)
  const page = await fetch(keepLink, { headers: { 'accept-language': 'en' } })
  expect(await page.text()).toContain('Keep this e-mail')
  service.clock.advance(1)
  expect((await press(keepLink)).status).toBe(200)
  expect((await service.api.get('/users/me', victim)).status).toBe(401)
  expect((await press(theirs)).status).toBe(404)
  expect(await logIn(victim.email, password)).toBe(401)
  expect(await setPassword(victim.email, ofOwner)).toBe(200)
  expect(await logIn(victim.email, ofOwner)).toBe(200)
  expect((await press(keepLink)).status).toBe(404)
})

test('after the change it takes the e-mail back, with a new password and without the second factor of the thief', async () => {
  const victim = await moveEmail()
  service.clock.advance(60)
  await service.api.post('/users/reset', { email: victim.thief })
  await expect.poll(() => mailedLink(service, victim.thief)).toContain('/set-password?')
  expect(await setPassword(victim.thief, ofThief)).toBe(200)
  const { body: token } = await service.api.post('/users/login', { email: victim.thief, password: ofThief })
  const theirs = { token: String(token.id) }
  const { body: factor } = await service.api.post('/users/me/second-factor', undefined, theirs)
  const code = appCode(factor.secret, service.clock.now())
  expect((await service.api.post('/users/me/second-factor/enable', { code }, theirs)).status).toBe(200)
  service.clock.advance(6 * days)
  expect((await press(victim.keepLink)).status).toBe(200)
  expect((await service.api.get('/users/me', theirs)).status).toBe(401)
  for (const email of [victim.email, victim.thief]) expect(await logIn(email, ofThief)).toBe(401)
  expect(await setPassword(victim.email, ofOwner)).toBe(200)
  expect(await logIn(victim.email, ofOwner)).toBe(200)
})

test('a second change leaves the link of the owner as it is, and gives the thief none', async () => {
  const victim = await moveEmail()
  const { body: token } = await service.api.post('/users/login', { email: victim.thief, password })
  service.clock.advance(1)
  const second = { email: `second-${victim.thief}` }
  await service.api.patch('/users', second, { token: token.id })
  const [notice] = await mailsTo(service, victim.thief)
  expect(notice?.text).not.toContain('token=')
  expect((await press(victim.keepLink)).status).toBe(200)
})

test('the link no longer works after 7 days', async () => {
  const victim = await moveEmail()
  service.clock.advance(7 * days)
  expect((await press(victim.keepLink)).status).toBe(404)
})

test('a second factor that the owner had before stays', async () => {
  const victim = await openAccount(service)
  const { body } = await service.api.post('/users/me/second-factor', { currentPassword: password }, victim)
  const code = appCode(body.secret, service.clock.now())
  await service.api.post('/users/me/second-factor/enable', { code }, victim)
  service.clock.advance(60)
  const credentials = { currentPassword: password, code: appCode(body.secret, service.clock.now()) }
  await service.api.patch('/users', { email: 'careful@evil.example', ...credentials }, victim)
  service.clock.advance(1)
  expect((await press(await mailedLink(service, victim.email))).status).toBe(200)
  await setPassword(victim.email, ofOwner)
  const answer = await service.api.post('/users/login', { email: victim.email, password: ofOwner })
  expect(answer.body.error.code).toBe('SECOND_FACTOR_REQUIRED')
})

test('an ADMIN who moves the e-mail of somebody else leaves that person no link', async () => {
  const admin = await openAccount(service)
  const agent = await addUser(service, admin)
  await service.api.patch('/users', { uuid: agent.uuid, emailVerified: true }, admin)
  await service.api.patch('/users', { uuid: agent.uuid, email: `successor-of-${agent.email}` }, admin)
  const [notice] = await mailsTo(service, agent.email)
  expect(notice?.subject).toContain('Your e-mail is about to change')
  expect(notice?.text).not.toContain('token=')
})
