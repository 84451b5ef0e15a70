/** SQL of the ledger: entries and balances change in one statement. */
import { CompiledQuery, sql } from 'kysely'
import type { EntryKind } from '../../contract/money/credits.ts'
import type { PagedQuery } from '../../filter/list-query.ts'
import { readPage, selectRows } from '../../filter/sql/page-sql.ts'
import type { Centavos } from '../../kit/text/money.ts'
import type { Statements } from '../../store/connection/pipeline.ts'
import type { Database } from '../../store/database.ts'
import { defineUnnest } from '../../store/unnest.ts'
import type { DayColumns } from '../credit/daily-use.ts'
import { dayGoesOn } from '../credit/daily-use-sql.ts'

export type NewEntry = {
  accountId: number
  kind: EntryKind
  /** Negative for a debit. */
  amount: Centavos
  /** Unique: an entry written again under the same reference fails. */
  reference: string
  description: string
}

/** An account whose balance has just fallen below the threshold. */
type Crossing = { accountId: number; balance: Centavos; threshold: Centavos }

type Change = {
  at: Date
  /** The threshold of accounts that have none of their own (D326): a balance below it is low. */
  lowBalance: Centavos
  entries: NewEntry[]
  /** Positive for a reservation, negative for a release. */
  reserved: { accountId: number; amount: Centavos }[]
  /** Fails if a balance becomes low (`isLowBalance`). */
  refusesLow: boolean
}

const newEntries = defineUnnest<NewEntry>('entry', {
  account_id: ['bigint', ({ accountId }) => accountId],
  kind: ['text', ({ kind }) => kind],
  amount: ['bigint', ({ amount }) => amount],
  reference: ['text', ({ reference }) => reference],
  description: ['text', ({ description }) => description],
})

const reservedAmounts = defineUnnest<Change['reserved'][number]>('reserved', {
  account_id: ['bigint', ({ accountId }) => accountId],
  amount: ['bigint', ({ amount }) => amount],
})

const firstOfChange = newEntries.names.length + reservedAmounts.names.length + 1
const at = `$${firstOfChange}::timestamptz`
const lowBalance = `$${firstOfChange + 1}::bigint`
const refusesLow = `$${firstOfChange + 2}::boolean`
const goesOn = dayGoesOn('b', at)

/** Compiled once: it runs for every call that ends. Balances are locked in id order, so no deadlock. */
const writeText = `
  with entry as (
    select *, row_number() over () as place from ${newEntries.text()}
  ), change as (
    select account_id, sum(amount) as amount, sum(reserved) as reserved, sum(spent) as spent from (
      select account_id, amount, 0 as reserved, case when kind = 'call' then -amount else 0 end as spent from entry
      union all
      select account_id, 0, amount, 0 from ${reservedAmounts.text(newEntries.names.length + 1)}
    ) as part group by account_id
  ), before as (
    select account_id, low_since from balances
    where account_id in (select account_id from change) order by account_id for no key update
  ), changed as (
    update balances b set
      balance = b.balance + c.amount,
      reserved = b.reserved + c.reserved,
      low_since = case when b.balance + c.amount < coalesce(b.low_balance, ${lowBalance})
        then coalesce(b.low_since, ${at}) end,
      -- D193: what calls cost counts in the day in which it is paid.
      day_began = case when c.spent = 0 or ${goesOn} then b.day_began else ${at} end,
      day_calls = case when c.spent = 0 or ${goesOn} then b.day_calls else 0 end,
      day_spent = case when c.spent = 0 or ${goesOn} then b.day_spent else 0 end + c.spent
    from change c join before using (account_id)
    where b.account_id = c.account_id
    returning b.account_id, b.balance, b.low_since, b.low_balance
  ), begun as (
    insert into balances as b (account_id, balance, reserved, low_since)
    select c.account_id, c.amount, c.reserved, case when c.amount < ${lowBalance} then ${at} end
    from change c left join before using (account_id) where before.account_id is null order by c.account_id
    on conflict (account_id) do update set
      balance = b.balance + excluded.balance, reserved = b.reserved + excluded.reserved
    returning account_id, balance, low_since, low_balance
  ), moved as (
    select * from changed union all select * from begun
  ), written as (
    insert into ledger_entries (account_id, at, kind, amount, balance, reference, description)
    select e.account_id, ${at}, e.kind, e.amount,
      m.balance - c.amount + sum(e.amount) over (partition by e.account_id order by e.place), e.reference, e.description
    from entry e join moved m using (account_id) join change c using (account_id)
    order by e.account_id, e.place
  )
  select account_id, changed.balance, coalesce(changed.low_balance, ${lowBalance}) as threshold,
    case when ${refusesLow} then refuse_low_balance() end
  from changed join before using (account_id)
  where changed.low_since is not null and before.low_since is null`

/** Entries of one account get their ids in the order given. Returns the accounts whose balance has become low. */
export async function writeEntries(tx: Statements, change: Change): Promise<Crossing[]> {
  const values = [...newEntries.values(change.entries), ...reservedAmounts.values(change.reserved)]
  const query = CompiledQuery.raw(writeText, [...values, change.at, change.lowBalance, change.refusesLow])
  const { rows } = await tx.executeQuery<{ account_id: number; balance: Centavos; threshold: Centavos }>(
    query,
  )
  return rows.map(({ account_id, balance, threshold }) => ({ accountId: account_id, balance, threshold }))
}

const selectEntries = (db: Database, accountId: number) =>
  db
    .selectFrom('ledger_entries')
    .select(['id', 'at', 'kind', 'amount', 'balance', 'reference', 'description'])
    .where('ledger_entries.account_id', '=', accountId)

export async function readEntries(db: Database, accountId: number, query: PagedQuery) {
  return await readPage(selectEntries(db, accountId), query)
}

/** Without their total. */
export async function readEntryRows(db: Database, accountId: number, query: PagedQuery) {
  return await selectRows(selectEntries(db, accountId), query)
}

/** Finds an entry of any account by its reference. */
export async function findEntry(db: Database, reference: string) {
  return await db
    .selectFrom('ledger_entries')
    .select(['account_id', 'amount', 'description'])
    .where('reference', '=', reference)
    .executeTakeFirst()
}

export type Balance = { balance: Centavos; reserved: Centavos }

export async function readBalance(db: Database, accountId: number): Promise<Balance> {
  const row = await db
    .selectFrom('balances')
    .select(['balance', 'reserved'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row ?? { balance: 0, reserved: 0 }
}

/** D326: of the account itself; null is the default of the service. */
export async function readLowBalance(db: Database, accountId: number): Promise<Centavos | null> {
  const row = await db
    .selectFrom('balances')
    .select('low_balance')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row?.low_balance ?? null
}

/** Whether the balance is low goes by the new threshold at once, without a notice. */
export async function writeLowBalance(
  tx: Database,
  accountId: number,
  { own, threshold, at }: { own: Centavos | null; threshold: Centavos; at: Date },
) {
  await sql`
    insert into balances as b (account_id, balance, low_balance, low_since)
    values (${accountId}, 0, ${own}, case when ${threshold}::bigint > 0 then ${at}::timestamptz end)
    on conflict (account_id) do update set low_balance = excluded.low_balance,
      low_since = case when b.balance < ${threshold} then coalesce(b.low_since, ${at}::timestamptz) end`.execute(
    tx,
  )
}

export async function readBalances(
  db: Database,
  accountIds: number[],
): Promise<{ accountId: number; balance: Balance }[]> {
  const rows = await db
    .selectFrom('balances')
    .select(['account_id', 'balance', 'reserved'])
    .where('account_id', 'in', accountIds)
    .execute()
  return rows.map(({ account_id, ...balance }) => ({ accountId: account_id, balance }))
}

/** With what the account has used of its day (D193). */
export type BalanceOfDay = Balance & DayColumns

export async function readBalanceOfDay(db: Database, accountId: number): Promise<BalanceOfDay> {
  const row = await db
    .selectFrom('balances')
    .select(['balance', 'reserved', 'day_began', 'day_calls', 'day_spent'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row ?? { balance: 0, reserved: 0, day_began: null, day_calls: 0, day_spent: 0 }
}

const lockText = `
  select account_id, balance, reserved, day_began, day_calls, day_spent from balances
  where account_id = any($1::bigint[]) order by account_id for no key update`

/** Locks the balances until the transaction ends, in id order, so no deadlock. */
export async function lockBalances(tx: Statements, accountIds: number[]): Promise<Map<number, BalanceOfDay>> {
  const { rows } = await tx.executeQuery<BalanceOfDay & { account_id: number }>(
    CompiledQuery.raw(lockText, [accountIds]),
  )
  return new Map(rows.map(({ account_id, ...balance }) => [account_id, balance]))
}
