/**
 * SQL of reservations. They are locked before the balances of their accounts, so no deadlock; a new one is inserted with
 * its balance locked.
 */
import { CompiledQuery, type Selectable, sql } from 'kysely'
import type { Centavos } from '../../kit/money.ts'
import type { Database } from '../../store/database.ts'
import type { Statements } from '../../store/pipeline.ts'
import type { Tables } from '../../store/tables.ts'
import { defineUnnest } from '../../store/unnest.ts'
import type { DailyCeilings } from './daily-use.ts'
import {
  dailyCeilings,
  type Reservation,
  reservingText,
  type Storing,
  wantedReservations,
} from './reserving-sql.ts'

const columns = wantedReservations.names.join(', ')

/** What an account had left before, and the calls whose reservations were made. */
export type AccountGrant = {
  placed: string[]
  available: Centavos
  /** D193: of its day. */
  callsLeft: number
  spendingLeft: Centavos
  dayBegan: Date | null
}

const reserveOnly = reservingText()

/**
 * For each account, makes all its reservations or, if its balance or its day (D193) does not cover them, none. Either way
 * its balance stays locked until the transaction ends; balances are locked in id order, so no deadlock. `storing` stores
 * the calls too: only those stored are granted.
 */
export async function makeReservations(
  tx: Statements,
  now: Date,
  wanted: Reservation[],
  ceilings: Map<number, DailyCeilings>,
  storing: Storing = { text: reserveOnly, values: [] },
): Promise<Map<number, AccountGrant>> {
  const accountIds = [...new Set(wanted.map(({ accountId }) => accountId))]
  const { rows } = await tx.executeQuery<AccountGrant & { accountId: number }>(
    CompiledQuery.raw(storing.text, [
      ...wantedReservations.values(wanted),
      ...dailyCeilings.values([...ceilings]),
      accountIds,
      now,
      ...storing.values,
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

const deleteText = `delete from reservations where call_id = any($1::uuid[]) returning ${columns}`

/** Returns the reservations deleted; a call settled before has none. */
export async function deleteReservations(tx: Statements, callIds: string[]): Promise<Reservation[]> {
  const { rows } = await tx.executeQuery<ReservationRow>(CompiledQuery.raw(deleteText, [callIds]))
  return rows.map(toReservation)
}

/** Until the transaction ends. Those that a call that ends just now releases are left out. */
export async function lockReservations(tx: Database, callIds: string[]): Promise<Reservation[]> {
  const { rows } = await sql<ReservationRow>`
    select ${sql.raw(columns)} from reservations where call_id = any(${callIds}::uuid[])
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
