import type { FastifyReply, FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { createTestClock } from '../../../../test/helpers/run/test-clock.ts'
import { Refusal } from '../../../contract/errors.ts'
import type { Maybe } from '../../../kit/maybe.ts'
import { createTestTimers } from '../../../kit/testing/test-timers.ts'
import type { Caller } from '../../../users/caller.ts'
import type { Callers } from '../../../users/tokens/callers.ts'
import { type AnyEntry, entry } from '../../entry.ts'
import { createMemoryRateCounters } from '../../limits/rate-counters.ts'
import { createAdmission } from './admission.ts'

const reading = entry({
  method: 'GET',
  path: '/extensions',
  about: '',
  tag: 'Extensions',
  limit: 'other',
  may: 'extensions.list',
  scope: 'calls:read',
  query: { limit: '' },
  run: () => undefined,
})
const other: AnyEntry = { ...reading, route: 'GET /integrations' }
const listing: AnyEntry = { ...reading, route: 'GET /calls', limit: 'calls.list' }
const placing: AnyEntry = { ...reading, method: 'POST', route: 'POST /calls', limit: 'calls.place' }
const hangingUp: AnyEntry = { ...reading, method: 'POST', route: 'POST /hangup', limit: 'calls.hangup' }
const status: AnyEntry = { ...reading, route: 'GET /status', may: 'anyone' }
const login: AnyEntry = { ...status, route: 'POST /login', limit: 'login' }

function caller(name: string, more: Partial<Caller> = {}): Caller {
  return { user: { uuid: name, role: 'ADMIN' }, accountId: 1, ...more } as unknown as Caller
}
const allAddresses = { addresses: null, isAllowedAddress: () => true }
const people: Record<string, Caller> = {
  ana: caller('ana'),
  bia: caller('bia'),
  otherAccount: caller('otherAccount', { accountId: 2 }),
  user: caller('user', { user: { uuid: 'user', role: 'USER' } as never }),
  accountant: caller('accountant', { limits: { scopes: ['billing'], ...allAddresses } }),
  office: caller('office', {
    limits: { ...allAddresses, scopes: null, isAllowedAddress: (one) => one === '192.0.2.1' },
  }),
  session: caller('ana', { session: { ttl: 60 } }),
  looksIn: caller('ana', { session: { ttl: 60 }, lookIn: { reason: 'asked', until: new Date() } }),
}

type Ask = {
  entry?: AnyEntry | undefined
  /** Of a header, or of a cookie. */
  token?: string
  cookie?: string
  address?: string
  query?: Record<string, string>
  body?: unknown
}

async function refusalOf(work: () => Maybe<void>): Promise<Refusal | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

function open({ countOthersBy = 'address' as 'address' | 'user', isCounting = true } = {}) {
  const clock = createTestClock()
  const timers = createTestTimers()
  const lookedUp: string[] = []
  const callers = {
    find(token: string, address: string, kind: string) {
      lookedUp.push(`${token} ${address} ${kind}`)
      return people[token]
    },
  } as unknown as Callers
  const rateCounters = isCounting ? createMemoryRateCounters(clock, 60_000) : undefined
  const admission = createAdmission({ callers, rateCounters, countOthersBy, timers })

  async function ask({ token, cookie, address = '192.0.2.1', query, body, ...asked }: Ask) {
    const headers: Record<string, unknown> = {}
    const reply = {
      header(name: string, value: unknown) {
        headers[name] = value
      },
    } as unknown as FastifyReply
    const request = {
      entry: asked.entry,
      address,
      body,
      query,
      url: query ? '/?' : '/',
      headers: { authorization: token, cookie },
      counted: false,
      caller: undefined,
      readCredential() {
        if (token !== undefined) return { token, kind: 'token' }
        return cookie === undefined ? undefined : { token: cookie, kind: 'session' }
      },
    } as unknown as FastifyRequest
    const error = await refusalOf(() => admission.admit(request, reply))
    // Also of a request that was refused: every one is counted.
    const late = await refusalOf(() => admission.admitBody(request, reply))
    const refusal = late ?? error
    return { code: refusal?.code ?? 'admitted', headers, error: refusal, request, reply }
  }
  /** The code of the last of so many requests. */
  async function last(times: number, what: Ask) {
    for (let n = 1; n < times; n += 1) await ask(what)
    return (await ask(what)).code
  }
  return { ask, last, clock, timers, lookedUp, admission }
}

test('D25: an unknown query parameter is refused with its name', async () => {
  const { ask } = open()
  expect((await ask({ entry: reading, token: 'ana', query: { limit: '3' } })).code).toBe('admitted')
  expect((await ask({ entry: reading, token: 'ana', query: { 'limit[x]': '3' } })).code).toBe('admitted')
  const { code, error } = await ask({ entry: reading, token: 'ana', query: { limits: '3' } })
  expect([code, error?.message]).toEqual(['INVALID_PARAMETER_VALUE', 'limits: unknown parameter'])
  const { query: _, ...withoutQuery } = reading
  expect((await ask({ entry: withoutQuery, token: 'ana', query: { limit: '3' } })).code).toBe(
    'INVALID_PARAMETER_VALUE',
  )
  expect((await ask({ entry: reading, token: 'ana', query: { toString: '3' } })).code).toBe(
    'INVALID_PARAMETER_VALUE',
  )
})

test('D50: a token in the query is refused, and the answer says where it belongs', async () => {
  const { error, code } = await open().ask({ entry: reading, token: 'ana', query: { access_token: 'ana' } })
  expect(code).toBe('AUTHORIZATION_REQUIRED')
  expect(error?.message).toBe('Send the access token in the Authorization header, never in the query string.')
})

test('a route that needs a token is refused without one, and with an unknown one; other routes need none', async () => {
  const { ask, lookedUp } = open()
  expect((await ask({ entry: reading })).code).toBe('AUTHORIZATION_REQUIRED')
  expect((await ask({ entry: reading, token: 'nobody' })).code).toBe('INVALID_TOKEN')
  expect((await ask({ entry: status })).code).toBe('admitted')
  expect((await ask({ entry: status, token: 'nobody', cookie: 'nobody' })).code).toBe('admitted')
  expect(lookedUp).toEqual(['nobody 192.0.2.1 token'])
  const { request } = await ask({ entry: reading, token: 'ana', address: '192.0.2.9' })
  expect(request.caller).toBe(people.ana)
  expect(lookedUp[1]).toBe('ana 192.0.2.9 token')
})

test('a caller needs the address, the scope and the permission of the route', async () => {
  const { ask } = open()
  expect((await ask({ entry: reading, token: 'office' })).code).toBe('admitted')
  expect((await ask({ entry: reading, token: 'office', address: '192.0.2.2' })).code).toBe(
    'TOKEN_ADDRESS_REFUSED',
  )
  expect((await ask({ entry: reading, token: 'accountant' })).code).toBe('SCOPE_REQUIRED')
  const forAdmins: AnyEntry = { ...reading, may: 'users.create' }
  expect((await ask({ entry: forAdmins, token: 'user' })).code).toBe('ACCESS_DENIED')
  expect((await ask({ entry: forAdmins, token: 'ana' })).code).toBe('admitted')
})

test('D647: an operator who looks in reads, and ends the session, but changes nothing', async () => {
  const { ask } = open()
  const codeOf = async (entry: AnyEntry) => (await ask({ entry, cookie: 'looksIn' })).code
  expect(await codeOf(reading)).toBe('admitted')
  expect(await codeOf({ ...reading, method: 'HEAD' })).toBe('admitted')
  expect(await codeOf({ ...reading, method: 'DELETE' })).toBe('READ_ONLY_SESSION')
  expect(await codeOf({ ...reading, method: 'DELETE', endsSession: true })).toBe('admitted')
  expect((await ask({ entry: hangingUp, cookie: 'session' })).code).toBe('admitted')
})

test('D104: every answer shows the limit, what is left of it and when it ends; a refusal says when to come again', async () => {
  const { ask, last, clock } = open()
  const asked = { entry: hangingUp, token: 'ana' }
  expect((await ask(asked)).headers).toEqual({
    'ratelimit-limit': 30,
    'ratelimit-remaining': 29,
    'ratelimit-reset': 60,
  })
  clock.advance(10.5)
  expect(await last(29, asked)).toBe('admitted')
  const { code, headers } = await ask(asked)
  expect(code).toBe('RATE_LIMITED')
  expect(headers).toEqual({
    'ratelimit-limit': 30,
    'ratelimit-remaining': 0,
    'ratelimit-reset': 50,
    'Retry-After': 50,
  })
  clock.advance(49.5)
  expect((await ask(asked)).code).toBe('admitted')
})

test('D103: the last row counts each route by address, before the token is looked at', async () => {
  const { ask, last, lookedUp } = open()
  expect(await last(60, { entry: reading, token: 'nobody' })).toBe('INVALID_TOKEN')
  expect((await ask({ entry: reading, token: 'ana' })).code).toBe('RATE_LIMITED')
  expect(lookedUp).toHaveLength(60)
  expect((await ask({ entry: other, token: 'ana' })).code).toBe('admitted')
  expect((await ask({ entry: reading, token: 'ana', address: '192.0.2.2' })).code).toBe('admitted')
  expect((await ask({ entry: { ...reading }, token: 'ana' })).code).toBe('RATE_LIMITED')
})

test('D103: or by user, if the operator wants it so; without a token by address', async () => {
  const { ask, last } = open({ countOthersBy: 'user' })
  expect(await last(61, { entry: reading, token: 'ana' })).toBe('RATE_LIMITED')
  expect((await ask({ entry: reading, token: 'bia' })).code).toBe('admitted')
  expect(await last(61, { entry: status, token: 'ana' })).toBe('RATE_LIMITED')
  expect((await ask({ entry: status, token: 'bia' })).code).toBe('RATE_LIMITED')
  expect(await last(61, { entry: reading })).toBe('RATE_LIMITED')
})

test('D103: a route without a token is counted before its body is read, whatever cookie comes along', async () => {
  for (const countOthersBy of ['address', 'user'] as const) {
    const { ask, admission } = open({ countOthersBy })
    const { request, reply } = await ask({ entry: login, cookie: 'session' })
    for (let n = 1; n < 10; n += 1) admission.admit(request, reply)
    expect(() => admission.admit(request, reply)).toThrow('Too many')
    for (let n = 0; n < 60; n += 1) admission.admit({ ...request, entry: status }, reply)
    expect(() => admission.admit({ ...request, entry: status }, reply)).toThrow('Too many')
  }
})

test('D103: a token that comes with a cookie counts by address, before it is looked at', async () => {
  const { last, lookedUp } = open()
  expect(await last(61, { entry: reading, token: 'nobody', cookie: 'session' })).toBe('RATE_LIMITED')
  expect(lookedUp).toHaveLength(60)
})

test('D103: rows of their own count by address, by user, or by user and extension', async () => {
  const { ask, last } = open()
  expect(await last(11, { entry: login })).toBe('RATE_LIMITED')
  expect((await ask({ entry: login, address: '192.0.2.2' })).code).toBe('admitted')
  expect(await last(31, { entry: hangingUp, token: 'ana' })).toBe('RATE_LIMITED')
  expect((await ask({ entry: hangingUp, token: 'ana', body: { extension: '1000' } })).code).toBe(
    'RATE_LIMITED',
  )
  expect((await ask({ entry: hangingUp, token: 'bia' })).code).toBe('admitted')
  const from = (extension: unknown, token = 'ana') => ({ entry: placing, token, body: { extension } })
  expect(await last(16, from('1000'))).toBe('RATE_LIMITED')
  expect((await ask(from('1001'))).code).toBe('admitted')
  expect((await ask(from('1000', 'bia'))).code).toBe('admitted')
})

test('D103: all that is no number of an extension counts together', async () => {
  const { ask, last } = open()
  const bodies = [
    { extension: 1000 },
    { extension: 'x1' },
    { extension: null },
    {},
    null,
    undefined,
    'text',
    '{"extension"',
  ]
  for (const body of bodies) await ask({ entry: placing, token: 'ana', body })
  expect(await last(7, { entry: placing, token: 'ana', body: {} })).toBe('admitted')
  for (const body of bodies)
    expect((await ask({ entry: placing, token: 'ana', body })).code).toBe('RATE_LIMITED')
  expect((await ask({ entry: placing, token: 'ana', body: { extension: '1000' } })).code).toBe('admitted')
})

test('D103: extensions that do not exist have one counter of the user', async () => {
  const { ask, admission } = open()
  const { request, reply } = await ask({ entry: placing, token: 'ana', body: { extension: '1000' } })
  for (let n = 0; n < 15; n += 1) expect(admission.countUnknownExtension(request, reply)).toBe(undefined)
  expect(() => admission.countUnknownExtension(request, reply)).toThrow(Refusal)
  const bia = await ask({ entry: placing, token: 'bia', body: { extension: '1000' } })
  expect(admission.countUnknownExtension(bia.request, bia.reply)).toBe(undefined)
  const nobody = await ask({ entry: status })
  for (let n = 0; n < 99; n += 1) admission.countUnknownExtension(nobody.request, nobody.reply)
})

test('unknown routes count together, by address', async () => {
  const { ask, last } = open()
  expect(await last(61, { entry: undefined })).toBe('RATE_LIMITED')
  expect((await ask({ entry: undefined, address: '192.0.2.2' })).code).toBe('admitted')
  expect((await ask({ entry: status })).code).toBe('admitted')
})

test('D297: a session has one counter for all that pages load, and is counted by its user', async () => {
  const { ask, last } = open()
  for (let n = 0; n < 100; n += 1)
    for (const entry of [reading, other, listing])
      expect((await ask({ entry, cookie: 'session' })).code).toBe('admitted')
  for (const entry of [reading, listing])
    expect((await ask({ entry, cookie: 'session' })).code).toBe('RATE_LIMITED')
  expect((await ask({ entry: reading, cookie: 'session', address: '192.0.2.2' })).code).toBe('RATE_LIMITED')
  expect((await ask({ entry: hangingUp, cookie: 'session' })).headers['ratelimit-limit']).toBe(30)
  // A program of the same user, and a header beside the cookie, count as programs do.
  expect((await ask({ entry: reading, token: 'ana', cookie: 'session' })).headers['ratelimit-limit']).toBe(60)
  expect(await last(61, { entry: status, cookie: 'session' })).toBe('RATE_LIMITED')
})

test('D297: a cookie that is no session is counted by address, and refused', async () => {
  const { ask, last } = open()
  expect((await ask({ entry: reading, cookie: 'nobody' })).code).toBe('INVALID_TOKEN')
  expect(await last(61, { entry: reading, cookie: 'nobody' })).toBe('RATE_LIMITED')
})

test('D471: an account is limited however many addresses it uses; expensive routes count more, sessions apart', async () => {
  const { ask, timers } = open()
  let address = 0
  const next = (entry: AnyEntry, token = 'ana') =>
    ask({ entry, token, address: `10.${address >> 16}.${(address >> 8) & 255}.${address++ & 255}` })
  const heavy: AnyEntry = { ...reading, weight: 10 }
  for (let n = 0; n < 299; n += 1) expect((await next(heavy)).code).toBe('admitted')
  for (let n = 0; n < 10; n += 1) expect((await next(reading)).code).toBe('admitted')
  const { code, error, headers } = await next(reading, 'bia')
  expect([code, error?.retryAfter, headers['ratelimit-remaining']]).toEqual(['RATE_LIMITED', 60, 59])
  expect((await next(reading, 'otherAccount')).code).toBe('admitted')
  expect((await ask({ entry: hangingUp, token: 'ana' })).code).toBe('admitted')
  expect((await ask({ entry: reading, cookie: 'session' })).code).toBe('admitted')
  for (let n = 0; n < 599; n += 1) expect((await next(heavy)).code).toBe('RATE_LIMITED')
  const late = next(heavy)
  expect(timers.waiting()).toBe(1)
  timers.advance(500)
  expect((await late).code).toBe('RATE_LIMITED')
})

test('without counters nothing is limited', async () => {
  const { last, ask, admission } = open({ isCounting: false })
  expect(await last(100, { entry: reading, token: 'ana' })).toBe('admitted')
  const { request, reply, headers } = await ask({ entry: placing, token: 'ana', body: {} })
  expect(headers).toEqual({})
  expect(admission.countUnknownExtension(request, reply)).toBe(undefined)
})
