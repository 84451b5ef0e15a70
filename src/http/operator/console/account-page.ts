/** The page of one account for the operator, made of the records of several modules. Pure. */
import type { Charges } from '../../../billing/charges/charges.ts'
import type { Ledger } from '../../../billing/ledger/ledger.ts'
import { statementLineIn } from '../../../billing/ledger/statement-lines.ts'
import type { ShownCall } from '../../../calls/list/listing.ts'
import type { OperatorAccountPage } from '../../../contract/operator-account.ts'
import type { Language } from '../../../kit/text/language.ts'
import { toReais } from '../../../kit/text/money.ts'
import type { AccountLimits } from '../../../limits/limit.ts'
import type { Tokens } from '../../../users/tokens/tokens.ts'
import type { User } from '../../../users/user.ts'

type Part<Name extends keyof OperatorAccountPage> = OperatorAccountPage[Name] extends (infer Row)[]
  ? Row
  : OperatorAccountPage[Name]
type Awaiting<Verb extends (...args: never[]) => Promise<unknown>> = Awaited<ReturnType<Verb>>

export function presentLimits(
  { balance, reserved }: Awaiting<Ledger['balance']>,
  used: Awaiting<Ledger['dailyUse']>,
  { proof, callsAtOnce, callsPerDay, spendingPerDay, international }: AccountLimits,
): Pick<OperatorAccountPage, 'balance' | 'reserved' | 'limits'> {
  return {
    balance: toReais(balance),
    reserved: toReais(reserved),
    limits: {
      proof: proof?.by ?? null,
      callsAtOnce: callsAtOnce.value.account,
      callsAtOncePerExtension: callsAtOnce.value.extension,
      callsPerDay: callsPerDay.value,
      callsToday: used.calls,
      spendingPerDay: toReais(spendingPerDay.value),
      spentToday: toReais(used.spent + used.reserved),
      international: international.value,
    },
  }
}

export function presentUser({ uuid, name, email, role, invited, lastLoginAt }: User): Part<'users'> {
  return { uuid, name, email, role, invited, lastLoginAt: lastLoginAt?.toISOString() ?? null }
}

export function presentToken(row: Awaiting<Tokens['ofAccount']>[number]): Part<'tokens'> {
  return {
    ref: row.ref,
    user: row.email,
    name: row.name,
    kind: row.kind,
    lastFour: row.last_four,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    lastUsedAddress: row.last_used_address,
    expiresAt: row.expires_at?.toISOString() ?? null,
  }
}

type PhoneRow = { number: string; registeredAt: Date | null; userAgent: string | null }

export function presentPhone({ number, registeredAt, userAgent }: PhoneRow): Part<'phones'> {
  return { ramal: number, registeredAt: registeredAt?.toISOString() ?? '', userAgent }
}

export function presentCall(row: ShownCall): Part<'calls'> {
  return {
    id: row.id,
    type: row.call_type,
    status: row.shown_status,
    from: row.from_number,
    to: row.to_number,
    startedAt: row.started_at.toISOString(),
    duration: row.duration,
    cause: row.hangup_cause,
    price: row.call_price === null ? null : toReais(row.call_price),
  }
}

type ChargeRow = Awaiting<Charges['list']>['rows'][number]

export function presentCharge({ id, status, payment, money, times }: ChargeRow): Part<'charges'> {
  return {
    id,
    status,
    method: payment.method,
    amount: toReais(money.amount),
    createdAt: times.createdAt.toISOString(),
    paidAt: times.paidAt?.toISOString() ?? null,
  }
}

type EntryRow = Awaiting<Ledger['statement']>['rows'][number]

export function presentEntry(row: EntryRow, language: Language): Part<'entries'> {
  const { id, at, kind, amount, balance, description } = row
  return {
    id,
    at: at.toISOString(),
    kind,
    amount: toReais(amount),
    balance: toReais(balance),
    description: statementLineIn(language, kind, description),
  }
}

type AuditRow = {
  id: number
  at: Date
  action: string
  actor: string | null
  subject: string | null
  details: Record<string, unknown>
}

export function presentAuditEntry({ id, at, action, actor, subject, details }: AuditRow): Part<'audit'> {
  return { id, at: at.toISOString(), action, actor, subject, details }
}
