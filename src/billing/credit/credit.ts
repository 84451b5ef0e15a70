/**
 * Credit for calls, paid before they are made (D41): set aside when a call is placed, more of it while people talk,
 * and spent when it ends. What is set aside for one call no other can spend.
 *
 *   reserved ──▶ extended … ──▶ settled
 *       └───────────────────────▲
 */
import type { Clock } from '../../kit/clock.ts'
import type { Database } from '../../store/database.ts'
import { availableOf, type Ledger } from '../ledger/ledger.ts'
import { lockBalances } from '../ledger/ledger-store.ts'
import { explain, longestFor, type Pricing, priceOf, type Rate, secondsFor } from '../tariff/rate.ts'
import type { Tariff } from '../tariff/tariff.ts'
import {
  deleteReservations,
  makeReservations,
  type Reservation,
  readReservations,
  updateReservations,
} from './credit-store.ts'

/** D41: the first minutes. Enough for most calls, and little enough that ten calls do not tie up an account. */
export const reservedSeconds = 60

export type Wish = { accountId: number; callId: string; destination: string }

/** `no rate`: the tariff does not know such numbers. */
export type Granted = { rate: Rate; talkSeconds: number } | 'insufficient' | 'no rate'

export type Extension = { callId: string; accountId: number; talkSeconds: number }

export type Ended = {
  callId: string
  accountId: number
  destination: string
  /** Of talk; 0 if nobody answered. */
  seconds: number
}

export type Settled = { minutePrice: number; price: number; pricing: Pricing }

type Deps = { db: Database; clock: Clock; ledger: Ledger; tariff: Tariff }

export function createCredit({ db, clock, ledger, tariff }: Deps) {
  /** One answer for each wish, in their order; of one account the first come first. */
  async function reserve(tx: Database, wishes: Wish[]): Promise<Granted[]> {
    const whole = wishes.map(({ accountId, callId, destination }) => {
      const rate = tariff.rateOf(accountId, destination)
      return rate && reservationOf({ accountId, callId, rate }, longestFor(rate, reservedSeconds))
    })
    const priced = whole.filter((one) => one !== undefined)
    if (priced.length === 0) return wishes.map(() => 'no rate')
    const asked = await makeReservations(tx, clock.now(), priced)
    const short: Reservation[] = []
    const answers = whole.map((one): Granted => {
      if (!one) return 'no rate'
      const account = asked.get(one.accountId)
      if (account?.granted) return { rate: one.rate, talkSeconds: one.seconds }
      // Not enough for all of them: each takes what the ones before it have left.
      const available = Math.max(0, account?.available ?? 0)
      const seconds = secondsFor(one.rate, available, reservedSeconds)
      if (seconds === 0) return 'insufficient'
      const made = reservationOf(one, seconds)
      if (account) account.available = available - made.amount
      short.push(made)
      return { rate: one.rate, talkSeconds: seconds }
    })
    if (short.length > 0) await makeReservations(tx, clock.now(), short)
    return answers
  }

  /**
   * So that the calls may last as long as wished, or as long as there is money for. Says how long each may last now;
   * a call that it does not name is over.
   */
  async function extend(wishes: Extension[]): Promise<Map<string, number>> {
    if (wishes.length === 0) return new Map()
    return await db.transaction().execute(async (tx) => {
      const balances = await lockBalances(tx, [...new Set(wishes.map(({ accountId }) => accountId))])
      const left = new Map([...balances].map(([accountId, balance]) => [accountId, availableOf(balance)]))
      const wished = new Map(wishes.map(({ callId, talkSeconds }) => [callId, talkSeconds]))
      const before = await readReservations(tx, [...wished.keys()])
      const grown: Reservation[] = []
      const added: { accountId: number; amount: number }[] = []
      for (const one of before) {
        const { callId, accountId, amount, rate } = one
        const available = Math.max(0, left.get(accountId) ?? 0)
        const seconds = secondsFor(rate, amount + available, wished.get(callId) ?? 0)
        if (seconds <= one.seconds) continue
        const price = Math.max(amount, priceOf(rate, seconds))
        left.set(accountId, available - (price - amount))
        grown.push({ ...one, amount: price, seconds })
        if (price > amount) added.push({ accountId, amount: price - amount })
      }
      if (grown.length > 0) await updateReservations(tx, grown)
      if (added.length > 0) await ledger.post(tx, { entries: [], reserved: added })
      const seconds = new Map(before.map((one) => [one.callId, one.seconds]))
      for (const one of grown) seconds.set(one.callId, one.seconds)
      return seconds
    })
  }

  /**
   * In the transaction that ends the calls. A call without reservation, one that costs nothing or was settled before,
   * has no answer. One that lasted longer than was paid for takes what else there is, and the rest is forgiven.
   */
  async function settle(tx: Database, ended: Ended[]): Promise<Map<string, Settled>> {
    const settled = new Map<string, Settled>()
    if (ended.length === 0) return settled
    const balances = await lockBalances(tx, [...new Set(ended.map(({ accountId }) => accountId))])
    const left = new Map([...balances].map(([accountId, balance]) => [accountId, availableOf(balance)]))
    const calls = new Map(ended.map((call) => [call.callId, call]))
    const gone = await deleteReservations(tx, [...calls.keys()])
    const entries = gone.flatMap(({ callId, accountId, amount: reserved, rate }) => {
      const { seconds = 0, destination = '' } = calls.get(callId) ?? {}
      const price = priceOf(rate, seconds)
      const available = Math.max(0, left.get(accountId) ?? 0)
      const paid = Math.min(price, reserved + available)
      left.set(accountId, (left.get(accountId) ?? 0) + reserved - paid)
      const pricing = explain(rate, seconds, price - paid)
      settled.set(callId, { minutePrice: rate.minutePrice, price: paid, pricing })
      if (paid === 0) return []
      const reference = `call:${callId}`
      return [
        { accountId, kind: 'call' as const, amount: -paid, reference, description: `Call to ${destination}` },
      ]
    })
    const reserved = gone.map(({ accountId, amount }) => ({ accountId, amount: -amount }))
    if (gone.length > 0) await ledger.post(tx, { entries, reserved })
    return settled
  }

  return { reserve, extend, settle }
}
export type Credit = ReturnType<typeof createCredit>

function reservationOf(
  call: Pick<Reservation, 'callId' | 'accountId' | 'rate'>,
  seconds: number,
): Reservation {
  const { callId, accountId, rate } = call
  return { callId, accountId, rate, seconds, amount: priceOf(rate, seconds) }
}
