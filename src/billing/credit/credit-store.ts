/** SQL of reservations. The balances of their accounts are locked before reservations change. */
import { type Selectable, sql } from 'kysely'
import type { Centavos } from '../../kit/money.ts'
import type { Database } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'
import { defineUnnest } from '../../store/unnest.ts'
import type { Rate } from '../tariff/rate.ts'

export type Reservation = {
  callId: string
  accountId: number
  amount: Centavos
  /** Talk time that the amount pays for. */
  seconds: number
  rate: Rate
}

const wantedReservations = defineUnnest<Reservation>('wanted', {
  call_id: ['uuid', ({ callId }) => callId],
  account_id: ['bigint', ({ accountId }) => accountId],
  amount: ['bigint', ({ amount }) => amount],
  seconds: ['int', ({ seconds }) => seconds],
  minute_price: ['bigint', ({ rate }) => rate.minutePrice],
  first_block: ['int', ({ rate }) => rate.firstBlock],
  step: ['int', ({ rate }) => rate.step],
  grace: ['int', ({ rate }) => rate.grace],
  prefix: ['text', ({ rate }) => rate.prefix],
  name: ['text', ({ rate }) => rate.name],
})
const columns = sql.raw(wantedReservations.names.join(', '))

/** What was available in an account before, and whether all its reservations were made. */
export type AccountGrant = { available: Centavos; granted: boolean }

/**
 * For each account, makes all its reservations or, if its balance does not cover them, none. Either way its balance
 * stays locked until the transaction ends; balances are locked in id order, so no deadlock.
 */
export async function makeReservations(
  tx: Database,
  at: Date,
  wanted: Reservation[],
): Promise<Map<number, AccountGrant>> {
  const accountIds = [...new Set(wanted.map(({ accountId }) => accountId))]
  const { rows } = await sql<AccountGrant & { account_id: number }>`
    with wanted as (
      select * from ${wantedReservations.sql(wanted)}
    ), needed as (
      select account_id, sum(amount)::bigint as amount from wanted group by account_id
    ), held as (
      select account_id, balance - reserved as available from balances
      where account_id = any(${accountIds}::bigint[])
      order by account_id for no key update
    ), able as (
      select account_id, needed.amount from needed left join held using (account_id)
      where needed.amount = 0 or held.available >= needed.amount
    ), updated as (
      update balances set reserved = reserved + able.amount from able
      where balances.account_id = able.account_id and able.amount > 0
    ), made as (
      insert into reservations (${columns}, made_at)
      select wanted.*, ${at}::timestamptz from wanted where account_id in (select account_id from able)
    )
    select account_id, coalesce(held.available, 0) as available, able.account_id is not null as granted
    from needed left join held using (account_id) left join able using (account_id)`.execute(tx)
  return new Map(rows.map(({ account_id, ...grant }) => [account_id, grant]))
}

type ReservationRow = Omit<Selectable<Tables['reservations']>, 'made_at'>

/** Returns the reservations deleted; a call settled before has none. */
export async function deleteReservations(tx: Database, callIds: string[]): Promise<Reservation[]> {
  const { rows } = await sql<ReservationRow>`
    delete from reservations where call_id = any(${callIds}::uuid[]) returning ${columns}`.execute(tx)
  return rows.map(toReservation)
}

export async function readReservations(tx: Database, callIds: string[]): Promise<Reservation[]> {
  const { rows } = await sql<ReservationRow>`
    select ${columns} from reservations where call_id = any(${callIds}::uuid[])`.execute(tx)
  return rows.map(toReservation)
}

const extendedReservations = defineUnnest<Reservation>('extended', {
  call_id: ['uuid', ({ callId }) => callId],
  amount: ['bigint', ({ amount }) => amount],
  seconds: ['int', ({ seconds }) => seconds],
})

export async function updateReservations(tx: Database, reservations: Reservation[]) {
  await sql`
    update reservations set amount = extended.amount, seconds = extended.seconds
    from ${extendedReservations.sql(reservations)}
    where reservations.call_id = extended.call_id`.execute(tx)
}

function toReservation(row: ReservationRow): Reservation {
  const { prefix, name, minute_price: minutePrice, first_block: firstBlock, step, grace } = row
  return {
    callId: row.call_id,
    accountId: row.account_id,
    amount: row.amount,
    seconds: row.seconds,
    rate: { prefix, name, minutePrice, firstBlock, step, grace },
  }
}
