/** The ledger: what came, what went, and what is there. Every movement is entered once and stays. */
import { findAccountIds } from '../../accounts/account-lookup.ts'
import type { PagedQuery } from '../../filter/list-query.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Centavos } from '../../kit/money.ts'
import type { Database } from '../../store/database.ts'
import { violatedConstraint } from '../../store/database-errors.ts'
import { recordAudit } from '../../users/audit.ts'
import type { Caller } from '../../users/caller.ts'
import {
  type Balance,
  lockBalances,
  type NewEntry,
  readBalance,
  readEntries,
  writeEntries,
} from './ledger-store.ts'

/** In the transaction in which a balance came to lie below the mark: once, until it was above it again. */
export type OnLowBalance = (
  tx: Database,
  low: { accountId: number; balance: Centavos; at: Date },
) => Promise<void>

export type Posting = {
  entries: NewEntry[]
  /** What reservations set aside (above zero) or give back, by account. */
  reserved?: { accountId: number; amount: Centavos }[]
}

type Deps = {
  db: Database
  clock: Clock
  /** A balance below this is low. */
  lowBalance: Centavos
  /** D41: given once, when an account becomes active. */
  trialCredit: Centavos
  onLowBalance?: OnLowBalance
}

export function createLedger({ db, clock, lowBalance, trialCredit, onLowBalance }: Deps) {
  async function post(tx: Database, { entries, reserved = [] }: Posting) {
    const at = clock.now()
    const crossings = await writeEntries(tx, { at, lowBalance, entries, reserved })
    for (const { accountId, balance } of crossings) await onLowBalance?.(tx, { accountId, balance, at })
  }

  /** D41: when an account becomes active. */
  async function grantTrialCredit(tx: Database, accountId: number) {
    if (trialCredit === 0) return
    const reference = `trial:${accountId}`
    const entry = { accountId, kind: 'trial' as const, amount: trialCredit, reference }
    await post(tx, { entries: [{ ...entry, description: 'Trial credit' }] })
  }

  /** By the operator, for a reason; below zero it takes, but not more than is there. False: there is no such account. */
  async function adjust(wish: { domain: string; amount: Centavos; reason: string; reference: string }) {
    return await db
      .transaction()
      .execute(async (tx) => {
        const { domain, amount, reason, reference } = wish
        const accountId = (await findAccountIds(tx, [domain])).get(domain)
        if (accountId === undefined) return 'no account' as const
        const before = (await lockBalances(tx, [accountId])).get(accountId)
        if (amount < 0 && availableOf(before) + amount < 0) return 'not enough' as const
        const entry = { accountId, kind: 'adjustment' as const, amount, reference }
        await post(tx, { entries: [{ ...entry, description: reason }] })
        await recordAudit(tx, {
          accountId,
          at: clock.now(),
          action: 'credit.adjusted',
          actor: null,
          subject: reference,
          details: { amount, reason },
        })
        return await readBalance(tx, accountId)
      })
      .catch((error: unknown) => {
        if (violatedConstraint(error) === 'ledger_entries_reference_key') return 'entered before' as const
        throw error
      })
  }

  async function balance({ accountId }: Caller): Promise<Balance> {
    return await readBalance(db, accountId)
  }

  async function statement({ accountId }: Caller, query: PagedQuery) {
    return await readEntries(db, accountId, query)
  }

  return { post, grantTrialCredit, adjust, balance, statement }
}
export type Ledger = ReturnType<typeof createLedger>

export function availableOf(balance: Balance | undefined): Centavos {
  return balance ? balance.balance - balance.reserved : 0
}
