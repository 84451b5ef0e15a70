/** SQL of the prices of ended calls. */
import { sql } from 'kysely'
import type { Database } from '../../store/database.ts'
import { defineUnnest } from '../../store/unnest.ts'

export type CallPrice = { minutePrice: number; price: number; pricing: Record<string, unknown> | null }

const priced = defineUnnest<[id: string, CallPrice]>('priced', {
  id: ['uuid', ([id]) => id],
  minute_price: ['bigint', ([, { minutePrice }]) => minutePrice],
  price: ['bigint', ([, { price }]) => price],
  pricing: ['jsonb', ([, { pricing }]) => (pricing ? JSON.stringify(pricing) : null)],
})

/** By the id of the call. */
export async function updatePrices(tx: Database, prices: Map<string, CallPrice>) {
  await sql`
    update calls set minute_price = priced.minute_price, call_price = priced.price, pricing = priced.pricing
    from ${priced.sql([...prices])}
    where calls.id = priced.id and calls.id = any(${[...prices.keys()]}::uuid[])`.execute(tx)
}

/** Reservations without a live call, for `ledger verify`. Always empty unless there is a bug. */
export async function findStrayReservations(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('reservations')
    .leftJoin('calls', (join) =>
      join.onRef('calls.id', '=', 'reservations.call_id').on('calls.ended_at', 'is', null),
    )
    .leftJoin('number_calls', (join) =>
      join.onRef('number_calls.id', '=', 'reservations.call_id').on('number_calls.ended_at', 'is', null),
    )
    .select(['reservations.call_id', 'reservations.account_id'])
    .where('calls.id', 'is', null)
    .where('number_calls.id', 'is', null)
    .execute()
  return rows.map(
    ({ call_id, account_id }) =>
      `account ${account_id}: credit is set aside for call ${call_id}, which is over`,
  )
}
