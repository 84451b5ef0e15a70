/** SQL of rates, and the notification that they changed. */
import { sql } from 'kysely'
import type { Database } from '../../store/database.ts'
import type { Rate } from './rate.ts'
import type { StoredRate } from './rate-changes.ts'

export const ratesChannel = 'rates'

/** The current and future rates of all decks, with the domain of the account that a deck belongs to. */
export async function readRates(db: Database, now: Date): Promise<StoredRate[]> {
  const rows = await db
    .selectFrom('rates')
    .leftJoin('accounts', 'accounts.id', 'rates.account_id')
    .select([
      'rates.id',
      'rates.account_id',
      'accounts.domain',
      'rates.prefix',
      'rates.name',
      'rates.minute_price',
      'rates.first_block',
      'rates.step',
      'rates.grace',
      'rates.valid_from',
      'rates.valid_until',
    ])
    .where((rate) => rate.or([rate('valid_until', 'is', null), rate('valid_until', '>', now)]))
    .orderBy('accounts.domain', (order) => order.asc().nullsFirst())
    .orderBy('rates.prefix')
    .orderBy('rates.valid_from')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    accountId: row.account_id,
    domain: row.domain ?? '',
    prefix: row.prefix,
    name: row.name,
    minutePrice: row.minute_price,
    firstBlock: row.first_block,
    step: row.step,
    grace: row.grace,
    from: row.valid_from,
    until: row.valid_until,
  }))
}

/** Keeps other imports out until the transaction ends; reading goes on. */
export async function lockRates(tx: Database) {
  await sql`lock table rates in share row exclusive mode`.execute(tx)
}

type NewRate = Rate & { accountId: number | null; from: Date; until: Date | null }

export async function insertRates(tx: Database, rates: NewRate[]) {
  const column = <T>(of: (rate: NewRate) => T) => rates.map(of)
  await sql`
    insert into rates (account_id, prefix, name, minute_price, first_block, step, grace, valid_from, valid_until)
    select * from unnest(
      ${column((rate) => rate.accountId)}::bigint[], ${column((rate) => rate.prefix)}::text[],
      ${column((rate) => rate.name)}::text[], ${column((rate) => rate.minutePrice)}::bigint[],
      ${column((rate) => rate.firstBlock)}::int[], ${column((rate) => rate.step)}::int[],
      ${column((rate) => rate.grace)}::int[], ${column((rate) => rate.from.toISOString())}::timestamptz[],
      ${column((rate) => rate.until?.toISOString() ?? null)}::timestamptz[])`.execute(tx)
}

export async function deleteRates(tx: Database, ids: number[]) {
  await sql`delete from rates where id = any(${ids}::bigint[])`.execute(tx)
}

export async function endRates(tx: Database, ends: { id: number; until: Date | null }[]) {
  await sql`
    update rates set valid_until = ended.until
    from unnest(${ends.map(({ id }) => id)}::bigint[],
      ${ends.map(({ until }) => until?.toISOString() ?? null)}::timestamptz[]) as ended (id, until)
    where rates.id = ended.id`.execute(tx)
}

/** Notifies, on commit, every process that keeps the rates in memory. */
export async function notifyRatesChanged(tx: Database) {
  await sql`select pg_notify(${ratesChannel}, '')`.execute(tx)
}
