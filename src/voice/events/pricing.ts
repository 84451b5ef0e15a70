/** Prices calls in the transaction that ends them (D15: prices are null until then, D40: what is free). */
import type { Credit } from '../../billing/credit/credit.ts'
import type { Database } from '../../store/database.ts'
import type { CallSnapshot } from '../announcer.ts'
import { type CallPrice, updatePrices } from './pricing-store.ts'

type PricedCall = Pick<CallSnapshot, 'id' | 'account_id' | 'call_type' | 'to_number' | 'duration'>

/** D40: internal and inbound calls are free, and so are calls that nobody answered. `pay` locks the balances. */
export async function priceCalls(tx: Database, credit: Pick<Credit, 'price'>, ended: PricedCall[]) {
  const { settled, pay } = await credit.price(
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
  const prices = new Map<string, CallPrice>(ended.map(({ id }) => [id, settled.get(id) ?? free]))
  return { prices, pay }
}

/** For calls whose end is stored already. */
export async function priceEnded(tx: Database, credit: Pick<Credit, 'price'>, ended: PricedCall[]) {
  if (ended.length === 0) return
  const { prices, pay } = await priceCalls(tx, credit, ended)
  await updatePrices(tx, prices)
  await pay()
}

const free: CallPrice = { minutePrice: 0, price: 0, pricing: null }
