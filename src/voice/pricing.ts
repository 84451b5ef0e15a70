/** What calls cost, stored with them in the transaction that ends them (D15, D40). */
import { sql } from 'kysely'
import type { Credit } from '../billing/credit/credit.ts'
import type { Database } from '../store/database.ts'
import type { CallSnapshot } from './announcer.ts'

/** Calls among colleagues and from outside are free, and so is one that never was (D40). */
export async function priceEnded(tx: Database, credit: Pick<Credit, 'settle'>, ended: CallSnapshot[]) {
  if (ended.length === 0) return
  const settled = await credit.settle(
    tx,
    ended
      .filter(({ call_type }) => call_type === 'outbound')
      .map((call) => ({
        callId: call.id,
        accountId: call.account_id,
        destination: call.to_number,
        seconds: call.duration,
      })),
  )
  const prices = ended.map(({ id }) => settled.get(id) ?? { minutePrice: 0, price: 0, pricing: null })
  await sql`
    update calls set minute_price = priced.minute_price, call_price = priced.price, pricing = priced.pricing
    from unnest(${ended.map(({ id }) => id)}::uuid[], ${prices.map(({ minutePrice }) => minutePrice)}::bigint[],
      ${prices.map(({ price }) => price)}::bigint[],
      ${prices.map(({ pricing }) => (pricing ? JSON.stringify(pricing) : null))}::jsonb[]
    ) as priced (id, minute_price, price, pricing)
    where calls.id = priced.id and calls.id = any(${ended.map(({ id }) => id)}::uuid[])`.execute(tx)
}

/** Reservations that no call under way stands for: there are none. */
export async function findStrayReservations(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('reservations')
    .leftJoin('calls', (join) =>
      join.onRef('calls.id', '=', 'reservations.call_id').on('calls.ended_at', 'is', null),
    )
    .select(['reservations.call_id', 'reservations.account_id'])
    .where('calls.id', 'is', null)
    .execute()
  return rows.map(
    ({ call_id, account_id }) =>
      `account ${account_id}: credit is set aside for call ${call_id}, which is over`,
  )
}
