/**
 * The second factor of a user (D200), as the user turns it on and off:
 *
 *   none ──▶ begun (a secret is shown) ──▶ enabled (by a first right code) ──▶ none
 *
 * Every step but the code asks again who is there (D202).
 */
import { refuse } from '../../contract/errors.ts'
import { type Clock, plusSeconds } from '../../kit/clock.ts'
import { readEmail } from '../../kit/text/email.ts'
import type { Outbox } from '../../mail/outbox.ts'
import type { Database } from '../../store/database.ts'
import { type Action, recordAudit } from '../audit/audit.ts'
import type { Caller } from '../caller.ts'
import type { Credentials, Reauthentication } from '../login/reauthentication.ts'
import type { User } from '../user.ts'
import { findAddressee, findUserByEmail, findUserLocked } from '../users-store.ts'
import { toBase32 } from './base32.ts'
import type { CodeCheck } from './code-check.ts'
import { issuer } from './factor-secrets.ts'
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.ts'
import { type SecondFactorChange, secondFactorMail } from './second-factor-mails.ts'
import {
  countRecoveryCodes,
  deleteSecondFactor,
  findSecondFactor,
  replaceRecoveryCodes,
  replaceSecret,
} from './second-factors-store.ts'
import { newSecret, otpauthUri } from './totp.ts'

/** A secret that was shown and not enabled within this time has to be asked for again. */
const enrolmentSeconds = 1800

type Deps = {
  db: Database
  clock: Clock
  outbox: Outbox
  codeCheck: CodeCheck
  reauthentication: Reauthentication
}

type Holder = NonNullable<Awaited<ReturnType<typeof findUserLocked>>>

const actions: Record<Exclude<SecondFactorChange, 'code-used'>, Action> = {
  enabled: 'user.second-factor-enabled',
  disabled: 'user.second-factor-disabled',
  'codes-renewed': 'user.recovery-codes-renewed',
}

export function createSecondFactors({ db, clock, outbox, codeCheck, reauthentication }: Deps) {
  async function show({ user }: Caller) {
    const factor = await findSecondFactor(db, user.id)
    const enabledAt = factor?.enabled_at ?? null
    const codesLeft = enabledAt ? await countRecoveryCodes(db, user.id) : 0
    return { enabled: enabledAt !== null, enabledAt, codesLeft }
  }

  /** Shows a new secret, which is enabled by its first code. */
  async function begin(caller: Caller, credentials: Credentials) {
    const secret = newSecret()
    await changeLocked(caller, credentials, async (tx, { user }) => {
      if ((await findSecondFactor(tx, user.id))?.enabled_at) throw refuse('SECOND_FACTOR_ENABLED')
      await replaceSecret(tx, user.id, codeCheck.sealSecret(secret), clock.now())
    })
    return { secret: toBase32(secret), otpauthUri: otpauthUri(secret, issuer, caller.user.email) }
  }

  /** Returns the recovery codes, which are shown only now. */
  async function enable({ user }: Caller, code: string): Promise<string[]> {
    await codeCheck.countGuess(user, code)
    const codes = newRecoveryCodes()
    await db.transaction().execute(async (tx) => {
      const holder = await lock(tx, user)
      const now = clock.now()
      const factor = await findSecondFactor(tx, user.id)
      if (factor?.enabled_at) throw refuse('SECOND_FACTOR_ENABLED')
      if (!factor || plusSeconds(factor.created_at, enrolmentSeconds) <= now) {
        throw refuse('SECOND_FACTOR_NOT_BEGUN')
      }
      if (!(await codeCheck.takeStep(tx, user, factor, code, now))) throw refuse('INVALID_CODE')
      await storeCodes(tx, user.id, codes)
      await announce(tx, holder, 'enabled', user.email)
    })
    outbox.wake()
    return codes
  }

  /** The earlier recovery codes stop working. */
  async function renewCodes(caller: Caller, credentials: Credentials): Promise<string[]> {
    const codes = newRecoveryCodes()
    await changeLocked(caller, credentials, async (tx, holder) => {
      if (!(await findSecondFactor(tx, holder.user.id))?.enabled_at) throw refuse('SECOND_FACTOR_NOT_ENABLED')
      await storeCodes(tx, holder.user.id, codes)
      await announce(tx, holder, 'codes-renewed', holder.user.email)
    })
    return codes
  }

  async function disable(caller: Caller, credentials: Credentials) {
    await changeLocked(caller, credentials, async (tx, holder) => {
      if (!(await turnOff(tx, holder, holder.user.email))) throw refuse('SECOND_FACTOR_NOT_ENABLED')
    })
  }

  /** For a user who lost phone and recovery codes. Undefined if there is no such user, false if it was off. */
  async function disableByOperator(address: string): Promise<boolean | undefined> {
    const found = await findUserByEmail(db, readEmail(address) ?? '')
    if (!found) return undefined
    const wasEnabled = await db.transaction().execute(async (tx) => {
      const holder = await findUserLocked(tx, found.user.id)
      return holder && (await turnOff(tx, holder, null))
    })
    outbox.wake()
    return wasEnabled
  }

  /** Joins the caller's transaction, in which the user is locked. The actor is null for the operator. */
  async function turnOff(tx: Database, holder: Holder, actor: string | null): Promise<boolean> {
    if (!(await deleteSecondFactor(tx, holder.user.id))) return false
    await announce(tx, holder, 'disabled', actor)
    return true
  }

  async function changeLocked(
    caller: Caller,
    credentials: Credentials,
    change: (tx: Database, holder: Holder) => Promise<void>,
  ) {
    const finish = await reauthentication.begin(caller, credentials)
    await db.transaction().execute(async (tx) => {
      const holder = await lock(tx, caller.user)
      await finish(tx, holder)
      await change(tx, holder)
    })
    outbox.wake()
  }

  async function lock(tx: Database, { id }: User): Promise<Holder> {
    const holder = await findUserLocked(tx, id)
    if (!holder) throw refuse('INVALID_TOKEN')
    return holder
  }

  async function storeCodes(tx: Database, userId: number, codes: string[]) {
    await replaceRecoveryCodes(
      tx,
      userId,
      codes.flatMap((code) => hashRecoveryCode(code) ?? []),
    )
  }

  async function announce(
    tx: Database,
    { user, accountId }: Holder,
    change: keyof typeof actions,
    actor: string | null,
  ) {
    await outbox.post(tx, secondFactorMail(change, await findAddressee(tx, user.id)))
    await recordAudit(tx, {
      accountId,
      at: clock.now(),
      action: actions[change],
      actor,
      subject: user.email,
    })
  }

  return { show, begin, enable, renewCodes, disable, disableByOperator, turnOff }
}
export type SecondFactors = ReturnType<typeof createSecondFactors>
