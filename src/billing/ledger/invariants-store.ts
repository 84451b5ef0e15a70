/** SQL of what must always hold in the books. */
import { sql } from 'kysely'
import type { Centavos } from '../../kit/text/money.ts'
import type { Database } from '../../store/database.ts'

/** Each query finds what contradicts its rule. */
const invariants = [
  {
    rule: 'the balance is the sum of the entries',
    find: sql<Finding>`
      select coalesce(b.account_id, e.account_id) as account_id,
        format('balance %s, entries %s', coalesce(b.balance, 0), coalesce(e.sum, 0)) as what
      from balances b
      full join (select account_id, sum(amount) as sum from ledger_entries group by account_id) e using (account_id)
      where coalesce(b.balance, 0) <> coalesce(e.sum, 0)`,
  },
  {
    rule: 'every entry says the balance that the one before it and its amount make',
    find: sql<Finding>`
      select account_id, format('entry %s: balance %s after %s and %s', id, balance, before, amount) as what
      from (select *, coalesce(lag(balance) over (partition by account_id order by id), 0) as before
        from ledger_entries) e
      where balance <> before + amount`,
  },
  {
    rule: 'the reserved amount is the sum of the reservations',
    find: sql<Finding>`
      select coalesce(b.account_id, r.account_id) as account_id,
        format('reserved %s, reservations %s', coalesce(b.reserved, 0), coalesce(r.sum, 0)) as what
      from balances b
      full join (select account_id, sum(amount) as sum from reservations group by account_id) r using (account_id)
      where coalesce(b.reserved, 0) <> coalesce(r.sum, 0)`,
  },
  {
    rule: 'a charge is credited once, when it was paid',
    find: sql<Finding>`
      select c.account_id, format('charge %s is %s, credited %s', c.id, c.status, e.amount) as what
      from charges c left join ledger_entries e on e.reference = 'charge:' || c.id
      where coalesce(e.amount = c.amount and e.account_id = c.account_id, false) is distinct from (c.paid_at is not null)
        or (c.paid_at is not null) is distinct from
          (c.status not in ('PENDING', 'AWAITING_RISK_ANALYSIS', 'AUTHORIZED', 'OVERDUE', 'CANCELLED'))`,
  },
  {
    rule: 'what was refunded of a charge has left the balance',
    find: sql<Finding>`
      select c.account_id, format('charge %s: refunded %s, entered %s', c.id, c.refunded, coalesce(e.sum, 0)) as what
      from charges c
      left join (select split_part(reference, ':', 2) as charge, -sum(amount) as sum
        from ledger_entries where kind = 'refund' group by 1) e on e.charge = c.id::text
      where c.refunded <> coalesce(e.sum, 0) or (c.status = 'REFUNDED' and c.refunded <> c.amount)`,
  },
]

type Finding = { account_id: number; what: string }

/** One sentence for each contradiction. */
export async function findContradictions(db: Database): Promise<string[]> {
  const findings: string[] = []
  for (const { rule, find } of invariants) {
    const { rows } = await find.execute(db)
    for (const { account_id, what } of rows) findings.push(`account ${account_id}: ${what} (${rule})`)
  }
  return findings
}

export type LedgerTotals = {
  accounts: number
  entries: number
  /** Sum over all accounts. */
  balance: Centavos
}

export async function readTotals(db: Database): Promise<LedgerTotals> {
  const { rows } = await sql<LedgerTotals>`
    select (select count(*) from balances) as accounts, (select count(*) from ledger_entries) as entries,
      (select coalesce(sum(balance), 0)::bigint from balances) as balance`.execute(db)
  return rows[0] ?? { accounts: 0, entries: 0, balance: 0 }
}

/** For the rest of the transaction: reading the whole ledger takes longer than a request may. */
export async function allowLongStatements(tx: Database) {
  await sql`set local statement_timeout = '30min'`.execute(tx)
}
