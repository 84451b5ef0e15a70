/** Prices calls in the transaction that ends them (D15: prices are null until then, D40: what is free). */
import type { Credit } from '../../billing/credit/credit.ts'
import type { Database } from '../../store/database.ts'
import type { CallSnapshot } from '../announcer.ts'
import { updatePrices } from './pricing-store.ts'

/** D40: internal and inbound calls are free, and so are calls that nobody answered. */
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
  const prices = ended.map(({ id }) => ({
    id,
    ...(settled.get(id) ?? { minutePrice: 0, price: 0, pricing: null }),
  }))
  await updatePrices(tx, prices)
}
