/** Prices calls in the transaction that ends them (D15: prices are null until then, D40: what is free). */
import type { Credit } from '../../billing/credit/credit.ts'
import type { Statements } from '../../store/connection/pipeline.ts'
import type { Database } from '../../store/database.ts'
import type { CallSnapshot } from '../announcer.ts'
import { type CallPrice, updatePrices } from './pricing-store.ts'

type PricedCall = Pick<CallSnapshot, 'id' | 'account_id' | 'call_type' | 'to_number' | 'duration'>
type Reservations = Awaited<ReturnType<Credit['takeReservations']>>

/** D40: only outbound calls cost something. Those that nobody answered have lasted 0 seconds. */
const isChargeable = ({ call_type }: PricedCall) => call_type === 'outbound'

export async function takeReservations(
  tx: Statements,
  credit: Pick<Credit, 'takeReservations'>,
  ended: PricedCall[],
): Promise<Reservations> {
  return await credit.takeReservations(
    tx,
    ended.filter(isChargeable).map(({ id }) => id),
  )
}

/** The bill must be paid in the same transaction. */
export async function priceCalls(
  tx: Statements,
  credit: Pick<Credit, 'price'>,
  ended: PricedCall[],
  reservations: Reservations,
) {
  const paid = ended.filter(isChargeable).map((call) => ({
    callId: call.id,
    accountId: call.account_id,
    destination: call.to_number,
    seconds: call.duration,
  }))
  const { settled, bill } = await credit.price(tx, paid, reservations)
  const prices = new Map<string, CallPrice>(ended.map(({ id }) => [id, settled.get(id) ?? free]))
  return { prices, bill }
}

/** For calls whose end is stored already. Returns the prices by the ids of the calls. */
export async function priceEnded(
  tx: Database,
  credit: Pick<Credit, 'takeReservations' | 'price' | 'pay'>,
  ended: PricedCall[],
): Promise<Map<string, CallPrice>> {
  if (ended.length === 0) return new Map()
  const reservations = await takeReservations(tx, credit, ended)
  const { prices, bill } = await priceCalls(tx, credit, ended, reservations)
  await updatePrices(tx, prices)
  await credit.pay(tx, bill)
  return prices
}

const free: CallPrice = { minutePrice: 0, price: 0, pricing: null }
