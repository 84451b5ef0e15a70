/**
 * D109, D320: who may see the pages of the operator: the bearer of the operator token alone, wherever a request comes from and
 * whatever host it names, as a proxy may rewrite both. The token is in the Authorization header, in a link that the service
 * printed, or typed in the operator console; a browser gets a cookie for it. No user of an account is an operator, and
 * pages of another origin are refused.
 */
import { createHmac } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { Clock } from '../../../kit/clock.ts'
import { addressBlock } from '../../../kit/networks.ts'
import type { RateCounters } from '../../limits/rate-counters.ts'
import { prefersHtml } from '../../pages/start-page.ts'
import { readToken, refuseToken } from '../../server/authorization.ts'
import { isFromOwnOrigin } from '../../server/credentials.ts'
import { createSessionCookie } from '../../server/session-cookie.ts'
import { isSameSecret } from '../same-secret.ts'

const sessionSeconds = 12 * 3_600

const otherPage = {
  en: 'The operator console is used from its own page only.',
  pt: 'O console do operador só pode ser usado na própria página.',
}

type Deps = {
  /** The operator token; undefined if the pages are closed. */
  token: string | undefined
  isSecure: boolean
  clock: Clock
  rateCounters: RateCounters | undefined
}

export function createOperatorAccess({ token, isSecure, clock, rateCounters }: Deps) {
  const cookie = createSessionCookie(isSecure, 'ramal-operator')

  /** Throws if the pages are closed. The page of the console without its data is no secret. */
  function checkOpen() {
    if (token === undefined) throw refuse('ROUTE_NOT_FOUND')
    return token
  }

  /** Throws unless the operator sent the request. */
  async function check(request: FastifyRequest) {
    checkOpen()
    if (isFromElsewhere(request)) throw refuse('FOREIGN_ORIGIN', { message: otherPage })
    if (await hasToken(request)) return
    // A browser without Sec-Fetch-Site, Origin and Referer cannot show that our page sent it.
    const value = cookie.read(request.headers.cookie)
    if (value === undefined || !isFromOwnOrigin(request)) throw refuse('AUTHORIZATION_REQUIRED')
    if (!isValid(value)) throw refuse('INVALID_TOKEN')
  }

  /** For a page that changes nothing: also the cookie alone, as of a person who typed its address. */
  async function mayRead(request: FastifyRequest): Promise<boolean> {
    checkOpen()
    const value = cookie.read(request.headers.cookie)
    return (value !== undefined && isValid(value)) || (await hasToken(request))
  }

  /** True with the right token in Authorization; throws with a wrong one. */
  async function hasToken(request: FastifyRequest): Promise<boolean> {
    const given = readToken(request.headers.authorization)
    if (given === undefined) return false
    if (isSameSecret(given, checkOpen())) return true
    await countFailure(request)
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
      await countFailure(request)
      return undefined
    }
    if (!prefersHtml(request.headers.accept)) return 'entered'
    reply.header('Set-Cookie', newCookie(token)).header('Cache-Control', 'no-store')
    reply.redirect(request.url.split('?', 1)[0] ?? '/', 303)
    return 'answered'
  }

  /** The cookie for the token that was typed. */
  async function signIn(request: FastifyRequest, given: string): Promise<string> {
    const secret = checkOpen()
    if (!isFromOwnOrigin(request)) throw refuse('FOREIGN_ORIGIN', { message: otherPage })
    await countFailure(request)
    if (!isSameSecret(given, secret)) throw refuse('INVALID_TOKEN')
    return newCookie(secret)
  }

  function newCookie(secret: string): string {
    const end = Math.floor(clock.now().getTime() / 1000) + sessionSeconds
    return cookie.write(`${end}.${sign(end, secret)}`, sessionSeconds)
  }

  /** D103: as many as logins. */
  async function countFailure(request: FastifyRequest) {
    if (!rateCounters) return
    const { count, resetMs } = await rateCounters.hit(`operator token|${addressBlock(request.address)}`)
    if (count <= limits.login.max) return
    throw refuse('RATE_LIMITED', { retryAfter: Math.max(1, Math.ceil(resetMs / 1000)) })
  }

  function isValid(value: string): boolean {
    const [end = '', signature = ''] = value.split('.')
    if (!/^\d{1,12}$/.test(end) || Number(end) * 1000 <= clock.now().getTime()) return false
    return isSameSecret(signature, sign(Number(end), checkOpen()))
  }

  return { isOpen: token !== undefined, checkOpen, check, mayRead, enter, signIn, signOut: cookie.clear }
}
export type OperatorAccess = ReturnType<typeof createOperatorAccess>

/** Nothing is stored: every process can check it, and another token ends all sessions. */
function sign(end: number, token: string): string {
  return createHmac('sha256', token).update(`operator console until ${end}`).digest('base64url')
}

/** A page of another origin sent it. Programs send none of these headers. */
function isFromElsewhere(request: FastifyRequest): boolean {
  const { 'sec-fetch-site': site, origin } = request.headers
  return (site !== undefined || origin !== undefined) && !isFromOwnOrigin(request)
}
