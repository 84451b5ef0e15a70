/**
 * SQL of reservations. They are locked before the balances of their accounts, so no deadlock; a new one is inserted with
 * its balance locked.
 */
import { CompiledQuery, type Selectable, sql } from 'kysely'
import type { Centavos } from '../../kit/money.ts'
import type { Database } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'
import { defineUnnest } from '../../store/unnest.ts'
import type { Rate } from '../tariff/rate.ts'
import type { DailyCeilings } from './daily-use.ts'
import { dayGoesOn } from './daily-use-sql.ts'

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

/** What an account had left before, and whether all its reservations were made. */
export type AccountGrant = {
  granted: boolean
  available: Centavos
  /** D193: of its day. */
  callsLeft: number
  spendingLeft: Centavos
  dayBegan: Date | null
}

const dailyCeilings = defineUnnest<[accountId: number, DailyCeilings]>('ceiling', {
  account_id: ['bigint', ([accountId]) => accountId],
  calls: ['bigint', ([, { calls }]) => calls],
  spending: ['bigint', ([, { spending }]) => spending],
})

/** The parameters after those of the reservations and the ceilings. */
const firstOfCeilings = wantedReservations.names.length + 1
const accounts = `$${firstOfCeilings + dailyCeilings.names.length}::bigint[]`
const at = `$${firstOfCeilings + dailyCeilings.names.length + 1}::timestamptz`
const goesOn = dayGoesOn('balances', at)

/** Compiled once: it runs for every call that is placed. */
const makeText = `
  with wanted as (
    select * from ${wantedReservations.text()}
  ), needed as (
    select account_id, sum(amount)::bigint as amount, count(*) as calls from wanted group by account_id
  ), held as (
    select account_id, balance - reserved as available, reserved, day_began,
      case when ${goesOn} then day_calls else 0 end as calls,
      case when ${goesOn} then day_spent else 0 end as spent
    from balances
    where account_id = any(${accounts})
    order by account_id for no key update
  ), room as (
    select account_id, needed.amount, needed.calls, coalesce(held.available, 0) as available, held.day_began,
      ceiling.calls - coalesce(held.calls, 0) as calls_left,
      ceiling.spending - coalesce(held.spent + held.reserved, 0) as spending_left,
      held.account_id is null as is_new
    from needed left join held using (account_id) join ${dailyCeilings.text(firstOfCeilings)} using (account_id)
  ), able as (
    select * from room
    where calls <= calls_left and (amount = 0 or (amount <= available and amount <= spending_left))
  ), updated as (
    update balances set
      reserved = reserved + able.amount,
      day_began = case when ${goesOn} then balances.day_began else ${at} end,
      day_calls = case when ${goesOn} then day_calls else 0 end + able.calls,
      day_spent = case when ${goesOn} then day_spent else 0 end
    from able where balances.account_id = able.account_id
  ), begun as (
    insert into balances (account_id, balance, day_began, day_calls)
    select account_id, 0, ${at}, calls from able where is_new order by account_id
    on conflict (account_id) do update set day_calls = balances.day_calls + excluded.day_calls
  ), made as (
    insert into reservations (${wantedReservations.names.join(', ')}, made_at)
    select wanted.*, ${at} from wanted where account_id in (select account_id from able)
  )
  select account_id as "accountId", room.available, room.calls_left as "callsLeft",
    room.spending_left as "spendingLeft", room.day_began as "dayBegan", able.account_id is not null as granted
  from room left join able using (account_id)`

/**
 * For each account, makes all its reservations or, if its balance or its day (D193) does not cover them, none. Either way
 * its balance stays locked until the transaction ends; balances are locked in id order, so no deadlock.
 */
export async function makeReservations(
  tx: Database,
  now: Date,
  wanted: Reservation[],
  ceilings: Map<number, DailyCeilings>,
): Promise<Map<number, AccountGrant>> {
  const accountIds = [...new Set(wanted.map(({ accountId }) => accountId))]
  const { rows } = await tx.executeQuery<AccountGrant & { accountId: number }>(
    CompiledQuery.raw(makeText, [
      ...wantedReservations.values(wanted),
      ...dailyCeilings.values([...ceilings]),
      accountIds,
      now,
    ]),
  )
  return new Map(rows.map(({ accountId, ...grant }) => [accountId, grant]))
}

/** Takes calls back that were counted and not placed. */
export async function uncountCalls(tx: Database, accountIds: number[]) {
  await sql`
    update balances set day_calls = greatest(0, day_calls - given.calls)
    from (select account_id, count(*) as calls from unnest(${accountIds}::bigint[]) as one (account_id) group by 1) given
    where balances.account_id = given.account_id`.execute(tx)
}

type ReservationRow = Omit<Selectable<Tables['reservations']>, 'made_at'>

/** Returns the reservations deleted; a call settled before has none. */
export async function deleteReservations(tx: Database, callIds: string[]): Promise<Reservation[]> {
  const { rows } = await sql<ReservationRow>`
    delete from reservations where call_id = any(${callIds}::uuid[]) returning ${columns}`.execute(tx)
  return rows.map(toReservation)
}

/** Until the transaction ends. Those that a call that ends just now releases are left out. */
export async function lockReservations(tx: Database, callIds: string[]): Promise<Reservation[]> {
  const { rows } = await sql<ReservationRow>`
    select ${columns} from reservations where call_id = any(${callIds}::uuid[])
    for no key update skip locked`.execute(tx)
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
