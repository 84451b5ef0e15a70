/** Operators with names (D648), as they come to their session: by a set-up link, an authenticator app and a log-in. */
import { expect } from 'vitest'
import { appCode } from './authenticator.ts'
import { type Answer, createClient, fetchAsOperator } from './client.ts'
import { password } from './people.ts'
import type { Service } from './service.ts'

export const sameOrigin = { 'sec-fetch-site': 'same-origin' }

/** The routes of the operator, with the operator token. */
export const withOperatorToken = (service: Service) =>
  createClient(`${service.url}/operator/api`, fetchAsOperator(service.app.operatorToken?.token ?? ''))

/** The same, as a browser of nobody. */
export const asBrowser = (service: Service) => createClient(`${service.url}/operator/api`)

/** The part of a set-up link that is sent. */
export const tokenIn = (link: string) => link.split('#')[1] ?? ''

export async function addOperator(service: Service, email: string, name = 'Rita Campos') {
  const { status, body } = await withOperatorToken(service).post('/operators', { name, email })
  expect(status).toBe(200)
  return body as { id: number; email: string; link: string }
}

/** Uses the link up. Returns the secret of the app and the recovery codes. */
export async function setUp(service: Service, link: string, chosen = password) {
  const form = { headers: sameOrigin }
  const begun = await asBrowser(service).post('/set-up/begin', { link: tokenIn(link) }, form)
  expect(begun.status).toBe(200)
  const secret = begun.body.secret as string
  const code = appCode(secret, service.clock.now())
  const body = { link: tokenIn(link), password: chosen, code }
  const finished = await asBrowser(service).post('/set-up', body, form)
  expect(finished.status).toBe(200)
  return { secret, recoveryCodes: finished.body.recoveryCodes as string[] }
}

export const logIn = (service: Service, body: { email: string; password: string; code?: string }) =>
  asBrowser(service).post('/login', body, { headers: sameOrigin })

/** As the browser sends it after a log-in. */
export const sessionOf = ({ headers }: Answer) => {
  const cookie = headers
    .getSetCookie()
    .map((one) => one.split(';', 1)[0])
    .join('; ')
  return { headers: { cookie, ...sameOrigin } }
}

/** An operator who has logged in. */
export async function startOperator(service: Service, email: string, name?: string) {
  const { id, link } = await addOperator(service, email, name)
  const { secret, recoveryCodes } = await setUp(service, link)
  // The code of the set-up is used up.
  service.clock.advance(30)
  const answer = await logIn(service, { email, password, code: appCode(secret, service.clock.now()) })
  expect(answer.status).toBe(200)
  return { id, email, secret, recoveryCodes, session: sessionOf(answer) }
}
