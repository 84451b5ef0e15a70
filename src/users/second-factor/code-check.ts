/**
 * Checks the code of a second factor (D201): of the authenticator app, or a recovery code, each of them once. Guesses at
 * codes of the app are counted for each user, also those of a thief who has the password; nobody guesses a recovery code.
 */
import type { Clock } from '../../kit/clock.ts'
import type { Outbox } from '../../mail/outbox.ts'
import type { Database } from '../../store/database.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Attempts } from '../login/attempts.ts'
import type { User } from '../user.ts'
import { findAddressee } from '../users-store.ts'
import type { FactorSecrets } from './factor-secrets.ts'
import { hashRecoveryCode, readCode } from './recovery-codes.ts'
import { secondFactorMail } from './second-factor-mails.ts'
import {
  countRecoveryCodes,
  findSecondFactor,
  takeRecoveryCode,
  updateSecondFactor,
} from './second-factors-store.ts'
import { isTotpCode } from './totp.ts'

type Deps = { clock: Clock; secrets: FactorSecrets; outbox: Outbox; attempts: Attempts }

/** A user whose row is locked, so that of two requests with the same code one is right. */
type Holder = { user: User; accountId: number }

/** `off`: the user has no second factor, and needs no code. */
type Result = 'off' | 'missing' | 'wrong' | 'right'

export function createCodeCheck({ clock, secrets, outbox, attempts }: Deps) {
  /** Before the check, and before its transaction: of many guesses at once, those beyond the limit are refused. */
  async function countGuess({ uuid }: User, code: string) {
    if (isTotpCode(readCode(code))) await attempts.count('code', uuid)
  }

  /** Uses the code up. Joins the transaction of what the code is for; wake the outbox after the commit. */
  async function check(tx: Database, holder: Holder, code: string | undefined): Promise<Result> {
    const factor = await findSecondFactor(tx, holder.user.id)
    if (!factor?.enabled_at) return 'off'
    if (code === undefined) return 'missing'
    const isRight = (await takeStep(tx, holder.user, factor, code)) || (await takeRecovery(tx, holder, code))
    return isRight ? 'right' : 'wrong'
  }

  type Factor = NonNullable<Awaited<ReturnType<typeof findSecondFactor>>>

  /** The first code of a new secret enables it. */
  async function takeStep(tx: Database, { id, uuid }: User, factor: Factor, code: string, enabledAt?: Date) {
    const step = secrets.stepOf(factor.secret, code, clock.now(), factor.last_step)
    if (step === undefined) return false
    await updateSecondFactor(tx, id, { last_step: step, ...(enabledAt && { enabled_at: enabledAt }) })
    await attempts.clear(tx, 'code', uuid)
    return true
  }

  async function takeRecovery(tx: Database, { user, accountId }: Holder, code: string): Promise<boolean> {
    const hash = hashRecoveryCode(code)
    if (!hash || !(await takeRecoveryCode(tx, user.id, hash))) return false
    await attempts.clear(tx, 'code', user.uuid)
    const left = await countRecoveryCodes(tx, user.id)
    await outbox.post(tx, secondFactorMail('code-used', await findAddressee(tx, user.id), left))
    await recordAudit(tx, {
      accountId,
      at: clock.now(),
      action: 'user.recovery-code-used',
      actor: user.email,
      subject: user.email,
      details: { left },
    })
    return true
  }

  return { sealSecret: secrets.seal, countGuess, check, takeStep }
}
export type CodeCheck = ReturnType<typeof createCodeCheck>
