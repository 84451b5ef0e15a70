/**
 * D109, D320, D648: who may see the pages of the operator: named operators in their sessions, and the bearer of the operator
 * token, wherever a request comes from and whatever host it names, as a proxy may rewrite both. The token is in the Authorization
 * header, in a link that the service printed, or typed in the operator console; a browser gets a cookie for it. No user of an
 * account is an operator, and pages of another origin are refused.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { Clock } from '../../../kit/clock.ts'
import { addressBlock } from '../../../kit/networks.ts'
import { operatorToken } from '../../../users/audit/acting-operator.ts'
import { type Operator, sessionSeconds } from '../../../users/operators/operator.ts'
import type { OperatorSessions } from '../../../users/operators/operator-sessions.ts'
import type { Operators } from '../../../users/operators/operators.ts'
import type { RateCounters } from '../../limits/rate-counters.ts'
import { prefersHtml } from '../../pages/start-page.ts'
import { readToken, refuseToken } from '../../server/authorization.ts'
import { isFromOwnOrigin } from '../../server/credentials.ts'
import { createSessionCookie } from '../../server/session-cookie.ts'
import { isSameSecret } from '../same-secret.ts'
import { isTokenSession, isValidTokenSession, newTokenSession } from './operators/token-session.ts'

/** D146: how long a browser is known after a log-in. */
const browserSeconds = 365 * 86_400

const otherPage = {
  en: 'The operator console is used from its own page only.',
  pt: 'O console do operador só pode ser usado na própria página.',
}

type Deps = {
  /** The operator token; without one only named operators enter, and the pages are closed while there are none. */
  token: string | undefined
  isSecure: boolean
  clock: Clock
  rateCounters: RateCounters | undefined
  operators: Pick<Operators, 'exist'>
  sessions: Pick<OperatorSessions, 'logIn' | 'find' | 'logOut' | 'recordTokenSession' | 'confirm'>
}

/** The sender of a request. */
export type Actor =
  /** `isSent`: in the Authorization header of this request. */
  { by: 'token'; isSent: boolean } | { by: 'session'; operator: Operator; session: string }

type Login = { email: string; password: string; code: string | undefined }

export function createOperatorAccess(deps: Deps) {
  const { token, isSecure, clock, rateCounters, operators, sessions } = deps
  const cookie = createSessionCookie(isSecure, 'ramal-operator')
  const browserCookie = createSessionCookie(isSecure, 'ramal-operator-browser')
  const actors = new WeakMap<FastifyRequest, Actor>()

  /** Throws if the pages are closed. The page of the console without its data is no secret. */
  async function checkOpen() {
    if (token === undefined && !(await operators.exist())) throw refuse('ROUTE_NOT_FOUND')
  }

  /** Throws unless an operator sent the request. */
  async function check(request: FastifyRequest) {
    await checkOpen()
    if (isFromElsewhere(request)) throw refuse('FOREIGN_ORIGIN', { message: otherPage })
    actors.set(request, await identify(request))
  }

  async function identify(request: FastifyRequest): Promise<Actor> {
    if (await hasToken(request)) return { by: 'token', isSent: true }
    // A browser without Sec-Fetch-Site, Origin and Referer cannot show that our page sent it.
    const value = cookie.read(request.headers.cookie)
    if (value === undefined || !isFromOwnOrigin(request)) throw refuse('AUTHORIZATION_REQUIRED')
    const actor = await findActor(value)
    if (!actor) throw refuse('INVALID_TOKEN')
    return actor
  }

  async function findActor(value: string): Promise<Actor | undefined> {
    if (isTokenSession(value)) {
      const isValid = token !== undefined && isValidTokenSession(value, token, clock)
      return isValid ? { by: 'token', isSent: false } : undefined
    }
    const operator = await sessions.find(value)
    return operator && { by: 'session', operator, session: value }
  }

  /** The sender of a request that was checked. */
  function actorOf(request: FastifyRequest): Actor {
    const actor = actors.get(request)
    if (!actor) throw refuse('AUTHORIZATION_REQUIRED')
    return actor
  }

  /** For a page that changes nothing: also the cookie alone, as of a person who typed its address. */
  async function mayRead(request: FastifyRequest): Promise<boolean> {
    await checkOpen()
    const value = cookie.read(request.headers.cookie)
    return (value !== undefined && (await findActor(value)) !== undefined) || (await hasToken(request))
  }

  /** True with the right token in Authorization; throws with a wrong one. */
  async function hasToken(request: FastifyRequest): Promise<boolean> {
    const given = readToken(request.headers.authorization)
    if (given === undefined) return false
    if (token !== undefined && isSameSecret(given, token)) return true
    await countAttempt(request)
    throw refuseToken(given)
  }

  /**
   * A link with the token in its query. A browser gets the cookie, and is sent to the page without the token in its address:
   * `answered`. A program may go on: `entered`.
   */
  async function enter(
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<'answered' | 'entered' | undefined> {
    const { token: given } = request.query as { token?: unknown }
    if (token === undefined || typeof given !== 'string') return undefined
    if (!isSameSecret(given, token)) {
      await countAttempt(request)
      return undefined
    }
    if (!prefersHtml(request.headers.accept)) return 'entered'
    reply.header('Set-Cookie', await beginTokenSession(request, token)).header('Cache-Control', 'no-store')
    reply.redirect(request.url.split('?', 1)[0] ?? '/', 303)
    return 'answered'
  }

  /** The cookie. D669: no session without a record of it. */
  async function beginTokenSession({ address }: FastifyRequest, secret: string): Promise<string> {
    await sessions.recordTokenSession('operator.logged-in', address)
    return cookie.write(newTokenSession(secret, clock), sessionSeconds)
  }

  /** The cookie for the token that was typed. */
  async function signIn(request: FastifyRequest, given: string): Promise<string> {
    await checkForm(request)
    if (token === undefined || !isSameSecret(given, token)) throw refuse('INVALID_TOKEN')
    return await beginTokenSession(request, token)
  }

  /** The cookies of a session for e-mail, password and code. */
  async function logIn(request: FastifyRequest, { email, password, code }: Login) {
    await checkForm(request)
    const browser = browserCookie.read(request.headers.cookie)
    const place = { address: request.address, browser }
    const begun = await sessions.logIn({ email, password, code, place })
    return {
      operator: begun.operator,
      cookies: [
        cookie.write(begun.token, sessionSeconds),
        browserCookie.write(begun.browser, browserSeconds),
      ],
    }
  }

  /** Before a form that anybody can send. */
  async function checkForm(request: FastifyRequest) {
    await checkOpen()
    if (!isFromOwnOrigin(request)) throw refuse('FOREIGN_ORIGIN', { message: otherPage })
    await countAttempt(request)
  }

  /** Returns the cookie that ends it in the browser. */
  async function signOut(request: FastifyRequest): Promise<string> {
    const actor = actorOf(request)
    if (actor.by === 'session') await sessions.logOut(actor.operator, actor.session)
    else if (!actor.isSent) await sessions.recordTokenSession('operator.logged-out', request.address)
    return cookie.clear()
  }

  /** D650: before a change of who may operate. */
  async function confirm(actor: Actor, password: string | undefined) {
    if (actor.by === 'session') return await sessions.confirm(actor.operator, password)
    if (actor.isSent) return
    if (password === undefined) throw refuse('REAUTHENTICATION_REQUIRED')
    if (token === undefined || !isSameSecret(password, token)) throw refuse('INVALID_PASSWORD')
  }

  /** D103: as many as logins. */
  async function countAttempt(request: FastifyRequest) {
    if (!rateCounters) return
    const { count, resetMs } = await rateCounters.hit('operator token', addressBlock(request.address))
    if (count <= limits.login.max) return
    throw refuse('RATE_LIMITED', { retryAfter: Math.max(1, Math.ceil(resetMs / 1000)) })
  }

  return {
    hasToken: token !== undefined,
    checkOpen,
    check,
    checkForm,
    actorOf,
    mayRead,
    enter,
    signIn,
    logIn,
    signOut,
    confirm,
  }
}
export type OperatorAccess = ReturnType<typeof createOperatorAccess>

/** D649: as the logs name it. */
export const nameOf = (actor: Actor) => (actor.by === 'session' ? actor.operator.email : operatorToken)

/** A page of another origin sent it. Programs send none of these headers. */
function isFromElsewhere(request: FastifyRequest): boolean {
  const { 'sec-fetch-site': site, origin } = request.headers
  return (site !== undefined || origin !== undefined) && !isFromOwnOrigin(request)
}
