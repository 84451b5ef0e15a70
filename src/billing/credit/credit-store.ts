/**
 * SQL of reservations. They are locked before the balances of their accounts, so no deadlock; a new one is inserted with
 * its balance locked.
 */
import { CompiledQuery, type Selectable, sql } from 'kysely'
import type { Centavos } from '../../kit/text/money.ts'
import type { Statements } from '../../store/connection/pipeline.ts'
import type { Database } from '../../store/database.ts'
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

/** Credit and calls that an account had left before. */
export type AccountRoom = {
  /** Whether it covers all calls wanted at once. */
  isAble: boolean
  available: Centavos
  /** D193: of its day. */
  callsLeft: number
  spendingLeft: Centavos
  dayBegan: Date | null
}

/** `listened`: calls placed of which webhooks must be notified. */
type Reserved = { rooms: Map<number, AccountRoom>; placed: Set<string>; listened: Set<string> }
type ReservedRow = AccountRoom & { accountId: number | null; placed: string[]; listened: string[] }

const reserveOnly: Storing = { text: reservingText(), values: [] }

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
  storing = reserveOnly,
): Promise<Reserved> {
  const accountIds = [...new Set(wanted.map(({ accountId }) => accountId))]
  const { rows } = await tx.executeQuery<ReservedRow>(
    CompiledQuery.raw(storing.text, [
      ...wantedReservations.values(wanted),
      ...dailyCeilings.values([...ceilings]),
      accountIds,
      now,
      ...storing.values,
    ]),
  )
  return {
    rooms: new Map(rows.flatMap((row) => (row.accountId === null ? [] : [[row.accountId, row]]))),
    placed: new Set(rows.flatMap(({ placed }) => placed)),
    listened: new Set(rows.flatMap(({ listened }) => listened)),
  }
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
