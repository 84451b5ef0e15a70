/**
 * Login: exchanges e-mail and password, and the code of a second factor (D201), for an access token (D51), unless too many
 * failed for that e-mail there (D146), or the account is suspended (D616), which only the right password learns.
 */
import { refuse } from '../../contract/errors.ts'
import type { Clock } from '../../kit/clock.ts'
import { readEmail } from '../../kit/text/email.ts'
import type { Outbox } from '../../mail/outbox.ts'
import type { Database } from '../../store/database.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Confirmations } from '../links/confirmations.ts'
import type { Passwords } from '../passwords/passwords.ts'
import type { CodeCheck } from '../second-factor/code-check.ts'
import type { Callers } from '../tokens/callers.ts'
import { readTtl } from '../tokens/token.ts'
import type { NewSession, Tokens } from '../tokens/tokens.ts'
import { findUserByEmail, findUserLocked, updateUser } from '../users-store.ts'
import type { KnownBrowsers } from './known-browsers.ts'
import type { LoginGuard, LoginPlace, LoginTry } from './login-guard.ts'

type Deps = {
  db: Database
  clock: Clock
  passwords: Passwords
  tokens: Tokens
  callers: Callers
  confirmations: Confirmations
  guard: LoginGuard
  browsers: KnownBrowsers
  codeCheck: CodeCheck
  outbox: Outbox
  onError: (error: unknown) => void
}

type LoginRequest = {
  email: string
  password: string
  ttl: number | undefined
  code: string | undefined
  place: LoginPlace
  /** A session of the console begins, in place of a token for programs. */
  session?: NewSession | undefined
}

export function createLogin({
  db,
  clock,
  passwords,
  tokens,
  callers,
  confirmations,
  guard,
  browsers,
  codeCheck,
  outbox,
  onError,
}: Deps) {
  async function login({ email, password, ttl, code, place, session }: LoginRequest) {
    readTtl(ttl)
    const address = readEmail(email) ?? email.trim().toLowerCase()
    const found = await findUserByEmail(db, address)
    const user = found && { uuid: found.user.uuid, passwordHash: found.passwordHash }
    const tried = await guard.begin({ email: address, user, place })
    await tried.check()
    const isRight = await passwords.matches(password, found?.passwordHash)
    if (!found || !isRight) {
      if (found) recordFailure(found)
      await tried.countFailure()
      throw refuse('LOGIN_FAILED')
    }
    // Again: of many guesses at once, none counts that comes after too many wrong ones.
    await tried.check()
    if (!found.active) {
      await confirmations.renew(found.user)
      throw refuse('LOGIN_FAILED_EMAIL_NOT_VERIFIED')
    }
    if (found.isSuspended) throw refuse('ACCOUNT_SUSPENDED')
    if (code !== undefined) {
      // Counted before it is checked; a right one clears both counts.
      await tried.countCode()
      await codeCheck.countGuess(found.user, code)
    }
    return await issueToken(found, tried, { ttl, code, session })
  }

  type FoundUser = NonNullable<Awaited<ReturnType<typeof findUserByEmail>>>

  async function issueToken(
    found: FoundUser,
    tried: LoginTry,
    { ttl, code, session }: Pick<LoginRequest, 'ttl' | 'code' | 'session'>,
  ) {
    const { user, accountId, passwordHash } = found
    const token = await db.transaction().execute(async (tx) => {
      // Locked: a new password ends all tokens, also one that is issued at the same moment for the old password.
      const locked = await findUserLocked(tx, user.id)
      if (!locked || locked.passwordHash !== passwordHash) throw refuse('LOGIN_FAILED')
      const factor = await codeCheck.check(tx, locked, code)
      if (factor === 'missing') throw refuse('SECOND_FACTOR_REQUIRED')
      if (factor === 'wrong') {
        recordFailure(found, { reason: 'second factor' })
        throw refuse('SECOND_FACTOR_FAILED')
      }
      const issued = await tokens.issue(tx, user.id, { ttl, fromLogin: true, session })
      await updateUser(tx, user.id, { last_login_at: issued.created })
      await tried.succeeded(tx, user.id)
      await callers.announceChange(tx, user.id)
      await recordAudit(tx, {
        accountId,
        at: issued.created,
        action: session ? 'session.started' : 'login.succeeded',
        actor: user.email,
        details: { lastFour: issued.id.slice(-4), ...session },
      })
      return issued
    })
    callers.forget(user.id)
    outbox.wake()
    return { ...token, userId: user.uuid, user: { ...user, lastLoginAt: token.created } }
  }

  /** Not awaited: the answer must take no longer for a known e-mail than for an unknown one. */
  function recordFailure({ user, accountId }: FoundUser, details = {}) {
    recordAudit(db, {
      accountId,
      at: clock.now(),
      action: 'login.failed',
      actor: null,
      subject: user.email,
      details,
    }).catch(onError)
  }

  return { login, rememberBrowser: browsers.remember }
}
export type Login = ReturnType<typeof createLogin>
