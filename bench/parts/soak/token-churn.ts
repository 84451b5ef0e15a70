/** Access tokens that are made, used and then revoked, logged out or left to expire; and logins with the password. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { FullService } from '../full-service/full-service.ts'
import { patiently } from '../full-service/patiently.ts'
import { api, password } from '../service.ts'

type Options = {
  service: FullService
  email: string
  fail(text: string): void
  isOver: () => boolean
}

const pauseMs = 1_000
/** Long enough for a busy machine to use it. */
const ttlSeconds = 20
const turnsPerLogin = 30
const ends = ['is revoked', 'logs out', 'expires'] as const

/** Returns how many tokens there were. */
export async function churnTokens({ service, email, fail, isOver }: Options): Promise<number> {
  let turn = 0
  /** `at`: when the token has expired, for certain: its life began before. */
  const expiring: { id: string; at: number }[] = []
  for (; !isOver(); turn += 1) {
    const end = ends[turn % ends.length] ?? 'expires'
    try {
      const maker = turn % turnsPerLogin === 0 ? await logIn() : service.token
      await live(maker, end)
      await checkExpired()
      if (maker !== service.token) expect(204, await ask(maker, 'POST', '/users/logout'))
    } catch (error) {
      fail(`a token that ${end}: ${error}`)
    }
    await sleep(pauseMs)
  }
  return turn

  async function logIn(): Promise<string> {
    const { status, body } = await ask('', 'POST', '/users/login', { email, password })
    expect(200, { status })
    return (body as { id: string }).id
  }

  async function live(maker: string, end: (typeof ends)[number]) {
    const ttl = end === 'expires' ? ttlSeconds : 600
    const made = await ask(maker, 'POST', '/users/accessTokens', { ttl, name: 'soak' })
    expect(200, made)
    const { id } = made.body as { id: string }
    const listed = await ask(id, 'GET', '/users/accessTokens')
    expect(200, listed)
    const { ref } = (listed.body as { ref: string; current: boolean }[]).find(({ current }) => current) ?? {}
    if (end === 'is revoked') expect(200, await ask(service.token, 'DELETE', `/users/accessTokens/${ref}`))
    else if (end === 'logs out') expect(204, await ask(id, 'POST', '/users/logout'))
    else {
      expiring.push({ id, at: performance.now() + ttlSeconds * 1000 })
      return
    }
    expect(401, await ask(id, 'GET', '/users/accessTokens'))
  }

  async function checkExpired() {
    while (expiring[0] && expiring[0].at < performance.now()) {
      const { id } = expiring[0]
      expiring.shift()
      expect(401, await ask(id, 'GET', '/users/accessTokens'))
    }
  }

  async function ask(token: string, method: string, path: string, body?: unknown) {
    const headers = {
      ...(token !== '' && { authorization: token }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    const text = body === undefined ? null : JSON.stringify(body)
    const response = await patiently(() =>
      fetch(`${service.url}${api}${path}`, { method, headers, body: text }),
    )
    const answer = await response.text()
    return { status: response.status, body: answer === '' ? undefined : (JSON.parse(answer) as unknown) }
  }
}

function expect(status: number, answer: { status: number; body?: unknown }) {
  if (answer.status !== status) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
}
