/** What a request is authenticated by: the token in its Authorization header, or the cookie of a console session. */
import type { FastifyRequest } from 'fastify'
import type { TokenKind } from '../../contract/accounts/users.ts'
import { readToken } from './authorization.ts'
import type { SessionCookie } from './session-cookie.ts'

export type Credential = { token: string; kind: TokenKind }

/** A token in the header decides alone, whatever cookies the browser adds. */
export function readCredential(request: FastifyRequest, cookie: SessionCookie): Credential | undefined {
  const { authorization, cookie: cookies } = request.headers
  const token = readToken(authorization)
  if (token !== undefined) return { token, kind: 'token' }
  if (cookies === undefined || !isFromOwnOrigin(request)) return undefined
  const value = cookie.read(cookies)
  return value === undefined ? undefined : { token: value, kind: 'session' }
}

/**
 * D296: a page of ours sent the request. Browsers send Sec-Fetch-Site over HTTPS and to this machine; elsewhere the
 * Origin or, as GET has none, the Referer names the page.
 */
export function isFromOwnOrigin({ headers, host }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  const page = headers.origin ?? headers.referer
  return page !== undefined && URL.canParse(page) && new URL(page).host === host
}
