/** The set-up link of an operator (D648), who chooses a password and proves the second factor by a code. */
import { refuse } from '../../contract/errors.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Database } from '../../store/database.ts'
import { recordOperatorChange } from '../audit/operator-log.ts'
import { hashLinkToken } from '../links/link.ts'
import type { Attempts } from '../login/attempts.ts'
import type { Passwords } from '../passwords/passwords.ts'
import { toBase32 } from '../second-factor/base32.ts'
import { type FactorSecrets, issuer } from '../second-factor/factor-secrets.ts'
import { hashRecoveryCode, newRecoveryCodes } from '../second-factor/recovery-codes.ts'
import { newSecret, otpauthUri } from '../second-factor/totp.ts'
import { checkPassword } from '../user.ts'
import { keyOf } from './operator.ts'
import type { OperatorCodes } from './operator-codes.ts'
import {
  deleteSessions,
  findByLink,
  findLocked,
  type OperatorRow,
  replaceCodes,
  updateOperator,
} from './operators-store.ts'

type Deps = {
  db: Database
  clock: Clock
  passwords: Passwords
  attempts: Attempts
  secrets: FactorSecrets
  codes: OperatorCodes
}

export function createOperatorSetUp({ db, clock, passwords, attempts, secrets, codes }: Deps) {
  /** For the page of the link. Shows another secret each time, if the second factor is a new one. */
  async function begin(token: string) {
    const secret = newSecret()
    const row = await db.transaction().execute(async (tx) => {
      const found = await lockByLink(tx, token)
      if (found.renews_factor) await updateOperator(tx, found.id, { new_factor: secrets.seal(secret) })
      return found
    })
    const { name, email, renews_factor: renewsFactor } = row
    const factor = renewsFactor
      ? { secret: toBase32(secret), otpauthUri: otpauthUri(secret, issuer, email) }
      : undefined
    return { name, email, factor }
  }

  /** Uses the link up and ends all sessions. Returns recovery codes, which are shown only now, of a new second factor. */
  async function finish(token: string, password: string, code: string) {
    const before = await findValid(db, token)
    checkPassword('password', password)
    await codes.countGuess(before, code)
    const hash = await passwords.hash(password)
    return await db.transaction().execute(async (tx) => {
      const row = await lockByLink(tx, token)
      const recoveryCodes = row.renews_factor ? await takeFirstCode(tx, row, code) : undefined
      if (!recoveryCodes && !(await codes.take(tx, row, code))) throw refuse('INVALID_CODE')
      await updateOperator(tx, row.id, { password_hash: hash, link_hash: null, link_expires_at: null })
      const sessionsEnded = await deleteSessions(tx, row.id)
      await recordOperatorChange(tx, {
        at: clock.now(),
        action: 'operator.set-up',
        operator: row.email,
        subject: row.email,
        details: { secondFactor: row.renews_factor, sessionsEnded },
      })
      return { email: row.email, recoveryCodes: recoveryCodes ?? [] }
    })
  }

  /** The new secret replaces the one before, with its recovery codes. */
  async function takeFirstCode(tx: Database, { id, new_factor: sealed }: OperatorRow, code: string) {
    if (sealed === null) throw refuse('SECOND_FACTOR_NOT_BEGUN')
    const step = secrets.stepOf(sealed, code, clock.now(), 0)
    if (step === undefined) throw refuse('INVALID_CODE')
    await attempts.clear(tx, 'code', keyOf({ id }))
    await updateOperator(tx, id, { second_factor: sealed, last_step: step, new_factor: null })
    const made = newRecoveryCodes()
    await replaceCodes(
      tx,
      id,
      made.flatMap((one) => hashRecoveryCode(one) ?? []),
    )
    return made
  }

  async function lockByLink(tx: Database, token: string): Promise<OperatorRow> {
    const { id } = await findValid(tx, token)
    await findLocked(tx, id)
    // Again: another request may have used the link up meanwhile.
    return await findValid(tx, token)
  }

  async function findValid(handle: Database, token: string): Promise<OperatorRow> {
    const hash = hashLinkToken(token)
    const found = hash && (await findByLink(handle, hash))
    const isValid = found?.link_expires_at && found.link_expires_at > clock.now() && found.off_since === null
    if (!isValid) throw refuse('PASSWORD_LINK_INVALID', { message: noLink })
    return found
  }

  return { begin, finish }
}
export type OperatorSetUp = ReturnType<typeof createOperatorSetUp>

const noLink = {
  en: 'The set-up link is unknown, used or expired. Another operator, or `ramal operator reset`, makes a new one.',
  pt: 'O link de configuração não existe, já foi usado ou expirou. Outro operador, ou `ramal operator reset`, cria um novo.',
}
