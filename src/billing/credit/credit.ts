/**
 * Prepaid credit for calls (D41): reserved when a call is placed, extended while it lasts, settled when it ends.
 * Credit reserved for one call cannot be spent by another.
 *
 *   reserved ──▶ extended … ──▶ settled
 *       └───────────────────────▲
 */

import type { Clock } from '../../kit/clock.ts'
import type { Maybe } from '../../kit/maybe.ts'
import type { Centavos, MinutePrice } from '../../kit/money.ts'
import type { Database } from '../../store/database.ts'
import type { Statements } from '../../store/pipeline.ts'
import { availableOf, type Ledger, type Posting } from '../ledger/ledger.ts'
import { lockBalances, type NewEntry } from '../ledger/ledger-store.ts'
import { statementLines } from '../ledger/statement-lines.ts'
import { explain, longestFor, type Pricing, priceOf, type Rate, secondsFor } from '../tariff/rate.ts'
import type { Tariff } from '../tariff/tariff.ts'
import {
  type AccountGrant,
  deleteReservations,
  lockReservations,
  makeReservations,
  uncountCalls,
  updateReservations,
} from './credit-store.ts'
import { type DailyCeilings, dailyUseOf, endOf, noCeilings } from './daily-use.ts'
import type { Reservation, Storing } from './reserving-sql.ts'

/** D41: the talk time reserved at first; short, so that ten calls at once do not tie up an account. */
export const reservedSeconds = 60

export type ReservationRequest = {
  accountId: number
  callId: string
  destination: string
  /** D193: of the account; none unless given. */
  ceilings?: DailyCeilings | undefined
}

/** D193: the ceiling that the account has reached until its day ends. */
export type DailyRefusal = { reached: 'calls' | 'spending'; endsAt: Date }

/** Credit reserved for a call; `available` is what the account had left for others, and for more, at that moment. */
export type Grant = { rate: Rate; talkSeconds: number; available: Centavos }

/** `no rate`: the tariff has no rate for the destination. */
export type ReservationAnswer = Grant | DailyRefusal | 'insufficient' | 'no rate'

export type ExtendRequest = { callId: string; accountId: number; talkSeconds: number }

export type EndedCall = {
  callId: string
  accountId: number
  destination: string
  /** Of talk; 0 if the call was not answered. */
  seconds: number
}

export type SettledCall = { minutePrice: MinutePrice; price: Centavos; pricing: Pricing }

/** Prices by call, and what takes them from the balances: to be paid in the same transaction. */
type Settlement = { settled: Map<string, SettledCall>; bill: Posting }

type Deps = {
  db: Database
  clock: Clock
  ledger: Ledger
  tariff: Tariff
  /** D193: for calls that last; none unless given. */
  ceilingsOf?: ((accountId: number) => Maybe<DailyCeilings>) | undefined
  /** A call lasts only as long as the spending of its account's day allows. */
  onSpendingReached?: ((accountId: number, ceiling: Centavos) => void) | undefined
}

export function createCredit({ db, clock, ledger, tariff, ceilingsOf, onSpendingReached }: Deps) {
  function wholeReservation({ accountId, callId, destination }: ReservationRequest): Reservation | undefined {
    const rate = tariff.rateOf(accountId, destination)
    return rate && reservationOf({ accountId, callId, rate }, longestFor(rate, reservedSeconds))
  }

  /**
   * Reserves in the statement that stores the calls, which needs no transaction around it. Returns the calls stored: those
   * of an account that cannot have all its calls are not among them, nor are those that the statement does not insert.
   */
  async function reserveStoring(
    db: Statements,
    requests: ReservationRequest[],
    storing: Storing,
  ): Promise<Map<string, Grant>> {
    const priced = requests.map(wholeReservation).filter((one) => one !== undefined)
    if (priced.length === 0) return new Map()
    const accounts = await makeReservations(db, clock.now(), priced, ceilingsBy(requests), storing)
    const placed = new Set([...accounts.values()].flatMap((account) => account.placed))
    const grants = new Map<string, Grant>()
    for (const { callId, accountId, rate, amount, seconds } of priced) {
      const account = accounts.get(accountId)
      if (!account || !placed.has(callId)) continue
      account.available -= amount
      account.spendingLeft -= amount
      grants.set(callId, { rate, talkSeconds: seconds, available: leftOf(account) })
    }
    return grants
  }

  /** One answer for each request, in their order. Requests of one account are served first come, first served. */
  async function reserve(tx: Statements, requests: ReservationRequest[]): Promise<ReservationAnswer[]> {
    const whole = requests.map(wholeReservation)
    const priced = whole.filter((one) => one !== undefined)
    if (priced.length === 0) return requests.map(() => 'no rate')
    const now = clock.now()
    const ceilings = ceilingsBy(requests)
    const grants = await makeReservations(tx, now, priced, ceilings)
    const short: Reservation[] = []
    const answers = whole.map((one): ReservationAnswer => {
      if (!one) return 'no rate'
      const account = grants.get(one.accountId)
      if (!account) return 'insufficient'
      const isGranted = account.placed.length > 0
      const refusal = isGranted ? undefined : refusalOf(one, account, now)
      if (refusal) return refusal
      // An account that cannot have all its calls: each gets what the calls before it left.
      const seconds = isGranted ? one.seconds : secondsFor(one.rate, leftOf(account), reservedSeconds)
      const made = reservationOf(one, seconds)
      account.available -= made.amount
      account.spendingLeft -= made.amount
      account.callsLeft -= 1
      if (!isGranted) short.push(made)
      return { rate: one.rate, talkSeconds: seconds, available: leftOf(account) }
    })
    if (short.length > 0) await makeReservations(tx, now, short, ceilings)
    return answers
  }

  /**
   * Reserves more, up to the talk time requested or the credit available. Returns what each call has now; a call missing
   * in the result is settled already.
   */
  async function extend(requests: ExtendRequest[]): Promise<Map<string, Grant>> {
    if (requests.length === 0) return new Map()
    const spendingBy = new Map<number, Centavos>()
    for (const id of accountsOf(requests))
      spendingBy.set(id, (await ceilingsOf?.(id))?.spending ?? noCeilings.spending)
    /** Accounts whose day leaves them less than their balance does, and those with a call that ends because of it. */
    const cut = new Set<number>()
    const reached = new Set<number>()
    const paid = await db.transaction().execute(async (tx) => {
      const wantedSeconds = new Map(requests.map(({ callId, talkSeconds }) => [callId, talkSeconds]))
      const before = await lockReservations(tx, [...wantedSeconds.keys()])
      const balances = await lockBalances(tx, accountsOf(before))
      const availableBy = new Map<number, Centavos>()
      for (const [accountId, balance] of balances) {
        const { spent } = dailyUseOf(balance, clock.now())
        const ofDay = (spendingBy.get(accountId) ?? 0) - spent - balance.reserved
        availableBy.set(accountId, Math.min(availableOf(balance), ofDay))
        if (ofDay < availableOf(balance)) cut.add(accountId)
      }
      const grown: Reservation[] = []
      const added: { accountId: number; amount: Centavos }[] = []
      for (const one of before) {
        const { callId, accountId, amount, rate } = one
        const available = Math.max(0, availableBy.get(accountId) ?? 0)
        const wanted = wantedSeconds.get(callId) ?? 0
        const seconds = secondsFor(rate, amount + available, wanted)
        if (seconds < wanted && cut.has(accountId)) reached.add(accountId)
        if (seconds <= one.seconds) continue
        const price = Math.max(amount, priceOf(rate, seconds))
        availableBy.set(accountId, available - (price - amount))
        grown.push({ ...one, amount: price, seconds })
        if (price > amount) added.push({ accountId, amount: price - amount })
      }
      if (grown.length > 0) await updateReservations(tx, grown)
      if (added.length > 0) await ledger.post(tx, { entries: [], reserved: added })
      const secondsOf = new Map(grown.map(({ callId, seconds }) => [callId, seconds]))
      return new Map(
        before.map(({ callId, accountId, rate, seconds }) => {
          const available = Math.max(0, availableBy.get(accountId) ?? 0)
          return [callId, { rate, talkSeconds: secondsOf.get(callId) ?? seconds, available }]
        }),
      )
    })
    for (const accountId of reached) onSpendingReached?.(accountId, spendingBy.get(accountId) ?? 0)
    return paid
  }

  /**
   * Runs in the transaction that ends the calls and has taken their reservations. Calls without one (settled before) are
   * missing in the result. A call that lasted longer than its reservation also takes what is available; the rest is
   * forgiven. Only then the balances are read: otherwise they are locked by `pay`, the last statement of the transaction,
   * so that placing waits less.
   */
  async function price(tx: Statements, ended: EndedCall[], reservations: Reservation[]): Promise<Settlement> {
    const settled = new Map<string, SettledCall>()
    const calls = new Map(ended.map((call) => [call.callId, call]))
    const released = reservations.map((reservation) => {
      const { seconds = 0, destination = '' } = calls.get(reservation.callId) ?? {}
      return { ...reservation, seconds, destination, price: priceOf(reservation.rate, seconds) }
    })
    const outlasted = released.some(({ price, amount }) => price > amount)
    const balances = outlasted ? await lockBalances(tx, accountsOf(released)) : []
    const availableBy = new Map(
      [...balances].map(([accountId, balance]) => [accountId, availableOf(balance)]),
    )
    const entries = released.flatMap((call) => {
      const { callId, accountId, amount: reserved, rate, seconds, destination, price } = call
      const available = Math.max(0, availableBy.get(accountId) ?? 0)
      const paid = Math.min(price, reserved + available)
      availableBy.set(accountId, (availableBy.get(accountId) ?? 0) + reserved - paid)
      const pricing = explain(rate, seconds, price - paid)
      settled.set(callId, { minutePrice: rate.minutePrice, price: paid, pricing })
      if (paid === 0) return []
      const entry: NewEntry = {
        accountId,
        kind: 'call',
        amount: -paid,
        reference: `call:${callId}`,
        description: statementLines.call(destination),
      }
      return [entry]
    })
    const reserved = released.map(({ accountId, amount }) => ({ accountId, amount: -amount }))
    return { settled, bill: { entries, reserved } }
  }

  /** Releases the credit of calls that end; a call settled before has none. */
  async function takeReservations(tx: Statements, callIds: string[]): Promise<Reservation[]> {
    return callIds.length > 0 ? await deleteReservations(tx, callIds) : []
  }

  async function pay(tx: Database, bill: Posting) {
    if (!isEmpty(bill)) await ledger.post(tx, bill)
  }

  /** As the last statement of a pipeline. Fails if a balance becomes low, which needs more than one (`isLowBalance`). */
  async function payUnlessLow(tx: Statements, bill: Posting) {
    if (!isEmpty(bill)) await ledger.postUnlessLow(tx, bill)
  }

  /** All of it at once. */
  async function settle(tx: Database, ended: EndedCall[]): Promise<Map<string, SettledCall>> {
    const reservations = await takeReservations(
      tx,
      ended.map(({ callId }) => callId),
    )
    const { settled, bill } = await price(tx, ended, reservations)
    await pay(tx, bill)
    return settled
  }

  /** For calls that were not placed after all: they cost nothing and do not count. */
  async function release(tx: Database, calls: Pick<EndedCall, 'callId' | 'accountId' | 'destination'>[]) {
    await settle(
      tx,
      calls.map((call) => ({ ...call, seconds: 0 })),
    )
    await uncountCalls(
      tx,
      calls.map(({ accountId }) => accountId),
    )
  }

  return { reserve, reserveStoring, extend, takeReservations, price, pay, payUnlessLow, settle, release }
}
export type Credit = ReturnType<typeof createCredit>

function ceilingsBy(requests: ReservationRequest[]): Map<number, DailyCeilings> {
  return new Map(requests.map(({ accountId, ceilings = noCeilings }) => [accountId, ceilings]))
}

function isEmpty({ entries, reserved = [] }: Posting): boolean {
  return entries.length === 0 && reserved.length === 0
}

function accountsOf(calls: { accountId: number }[]): number[] {
  return [...new Set(calls.map(({ accountId }) => accountId))]
}

function leftOf({ available, spendingLeft }: AccountGrant): Centavos {
  return Math.max(0, Math.min(available, spendingLeft))
}

/** Why the account cannot have even the shortest call. */
function refusalOf(
  { rate }: Reservation,
  account: AccountGrant,
  now: Date,
): 'insufficient' | DailyRefusal | undefined {
  const endsAt = account.dayBegan && endOf(account.dayBegan) > now ? endOf(account.dayBegan) : endOf(now)
  if (account.callsLeft <= 0) return { reached: 'calls', endsAt }
  if (secondsFor(rate, Math.max(0, account.available), reservedSeconds) === 0) return 'insufficient'
  if (secondsFor(rate, leftOf(account), reservedSeconds) === 0) return { reached: 'spending', endsAt }
  return undefined
}

function reservationOf(
  call: Pick<Reservation, 'callId' | 'accountId' | 'rate'>,
  seconds: number,
): Reservation {
  const { callId, accountId, rate } = call
  return { callId, accountId, rate, seconds, amount: priceOf(rate, seconds) }
}
