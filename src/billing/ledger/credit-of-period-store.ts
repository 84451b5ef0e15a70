/** SQL of what moved the credit of an account in a period. */
import { sql } from 'kysely'
import type { Centavos } from '../../kit/text/money.ts'
import type { Database } from '../../store/database.ts'

export type CreditOfPeriod = {
  /** Charges that were paid. */
  topUps: Centavos
  /** Not above 0. */
  refunds: Centavos
  /** Trial credit, and corrections by the operator. */
  others: Centavos
  /** At the end of the period. */
  balance: Centavos
}

/** From an instant until before another. */
export async function readCreditOfPeriod(
  db: Database,
  accountId: number,
  { from, to }: { from: Date; to: Date },
): Promise<CreditOfPeriod> {
  const { rows } = await sql<CreditOfPeriod>`
    select coalesce(sum(amount) filter (where kind = 'charge'), 0)::bigint as "topUps",
      coalesce(sum(amount) filter (where kind = 'refund'), 0)::bigint as refunds,
      coalesce(sum(amount) filter (where kind in ('trial', 'adjustment')), 0)::bigint as others,
      coalesce((
        select balance from ledger_entries where account_id = ${accountId} and at < ${to}
        order by at desc, id desc limit 1), 0)::bigint as balance
    from ledger_entries
    where account_id = ${accountId} and at >= ${from} and at < ${to} and kind <> 'call'`.execute(db)
  return rows[0] ?? { topUps: 0, refunds: 0, others: 0, balance: 0 }
}
