/**
 * Asks again who is there, before a change that locks the owner out (D202): by the current password and, if there is a
 * second factor, its code; or by a token that a login issued a few minutes ago. A stolen token alone is not enough.
 */
import { refuse } from '../../contract/errors.ts'
import type { Clock } from '../../kit/clock.ts'
import { plusSeconds } from '../../kit/clock.ts'
import type { Database } from '../../store/database.ts'
import type { Caller } from '../caller.ts'
import type { Passwords } from '../passwords/passwords.ts'
import type { CodeCheck } from '../second-factor/code-check.ts'
import { findSecondFactor } from '../second-factor/second-factors-store.ts'
import { hasToken } from '../tokens/tokens-store.ts'
import { findUserById, findUserLocked } from '../users-store.ts'
import type { Attempts } from './attempts.ts'

const freshLoginSeconds = 600

export type Credentials = { password?: string | undefined; code?: string | undefined }

type Holder = NonNullable<Awaited<ReturnType<typeof findUserLocked>>>

/** The rest of the check, in the transaction of the change, with the user locked. */
type Finish = (tx: Database, holder: Holder) => Promise<void>

type Deps = { db: Database; clock: Clock; passwords: Passwords; attempts: Attempts; codeCheck: CodeCheck }

export function createReauthentication({ db, clock, passwords, attempts, codeCheck }: Deps) {
  /** Compares the password, which takes too long for a transaction. */
  async function begin(caller: Caller, { password, code }: Credentials): Promise<Finish> {
    const { user } = caller
    if (password === undefined) {
      if (!isFresh(caller)) throw refuse('REAUTHENTICATION_REQUIRED')
      return (tx) => checkFreshLogin(tx, caller)
    }
    await attempts.check('password', user.uuid)
    const before = await findUserById(db, user.id)
    if (!(await passwords.matches(password, before?.passwordHash))) {
      await attempts.count('password', user.uuid)
      throw refuse('INVALID_PASSWORD')
    }
    // Again: of many guesses at once, none counts that comes after too many wrong ones.
    await attempts.check('password', user.uuid)
    if (code !== undefined) await codeCheck.countGuess(user, code)
    return async (tx, holder) => {
      // Another change came first: what was checked is no longer the current password.
      if (holder.passwordHash !== before?.passwordHash) throw refuse('INVALID_PASSWORD')
      const result = await codeCheck.check(tx, holder, code)
      if (result === 'wrong') throw refuse('INVALID_CODE')
      if (result === 'missing') await checkFreshLogin(tx, caller)
      await attempts.clear(tx, 'password', user.uuid)
    }
  }

  const isFresh = ({ loggedInAt }: Caller) =>
    loggedInAt !== undefined && plusSeconds(loggedInAt, freshLoginSeconds) > clock.now()

  /** A login before the second factor was enabled does not prove it. */
  async function checkFreshLogin(tx: Database, caller: Caller) {
    const { user, loggedInAt, tokenRef } = caller
    const enabledAt = (await findSecondFactor(tx, user.id))?.enabled_at
    const provesFactor = !enabledAt || (loggedInAt !== undefined && loggedInAt >= enabledAt)
    const isProven = isFresh(caller) && provesFactor && (await hasToken(tx, tokenRef))
    if (!isProven) throw refuse('REAUTHENTICATION_REQUIRED')
  }

  /** Before a change that locks more than the caller. */
  async function require(caller: Caller, credentials: Credentials) {
    const finish = await begin(caller, credentials)
    await db.transaction().execute(async (tx) => {
      const holder = await findUserLocked(tx, caller.user.id)
      if (!holder) throw refuse('INVALID_TOKEN')
      await finish(tx, holder)
    })
  }

  /** For changes that clients without a second factor make without credentials, as ever. */
  async function requireIfEnabled(caller: Caller, credentials: Credentials) {
    const isEnabled = Boolean((await findSecondFactor(db, caller.user.id))?.enabled_at)
    if (isEnabled || credentials.password !== undefined) await require(caller, credentials)
  }

  return { begin, requireIfEnabled }
}
export type Reauthentication = ReturnType<typeof createReauthentication>
