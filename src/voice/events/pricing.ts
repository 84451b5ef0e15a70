/** Prices calls in the transaction that ends them (D15: prices are null until then, D40: what is free). */
import type { Credit } from '../../billing/credit/credit.ts'
import type { Database } from '../../store/database.ts'
import type { CallSnapshot } from '../announcer.ts'
import { type CallPrice, updatePrices } from './pricing-store.ts'

type PricedCall = Pick<CallSnapshot, 'id' | 'account_id' | 'call_type' | 'to_number' | 'duration'>

/** Settles ended calls. D40: internal and inbound calls are free, and so are calls that nobody answered. */
export async function pricesOf(
  tx: Database,
  credit: Pick<Credit, 'settle'>,
  ended: PricedCall[],
): Promise<Map<string, CallPrice>> {
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
  return new Map(ended.map(({ id }) => [id, settled.get(id) ?? free]))
}

/** For calls whose end is stored already. */
export async function priceEnded(tx: Database, credit: Pick<Credit, 'settle'>, ended: PricedCall[]) {
  if (ended.length > 0) await updatePrices(tx, await pricesOf(tx, credit, ended))
}

const free: CallPrice = { minutePrice: 0, price: 0, pricing: null }
