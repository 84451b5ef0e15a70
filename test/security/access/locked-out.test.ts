/** A stranger who knows the e-mail of an owner is wrong on purpose, to keep the owner out (D146). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAccount, password } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ TRUST_PROXY: '127.0.0.1' })
})
afterAll(() => service.stop())

const home = '198.51.100.7'
const from = (address: string) => ({ 'x-forwarded-for': address })
const ownPage = { 'sec-fetch-site': 'same-origin' }

const logIn = async (email: string, secret: string, address: string) =>
  (await service.api.post('/users/login', { email, password: secret }, { headers: from(address) })).status

/** In the console; `cookie` is what the browser has kept from before. */
async function begin(email: string, secret: string, address: string, cookie = '') {
  const headers = { ...from(address), ...ownPage, ...(cookie !== '' && { cookie }) }
  const answer = await service.api.post('/console/session', { email, password: secret }, { headers })
  const kept = answer.headers.getSetCookie().map((one) => one.split(';', 1)[0])
  return { status: answer.status, cookie: kept.find((one) => one?.startsWith('ramal-browser=')) ?? '' }
}

/** Wrong from as many addresses as it takes. */
async function attack(email: string, guesses: number, block: string) {
  const statuses: number[] = []
  for (let guess = 0; guess < guesses; guess += 1) {
    statuses.push(await logIn(email, 'wrong', `${block}.${Math.floor(guess / 10)}`))
  }
  return statuses
}

test('D146: wrong passwords of a stranger do not lock the owner out elsewhere', async () => {
  const { email } = await openAccount(service)
  expect(await attack(email, 12, '203.0.113')).toEqual([...Array(12).fill(401)])
  expect(await logIn(email, password, '192.0.2.44')).toBe(200)
})

test('D146: an address that was wrong ten times is refused, with the right password too', async () => {
  const { email } = await openAccount(service)
  for (let guess = 0; guess < 10; guess += 1) expect(await logIn(email, 'wrong', '203.0.113.9')).toBe(401)
  expect(await logIn(email, password, '203.0.113.9')).toBe(429)
})

test('D146: at an address where a stranger was wrong too, the browser of the owner is let in', async () => {
  const { email } = await openAccount(service)
  const { cookie } = await begin(email, password, home)
  for (let guess = 0; guess < 10; guess += 1) await logIn(email, 'wrong', home)
  expect((await begin(email, password, home)).status).toBe(429)
  expect((await begin(email, password, home, cookie)).status).toBe(200)
})

test('D146: the mark of a browser is one for those who logged in there, and its own guesses are counted', async () => {
  const [first, second, stranger] = [
    await openAccount(service),
    await openAccount(service),
    await openAccount(service),
  ]
  const one = await begin(first.email, password, home)
  const both = await begin(second.email, password, home, one.cookie)
  for (const { email } of [first, second, stranger]) {
    for (let guess = 0; guess < 10; guess += 1) await logIn(email, 'wrong', home)
  }
  expect((await begin(first.email, password, home, both.cookie)).status).toBe(200)
  expect((await begin(second.email, password, home, both.cookie)).status).toBe(200)
  expect((await begin(stranger.email, password, home, both.cookie)).status).toBe(429)
  expect((await begin(second.email, password, home, one.cookie)).status).toBe(429)
  for (let guess = 0; guess < 10; guess += 1) {
    expect((await begin(first.email, 'wrong', home, both.cookie)).status).toBe(401)
  }
  expect((await begin(first.email, password, home, both.cookie)).status).toBe(429)
})

test('D146: a hundred wrong passwords from everywhere leave the way in from a known address and browser', async () => {
  const { email } = await openAccount(service)
  expect(await logIn(email, password, home)).toBe(200)
  const laptop = await begin(email, password, '192.0.2.1')
  expect(laptop.status).toBe(200)
  const statuses = await attack(email, 110, '203.0.113')
  expect(statuses.filter((status) => status === 401)).toHaveLength(100)
  expect(statuses.slice(100)).toEqual(Array(10).fill(429))

  expect(await logIn(email, password, '192.0.2.200')).toBe(429)
  expect((await begin(email, password, '192.0.2.201')).status).toBe(429)
  await service.restart(async () => {})
  expect(await logIn(email, password, home)).toBe(200)
  expect((await begin(email, password, '192.0.2.202', laptop.cookie)).status).toBe(200)
})
