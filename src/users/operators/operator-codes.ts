/** The code of an operator's second factor: of the authenticator app, or a recovery code, each of them once, as of users (D201). */
import type { Clock } from '../../kit/clock.ts'
import type { Database } from '../../store/database.ts'
import { recordOperatorChange } from '../audit/operator-log.ts'
import type { Attempts } from '../login/attempts.ts'
import type { FactorSecrets } from '../second-factor/factor-secrets.ts'
import { hashRecoveryCode, readCode } from '../second-factor/recovery-codes.ts'
import { isTotpCode } from '../second-factor/totp.ts'
import { keyOf } from './operator.ts'
import { countCodes, type OperatorRow, takeCode, updateOperator } from './operators-store.ts'

type Deps = { clock: Clock; secrets: FactorSecrets; attempts: Attempts }

export function createOperatorCodes({ clock, secrets, attempts }: Deps) {
  /** Before the check and its transaction: of many guesses at once, those beyond the limit are refused. */
  async function countGuess(operator: { id: number }, code: string) {
    if (isTotpCode(readCode(code))) await attempts.count('code', keyOf(operator))
  }

  /** Uses the code up, in a transaction that has the operator locked. */
  async function take(tx: Database, operator: OperatorRow, code: string): Promise<boolean> {
    const { second_factor: sealed, last_step } = operator
    const step = sealed === null ? undefined : secrets.stepOf(sealed, code, clock.now(), last_step)
    if (step !== undefined) await updateOperator(tx, operator.id, { last_step: step })
    const isRight = step !== undefined || (await takeRecovery(tx, operator, code))
    if (isRight) await attempts.clear(tx, 'code', keyOf(operator))
    return isRight
  }

  async function takeRecovery(tx: Database, { id, email }: OperatorRow, code: string): Promise<boolean> {
    const hash = hashRecoveryCode(code)
    if (!hash || !(await takeCode(tx, id, hash))) return false
    await recordOperatorChange(tx, {
      at: clock.now(),
      action: 'operator.recovery-code-used',
      operator: email,
      subject: email,
      details: { left: await countCodes(tx, id) },
    })
    return true
  }

  return { countGuess, take }
}
export type OperatorCodes = ReturnType<typeof createOperatorCodes>
