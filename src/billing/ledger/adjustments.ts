/** D617: corrections of a balance by the operator, each entered once under the key that it is sent with. */
import { findAccountIds } from '../../accounts/account-lookup-store.ts'
import type { Centavos } from '../../kit/text/money.ts'
import type { Database } from '../../store/database.ts'
import type { Adjustment, Ledger } from './ledger.ts'
import { findEntry, readBalance } from './ledger-store.ts'

type Deps = { db: Database; ledger: Pick<Ledger, 'adjust'> }

type Adjusted = {
  balance: Centavos
  reserved: Centavos
  /** The same adjustment was entered before, and nothing was changed now. */
  isRepeated: boolean
}

export function createAdjustments({ db, ledger }: Deps) {
  /** `another entry`: the key was used for something else. */
  async function enter(
    adjustment: Adjustment,
  ): Promise<Adjusted | 'no account' | 'not enough' | 'another entry'> {
    const before = await findRepeated(adjustment)
    if (before) return before
    const answer = await ledger.adjust(adjustment)
    if (typeof answer === 'object') return { ...answer, isRepeated: false }
    if (answer === 'no account') return answer
    // The same request at the same moment may have been first, and have taken the credit.
    const repeated = await findRepeated(adjustment)
    if (repeated) return repeated
    return answer === 'not enough' ? answer : 'another entry'
  }

  async function findRepeated({ domain, amount, reason, reference }: Adjustment) {
    const entry = await findEntry(db, reference)
    if (!entry) return undefined
    const accountId = (await findAccountIds(db, [domain])).get(domain)
    const isSame = entry.account_id === accountId && entry.amount === amount && entry.description === reason
    if (!isSame) return 'another entry' as const
    return { ...(await readBalance(db, entry.account_id)), isRepeated: true }
  }

  return { enter }
}
export type Adjustments = ReturnType<typeof createAdjustments>
