/** Proves that the books add up, or names what does not. */
import { sql } from 'kysely'
import type { Centavos } from '../../kit/money.ts'
import type { Database } from '../../store/database.ts'

/** Each finds accounts, or charges, that contradict what must always hold. */
const checks = [
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
    rule: 'what is set aside is the sum of the reservations',
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

export type Verified = {
  accounts: number
  entries: number
  /** Of all accounts. */
  balance: Centavos
  findings: string[]
}

/** In one view of the database, so that what happens meanwhile is not mistaken for a fault. */
export async function verifyLedger(db: Database): Promise<Verified> {
  return await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      // Longer than a request may take: the whole ledger is read.
      await sql`set local statement_timeout = '30min'`.execute(tx)
      const findings: string[] = []
      for (const { rule, find } of checks) {
        const { rows } = await find.execute(tx)
        for (const { account_id, what } of rows) findings.push(`account ${account_id}: ${what} (${rule})`)
      }
      const { rows } = await sql<Omit<Verified, 'findings'>>`
        select (select count(*) from balances) as accounts, (select count(*) from ledger_entries) as entries,
          (select coalesce(sum(balance), 0)::bigint from balances) as balance`.execute(tx)
      return { ...(rows[0] ?? { accounts: 0, entries: 0, balance: 0 }), findings }
    })
}
