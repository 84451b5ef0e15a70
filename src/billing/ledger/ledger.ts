/** The ledger: credits, debits and the balance of each account. An entry is written once and never changed. */

import { findAccountIds } from '../../accounts/account-lookup-store.ts'
import { allPages } from '../../filter/all-pages.ts'
import type { PagedQuery } from '../../filter/list-query.ts'
import type { Clock } from '../../kit/clock.ts'
import { type Centavos, toReais } from '../../kit/text/money.ts'
import { violatedConstraint } from '../../store/connection/database-errors.ts'
import type { Statements } from '../../store/connection/pipeline.ts'
import type { Database } from '../../store/database.ts'
import type { Searches } from '../../store/searches.ts'
import { recordAudit } from '../../users/audit/audit.ts'
import type { Caller } from '../../users/caller.ts'
import { dailyUseOf } from '../credit/daily-use.ts'
import { readCreditOfPeriod } from './credit-of-period-store.ts'
import {
  type Balance,
  findEntry,
  lockBalances,
  type NewEntry,
  readBalance,
  readBalanceOfDay,
  readBalances,
  readEntries,
  readEntryRows,
  readLowBalance,
  writeEntries,
  writeLowBalance,
} from './ledger-store.ts'
import { statementLines } from './statement-lines.ts'

/** Called in the transaction that takes a balance below the threshold; again only after it was above it. */
export type OnLowBalance = (
  tx: Database,
  low: { accountId: number; balance: Centavos; threshold: Centavos; at: Date },
) => Promise<void>

export type Posting = {
  entries: NewEntry[]
  /** Changes of the reserved amounts: positive for a reservation, negative for a release. */
  reserved?: { accountId: number; amount: Centavos }[]
}

export type Adjustment = {
  /** Domain of the account. */
  domain: string
  amount: Centavos
  reason: string
  reference: string
}

type Deps = {
  db: Database
  clock: Clock
  searches: Searches
  /** The threshold of accounts that have none of their own: a balance below it is low. */
  lowBalance: Centavos
  /** D41: given once, when an account becomes active. */
  trialCredit: Centavos
  onLowBalance?: OnLowBalance | undefined
  onAdjusted?: ((tx: Database, accountId: number) => Promise<void>) | undefined
}

export function createLedger(deps: Deps) {
  const { db, clock, searches, lowBalance, trialCredit, onLowBalance, onAdjusted } = deps

  async function post(tx: Database, { entries, reserved = [] }: Posting) {
    const at = clock.now()
    const crossings = await writeEntries(tx, { at, lowBalance, entries, reserved, refusesLow: false })
    for (const crossing of crossings) await onLowBalance?.(tx, { ...crossing, at })
  }

  /** One statement, which may be the last of its transaction. Fails if a balance becomes low (`isLowBalance`). */
  async function postUnlessLow(tx: Statements, { entries, reserved = [] }: Posting) {
    await writeEntries(tx, { at: clock.now(), lowBalance, entries, reserved, refusesLow: true })
  }

  /** An account that the operator made has it before its tax id is accepted. */
  async function grantTrialCredit(tx: Database, accountId: number) {
    const reference = `trial:${accountId}`
    if (trialCredit === 0 || (await findEntry(tx, reference))) return
    const entry: NewEntry = {
      accountId,
      kind: 'trial',
      amount: trialCredit,
      reference,
      description: statementLines.trial(),
    }
    await post(tx, { entries: [entry] })
  }

  /** By the operator. A negative amount is a debit, which may not exceed the available credit. */
  async function adjust({ domain, amount, reason, reference }: Adjustment) {
    return await db
      .transaction()
      .execute(async (tx) => {
        const accountId = (await findAccountIds(tx, [domain])).get(domain)
        if (accountId === undefined) return 'no account' as const
        const before = (await lockBalances(tx, [accountId])).get(accountId)
        if (amount < 0 && availableOf(before) + amount < 0) return 'not enough' as const
        const entry: NewEntry = {
          accountId,
          kind: 'adjustment',
          amount,
          reference,
          description: reason,
        }
        await post(tx, { entries: [entry] })
        await recordAudit(tx, {
          accountId,
          at: clock.now(),
          action: 'credit.adjusted',
          actor: null,
          subject: reference,
          details: { amount: toReais(amount), reason },
        })
        await onAdjusted?.(tx, accountId)
        return await readBalance(tx, accountId)
      })
      .catch((error: unknown) => {
        if (violatedConstraint(error) === 'ledger_entries_reference_key') return 'entered before' as const
        throw error
      })
  }

  async function balance({ accountId }: Pick<Caller, 'accountId'>): Promise<Balance> {
    return await readBalance(db, accountId)
  }

  /** D193: what the account has used of its day, and what is reserved. */
  async function dailyUse({ accountId }: Pick<Caller, 'accountId'>) {
    const found = await readBalanceOfDay(db, accountId)
    return { ...dailyUseOf(found, clock.now()), reserved: found.reserved }
  }

  async function statement({ accountId }: Pick<Caller, 'accountId'>, query: PagedQuery) {
    return await searches.run(accountId, (db) => readEntries(db, accountId, query))
  }

  /** D643. */
  async function creditOfPeriod({ accountId }: Pick<Caller, 'accountId'>, span: { from: Date; to: Date }) {
    return await searches.run(accountId, (db) => readCreditOfPeriod(db, accountId, span))
  }

  /** D326: the threshold of the account; null takes that of the service. */
  async function setLowBalance(tx: Database, accountId: number, amount: Centavos | null) {
    const at = clock.now()
    await writeLowBalance(tx, accountId, { own: amount, threshold: amount ?? lowBalance, at })
  }

  /** D301: the whole list. */
  function wholeStatement({ accountId }: Caller, query: PagedQuery) {
    return allPages(query, (page) => searches.run(accountId, (db) => readEntryRows(db, accountId, page)))
  }

  return {
    post,
    postUnlessLow,
    grantTrialCredit,
    adjust,
    balance,
    balances: (accountIds: number[]) => readBalances(db, accountIds),
    dailyUse,
    lowBalanceOf: async (db: Database, accountId: number) =>
      (await readLowBalance(db, accountId)) ?? lowBalance,
    setLowBalance,
    statement,
    creditOfPeriod,
    wholeStatement,
  }
}
export type Ledger = ReturnType<typeof createLedger>
export type { CreditOfPeriod } from './credit-of-period-store.ts'
export type { Balance } from './ledger-store.ts'

export function availableOf(balance: Balance | undefined): Centavos {
  return balance ? balance.balance - balance.reserved : 0
}
