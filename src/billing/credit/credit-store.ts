/** SQL of reservations. Whoever changes them holds the balances of their accounts. */
import { sql } from 'kysely'
import type { Database } from '../../store/database.ts'
import type { Rate } from '../tariff/rate.ts'

export type Reservation = {
  callId: string
  accountId: number
  /** Centavos set aside. */
  amount: number
  /** How long may be talked for them. */
  seconds: number
  rate: Rate
}

export async function insertReservations(tx: Database, at: Date, reservations: Reservation[]) {
  const column = <T>(of: (one: Reservation) => T) => reservations.map(of)
  await sql`
    insert into reservations (call_id, account_id, amount, seconds, minute_price, first_block, step, grace, prefix, name, made_at)
    select *, ${at}::timestamptz from unnest(
      ${column(({ callId }) => callId)}::uuid[], ${column(({ accountId }) => accountId)}::bigint[],
      ${column(({ amount }) => amount)}::bigint[], ${column(({ seconds }) => seconds)}::int[],
      ${column(({ rate }) => rate.minutePrice)}::bigint[], ${column(({ rate }) => rate.firstBlock)}::int[],
      ${column(({ rate }) => rate.step)}::int[], ${column(({ rate }) => rate.grace)}::int[],
      ${column(({ rate }) => rate.prefix)}::text[], ${column(({ rate }) => rate.name)}::text[])`.execute(tx)
}

type Row = {
  call_id: string
  account_id: number
  amount: number
  seconds: number
  minute_price: number
  first_block: number
  step: number
  grace: number
  prefix: string
  name: string
}

const columns = sql.raw(
  'call_id, account_id, amount, seconds, minute_price, first_block, step, grace, prefix, name',
)

/** Those of these calls that are still there. */
export async function deleteReservations(tx: Database, callIds: string[]): Promise<Reservation[]> {
  const { rows } = await sql<Row>`
    delete from reservations where call_id = any(${callIds}::uuid[]) returning ${columns}`.execute(tx)
  return rows.map(toReservation)
}

export async function readReservations(tx: Database, callIds: string[]): Promise<Reservation[]> {
  const { rows } = await sql<Row>`
    select ${columns} from reservations where call_id = any(${callIds}::uuid[])`.execute(tx)
  return rows.map(toReservation)
}

export async function updateReservations(tx: Database, reservations: Reservation[]) {
  await sql`
    update reservations set amount = larger.amount, seconds = larger.seconds
    from unnest(${reservations.map(({ callId }) => callId)}::uuid[],
      ${reservations.map(({ amount }) => amount)}::bigint[],
      ${reservations.map(({ seconds }) => seconds)}::int[]) as larger (call_id, amount, seconds)
    where reservations.call_id = larger.call_id`.execute(tx)
}

function toReservation(row: Row): Reservation {
  const { prefix, name, minute_price: minutePrice, first_block: firstBlock, step, grace } = row
  return {
    ...{ callId: row.call_id, accountId: row.account_id, amount: row.amount, seconds: row.seconds },
    rate: { prefix, name, minutePrice, firstBlock, step, grace },
  }
}
