/** The session of the web console (D296): a cookie in place of an access token, and what the console needs to begin. */

import type { Accounts } from '../../../accounts/accounts.ts'
import type { Ledger } from '../../../billing/ledger/ledger.ts'
import { ListedToken } from '../../../contract/accounts/users.ts'
import { NewSession, Session } from '../../../contract/console.ts'
import { refuse } from '../../../contract/errors.ts'
import { Type } from '../../../contract/schema/type.ts'
import { type Clock, plusSeconds } from '../../../kit/clock.ts'
import type { Caller } from '../../../users/caller.ts'
import type { Login } from '../../../users/login/login.ts'
import { may } from '../../../users/permissions.ts'
import { hasScope } from '../../../users/scopes.ts'
import type { Callers } from '../../../users/tokens/callers.ts'
import type { Tokens } from '../../../users/tokens/tokens.ts'
import { type AnyEntry, entry } from '../../entry.ts'
import type { SessionCookie } from '../../server/session-cookie.ts'
import { version } from '../../version.ts'
import { presentBalance } from '../money/credits.ts'
import { presentUser } from './users.ts'

const tag = 'Console'

/** D296: how long a session lasts after its last use. */
const keptSeconds = 14 * 86_400
const shortSeconds = 12 * 3_600

export const maxUserAgentLength = 300

/** D146: how long a browser is known after a login. */
const browserSeconds = 365 * 86_400

export type ConsoleDeps = {
  accounts: Accounts
  ledger: Ledger
  login: Login
  callers: Callers
  tokens: Tokens
  clock: Clock
  cookie: SessionCookie
  /** D146: of a browser in which somebody has logged in. */
  browserCookie: SessionCookie
  features: () => Type.Static<typeof Session>['features']
}

export function consoleSessionRoutes(deps: ConsoleDeps): AnyEntry[] {
  const { login, callers, tokens, cookie, browserCookie } = deps
  return [
    entry({
      method: 'POST',
      path: '/console/session',
      tag,
      about: 'Begin a session of the web console: a cookie that only pages of this service can use',
      may: 'anyone',
      limit: 'login',
      body: NewSession,
      reply: Session,
      errors: [
        'USERNAME_EMAIL_REQUIRED',
        'LOGIN_FAILED',
        'LOGIN_FAILED_EMAIL_NOT_VERIFIED',
        'ACCOUNT_SUSPENDED',
        'SECOND_FACTOR_REQUIRED',
        'SECOND_FACTOR_FAILED',
        'FOREIGN_ORIGIN',
      ],
      refuseBody: (fields) =>
        fields.every((field) => field === 'code' || field === 'keep')
          ? undefined
          : refuse('USERNAME_EMAIL_REQUIRED'),
      async run({ body: { email, password, code, keep }, headers, address, isFromOwnOrigin, setHeader }) {
        if (!isFromOwnOrigin()) throw refuse('FOREIGN_ORIGIN')
        if (email.trim() === '' || password === '') throw refuse('USERNAME_EMAIL_REQUIRED')
        const ttl = keep ? keptSeconds : shortSeconds
        const userAgent = headers['user-agent']?.slice(0, maxUserAgentLength).toString()
        const browser = browserCookie.read(headers.cookie?.toString())
        const { id, userId } = await login.login({
          email,
          password,
          ttl,
          code,
          place: { address, browser },
          session: { userAgent, address },
        })
        const caller = await callers.find(id, address, 'session')
        if (!caller) throw refuse('LOGIN_FAILED')
        setHeader('Set-Cookie', cookieFor(cookie, id, ttl))
        setHeader('Set-Cookie', browserCookie.write(login.rememberBrowser(browser, userId), browserSeconds))
        return await describeSession(deps, caller)
      },
    }),
    entry({
      method: 'GET',
      path: '/console/session',
      tag,
      about:
        'Who you are, your account, its credit and what the service offers; renews the cookie of a session',
      may: 'users.read-own',
      scope: 'any',
      limit: 'other',
      reply: Session,
      async run({ caller, credential, setHeader }) {
        const sent = credential()
        if (caller.session && sent) {
          setHeader('Set-Cookie', cookieFor(cookie, sent.token, caller.session.ttl))
        }
        return await describeSession(deps, caller)
      },
    }),
    entry({
      method: 'DELETE',
      path: '/console/session',
      tag,
      about: 'End the session of the web console',
      endsSession: true,
      may: 'users.read-own',
      scope: 'any',
      limit: 'other',
      reply: Type.Object({ ref: ListedToken.properties.ref }),
      errors: ['TOKEN_NOT_FOUND'],
      async run({ caller, setHeader }) {
        await tokens.endSession(caller)
        setHeader('Set-Cookie', cookie.clear())
        return { ref: caller.tokenRef }
      },
    }),
  ]
}

/** The cookie of a short session ends with the browser, too. */
function cookieFor(cookie: SessionCookie, value: string, ttl: number): string {
  return ttl === keptSeconds ? cookie.write(value, ttl) : cookie.write(value)
}

async function describeSession(
  { accounts, ledger, clock, features }: ConsoleDeps,
  caller: Caller,
): Promise<Type.Static<typeof Session>> {
  const maySeeCredit = may(caller, 'credits.read') && hasScope(caller, 'billing')
  const [{ uuid, domain, name, timeZone, language, callVisibility }, credit] = await Promise.all([
    accounts.read(caller),
    maySeeCredit ? ledger.balance(caller) : undefined,
  ])
  return {
    user: presentUser(caller.user),
    account: { uuid, domain, name, timeZone, language, callVisibility },
    balance: credit ? presentBalance(credit) : null,
    session: caller.session
      ? {
          ref: caller.tokenRef,
          keep: caller.session.ttl === keptSeconds,
          expires: (caller.lookIn?.until ?? plusSeconds(clock.now(), caller.session.ttl)).toISOString(),
        }
      : null,
    lookIn: caller.lookIn ? { reason: caller.lookIn.reason, until: caller.lookIn.until.toISOString() } : null,
    features: { ...features(), ...(caller.lookIn && { webPhone: null }) },
    version,
  }
}
