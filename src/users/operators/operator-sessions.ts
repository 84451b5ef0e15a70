/**
 * Log-ins of operators by e-mail, password and code, and their sessions (D648). Wrong passwords are counted as those of users
 * (D146), and recorded in the operator's log.
 */
import { refuse } from '../../contract/errors.ts'
import type { OperatorAction } from '../../contract/operator-log.ts'
import { type Clock, plusSeconds } from '../../kit/clock.ts'
import { randomBase62 } from '../../kit/ids.ts'
import { readEmail } from '../../kit/text/email.ts'
import type { Database } from '../../store/database.ts'
import { operatorToken } from '../audit/acting-operator.ts'
import { recordOperatorChange } from '../audit/operator-log.ts'
import type { Attempts } from '../login/attempts.ts'
import type { KnownBrowsers } from '../login/known-browsers.ts'
import type { LoginGuard, LoginPlace, LoginTry } from '../login/login-guard.ts'
import type { Passwords } from '../passwords/passwords.ts'
import { asBytes, hashToken, tokenLength } from '../tokens/token.ts'
import { keyOf, type Operator, sessionSeconds, toOperator } from './operator.ts'
import type { OperatorCodes } from './operator-codes.ts'
import {
  deleteEndedSessions,
  deleteSession,
  findByEmail,
  findBySession,
  findLocked,
  insertSession,
  type OperatorRow,
  updateOperator,
} from './operators-store.ts'

type Deps = {
  db: Database
  clock: Clock
  passwords: Passwords
  attempts: Attempts
  guard: LoginGuard
  browsers: KnownBrowsers
  codes: OperatorCodes
  onError: (error: unknown) => void
}

type LoginRequest = { email: string; password: string; code: string | undefined; place: LoginPlace }

/** `browser`: the mark of the browser from now on. */
type Begun = { token: string; operator: Operator; browser: string }

export function createOperatorSessions(deps: Deps) {
  const { db, clock, passwords, attempts, guard, browsers, codes, onError } = deps

  async function logIn({ email, password, code, place }: LoginRequest): Promise<Begun> {
    const address = readEmail(email) ?? email.trim().toLowerCase()
    const found = await findByEmail(db, address)
    const hash = found && found.off_since === null ? (found.password_hash ?? undefined) : undefined
    const tried = await guard.begin({
      // Apart from a user with the same e-mail.
      email: `operator ${address}`,
      user: found && { uuid: keyOf(found), passwordHash: hash },
      place,
    })
    await tried.check()
    const isRight = await passwords.matches(password, hash)
    if (!found || !isRight) {
      // Not awaited: the answer must take no longer for a known e-mail than for an unknown one.
      if (found) recordFailure(found, 'password', place).catch(onError)
      await tried.countFailure()
      throw refuse('LOGIN_FAILED')
    }
    // Again: of many guesses at once, none counts that comes after too many wrong ones.
    await tried.check()
    if (code === undefined) throw refuse('SECOND_FACTOR_REQUIRED')
    await tried.countCode()
    await codes.countGuess(found, code)
    const begun = await begin(found, tried, { code, place })
    if (begun) return begun
    await recordFailure(found, 'second factor', place)
    throw refuse('SECOND_FACTOR_FAILED')
  }

  /** Undefined if the code is wrong. */
  async function begin(
    found: OperatorRow,
    tried: LoginTry,
    { code, place }: { code: string; place: LoginPlace },
  ): Promise<Begun | undefined> {
    const token = randomBase62(tokenLength)
    const now = clock.now()
    return await db.transaction().execute(async (tx) => {
      // Locked: a reset ends all sessions, also one that begins at the same moment with the old password.
      const locked = await findLocked(tx, found.id)
      if (locked?.password_hash !== found.password_hash || locked?.off_since !== null) {
        throw refuse('LOGIN_FAILED')
      }
      if (!(await codes.take(tx, locked, code))) return undefined
      await insertSession(tx, {
        hash: asBytes(hashToken(token)),
        operator_id: locked.id,
        created_at: now,
        expires_at: plusSeconds(now, sessionSeconds),
      })
      const row = await updateOperator(tx, locked.id, { last_login_at: now })
      await tried.succeeded(tx)
      await record(tx, 'operator.logged-in', row, { address: place.address })
      const browser = browsers.remember(place.browser, keyOf(row))
      return { token, operator: toOperator(row), browser }
    })
  }

  async function find(token: string): Promise<Operator | undefined> {
    const row = await findBySession(db, asBytes(hashToken(token)), clock.now())
    return row && toOperator(row)
  }

  async function logOut(operator: Operator, token: string) {
    await db.transaction().execute(async (tx) => {
      if (await deleteSession(tx, asBytes(hashToken(token))))
        await record(tx, 'operator.logged-out', operator)
    })
  }

  /** D669: a session with the operator token is signed and stored nowhere, so the log alone knows that it began or ended. */
  async function recordTokenSession(action: 'operator.logged-in' | 'operator.logged-out', address: string) {
    await recordOperatorChange(db, {
      at: clock.now(),
      action,
      operator: operatorToken,
      details: { address },
    })
  }

  /** D650: the own password again, before a change of who may operate. A stolen session alone is not enough. */
  async function confirm(operator: Operator, password: string | undefined) {
    if (password === undefined) throw refuse('REAUTHENTICATION_REQUIRED')
    await attempts.check('password', keyOf(operator))
    const row = await findByEmail(db, operator.email)
    if (!(await passwords.matches(password, row?.password_hash ?? undefined))) {
      await record(db, 'operator.password-wrong', operator)
      await attempts.count('password', keyOf(operator))
      throw refuse('INVALID_PASSWORD')
    }
    // Again: of many guesses at once, none counts that comes after too many wrong ones.
    await attempts.check('password', keyOf(operator))
    await attempts.clear(db, 'password', keyOf(operator))
  }

  const recordFailure = ({ email }: OperatorRow, wrong: string, { address }: LoginPlace) =>
    recordOperatorChange(db, {
      at: clock.now(),
      action: 'operator.login-failed',
      operator: email,
      subject: email,
      details: { wrong, address },
    })

  const record = (
    tx: Database,
    action: OperatorAction,
    { email }: { email: string },
    details: Record<string, unknown> = {},
  ) => recordOperatorChange(tx, { at: clock.now(), action, operator: email, subject: email, details })

  return {
    logIn,
    find,
    logOut,
    recordTokenSession,
    confirm,
    sweep: () => deleteEndedSessions(db, clock.now()),
  }
}
export type OperatorSessions = ReturnType<typeof createOperatorSessions>
