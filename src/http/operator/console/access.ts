/**
 * D320: who may use the operator console. Without OPERATOR_TOKEN, users of this machine, as D109 has it for `/metrics`.
 * With it, the bearer of the token alone: in the Authorization header, or in the cookie that the console gets for it. No
 * user of an account is an operator, and pages of another origin are refused.
 */
import { createHmac } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { refuse } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { Clock } from '../../../kit/clock.ts'
import { addressBlock } from '../../../kit/networks.ts'
import type { RateCounters } from '../../limits/rate-counters.ts'
import { readToken } from '../../server/authorization.ts'
import { isFromOwnOrigin } from '../../server/credentials.ts'
import { createSessionCookie } from '../../server/session-cookie.ts'
import { isFromThisMachine } from '../../server/this-machine.ts'
import { isSameSecret } from '../same-secret.ts'

const sessionSeconds = 12 * 3_600

const otherPage = {
  en: 'The operator console is used from its own page only.',
  pt: 'O console do operador só pode ser usado na própria página.',
}

type Deps = {
  /** OPERATOR_TOKEN */
  token: string | undefined
  /** D109: HOST and PUBLIC_URL are loopback addresses. */
  operatorPages: boolean
  isSecure: boolean
  clock: Clock
  rateCounters: RateCounters | undefined
}

export function createOperatorAccess({ token, operatorPages, isSecure, clock, rateCounters }: Deps) {
  const cookie = createSessionCookie(isSecure, 'ramal-operator')

  const isAtMachine = (request: FastifyRequest) => operatorPages && isFromThisMachine(request)

  /** Throws if there is no operator console for this request. The page without its data is no secret. */
  function checkOpen(request: FastifyRequest) {
    if (token === undefined && !isAtMachine(request)) throw refuse('ROUTE_NOT_FOUND')
  }

  /** Throws unless the operator sent the request. */
  async function check(request: FastifyRequest) {
    checkOpen(request)
    if (isFromElsewhere(request)) throw refuse('FOREIGN_ORIGIN', { message: otherPage })
    if (token === undefined) return
    const { authorization, cookie: cookies } = request.headers
    const given = readToken(authorization)
    if (given !== undefined) {
      if (isSameSecret(given, token)) return
      await countFailure(request)
      throw refuse('INVALID_TOKEN')
    }
    const value = cookie.read(cookies)
    // A browser without Sec-Fetch-Site, Origin and Referer cannot show that our page sent it.
    if (value === undefined || !isFromOwnOrigin(request)) throw refuse('AUTHORIZATION_REQUIRED')
    if (!isValid(value, token)) throw refuse('INVALID_TOKEN')
  }

  /** The cookie for the token that was typed. */
  async function signIn(request: FastifyRequest, given: string): Promise<string> {
    checkOpen(request)
    if (!isFromOwnOrigin(request)) throw refuse('FOREIGN_ORIGIN', { message: otherPage })
    if (token === undefined) throw refuse('ROUTE_NOT_FOUND')
    await countFailure(request)
    if (!isSameSecret(given, token)) throw refuse('INVALID_TOKEN')
    const end = Math.floor(clock.now().getTime() / 1000) + sessionSeconds
    return cookie.write(`${end}.${sign(end, token)}`, sessionSeconds)
  }

  /** D103: as many as logins. */
  async function countFailure(request: FastifyRequest) {
    if (!rateCounters) return
    const { count, resetMs } = await rateCounters.hit(`operator token|${addressBlock(request.address)}`)
    if (count <= limits.login.max) return
    throw refuse('RATE_LIMITED', { retryAfter: Math.max(1, Math.ceil(resetMs / 1000)) })
  }

  function isValid(value: string, secret: string): boolean {
    const [end = '', signature = ''] = value.split('.')
    if (!/^\d{1,12}$/.test(end) || Number(end) * 1000 <= clock.now().getTime()) return false
    return isSameSecret(signature, sign(Number(end), secret))
  }

  return {
    by: token === undefined ? ('machine' as const) : ('token' as const),
    checkOpen,
    check,
    signIn,
    signOut: cookie.clear,
  }
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
