/** SQL of rates, and the notification that they changed. */
import { sql } from 'kysely'
import type { Database } from '../../store/database.ts'
import { defineUnnest } from '../../store/unnest.ts'
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

const newRates = defineUnnest<NewRate>('rate', {
  account_id: ['bigint', ({ accountId }) => accountId],
  prefix: ['text', ({ prefix }) => prefix],
  name: ['text', ({ name }) => name],
  minute_price: ['bigint', ({ minutePrice }) => minutePrice],
  first_block: ['int', ({ firstBlock }) => firstBlock],
  step: ['int', ({ step }) => step],
  grace: ['int', ({ grace }) => grace],
  valid_from: ['timestamptz', ({ from }) => from.toISOString()],
  valid_until: ['timestamptz', ({ until }) => until?.toISOString() ?? null],
})

export async function insertRates(tx: Database, rates: NewRate[]) {
  await sql`
    insert into rates (${sql.raw(newRates.names.join(', '))})
    select * from ${newRates.sql(rates)}`.execute(tx)
}

export async function deleteRates(tx: Database, ids: number[]) {
  await sql`delete from rates where id = any(${ids}::bigint[])`.execute(tx)
}

type RateEnd = { id: number; until: Date | null }

const endedRates = defineUnnest<RateEnd>('ended', {
  id: ['bigint', ({ id }) => id],
  until: ['timestamptz', ({ until }) => until?.toISOString() ?? null],
})

export async function endRates(tx: Database, ends: RateEnd[]) {
  await sql`
    update rates set valid_until = ended.until
    from ${endedRates.sql(ends)}
    where rates.id = ended.id`.execute(tx)
}

/** Notifies, on commit, every process that keeps the rates in memory. */
export async function notifyRatesChanged(tx: Database) {
  await sql`select pg_notify(${ratesChannel}, '')`.execute(tx)
}
