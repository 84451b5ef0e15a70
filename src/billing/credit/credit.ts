/**
 * Prepaid credit for calls (D41): reserved when a call is placed, extended while it lasts, settled when it ends.
 * Credit reserved for one call cannot be spent by another.
 *
 *   reserved ──▶ extended … ──▶ settled
 *       └───────────────────────▲
 */

import type { Clock } from '../../kit/clock.ts'
import type { Maybe } from '../../kit/maybe.ts'
import type { Centavos, MinutePrice } from '../../kit/text/money.ts'
import type { Statements } from '../../store/connection/pipeline.ts'
import type { Database } from '../../store/database.ts'
import { availableOf, type Ledger, type Posting } from '../ledger/ledger.ts'
import { lockBalances, type NewEntry } from '../ledger/ledger-store.ts'
import { statementLines } from '../ledger/statement-lines.ts'
import { explain, longestFor, type Pricing, priceOf, type Rate, secondsFor } from '../tariff/rate.ts'
import type { Tariff } from '../tariff/tariff.ts'
import {
  type AccountRoom,
  deleteReservations,
  lockReservations,
  makeReservations,
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

/** By the id of the call. `placed`: those stored by the statement; `listened`: of which webhooks must be notified. */
export type Reserved = {
  answers: Map<string, ReservationAnswer>
  placed: Set<string>
  listened: Set<string>
}

export type ExtendRequest = { callId: string; accountId: number; talkSeconds: number }

export type EndedCall = {
  callId: string
  accountId: number
  destination: string
  /** Talk time; 0 if the call was not answered. */
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
   * One statement, which needs no transaction around it: an account that cannot have all its calls gets none. `storing`
   * stores the calls in the same statement; those that it does not insert get no credit.
   */
  async function reserveWhole(db: Statements, requests: ReservationRequest[], storing?: Storing) {
    const wanted = requests.map(wholeReservation).filter((one) => one !== undefined)
    if (wanted.length === 0 && !storing) return nothingReserved()
    const now = clock.now()
    const { rooms, placed, listened } = await makeReservations(db, now, wanted, ceilingsBy(requests), storing)
    const grants = new Map<string, Grant>()
    for (const one of wanted) {
      const room = rooms.get(one.accountId)
      if (room && placed.has(one.callId)) grants.set(one.callId, takeFrom(room, one))
    }
    return { wanted, rooms, grants, placed, listened }
  }

  /**
   * In a transaction. Requests of one account are served first come, first served: of an account that cannot have all its
   * calls, each gets what those before it left. A call without an answer could be paid, and `storing` did not insert it.
   */
  async function reserve(
    tx: Statements,
    requests: ReservationRequest[],
    storing?: (only?: ReadonlySet<string>) => Storing,
  ): Promise<Reserved> {
    const { wanted, rooms, grants, placed, listened } = await reserveWhole(tx, requests, storing?.())
    const now = clock.now()
    const answers = new Map<string, ReservationAnswer>(
      requests.map(({ callId }) => [callId, grants.get(callId) ?? 'no rate']),
    )
    const short: Reservation[] = []
    for (const one of wanted.filter(({ callId }) => !grants.has(callId))) {
      const room = rooms.get(one.accountId)
      const refusal = room ? !room.isAble && refusalOf(one, room, now) : 'insufficient'
      if (refusal) answers.set(one.callId, refusal)
      else answers.delete(one.callId)
      if (refusal || !room || room.isAble) continue
      const made = reservationOf(one, secondsFor(one.rate, leftOf(room), reservedSeconds))
      short.push(made)
      grants.set(one.callId, takeFrom(room, made))
    }
    if (short.length > 0) {
      const only = new Set(short.map(({ callId }) => callId))
      const second = await makeReservations(tx, now, short, ceilingsBy(requests), storing?.(only))
      for (const id of second.placed) {
        placed.add(id)
        const grant = grants.get(id)
        if (grant) answers.set(id, grant)
      }
      for (const id of second.listened) listened.add(id)
    }
    return { answers, placed, listened }
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

  return { reserveWhole, reserve, extend, takeReservations, price, pay, payUnlessLow, settle }
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

function nothingReserved() {
  return {
    wanted: [] as Reservation[],
    rooms: new Map<number, AccountRoom>(),
    grants: new Map<string, Grant>(),
    placed: new Set<string>(),
    listened: new Set<string>(),
  }
}

function takeFrom(room: AccountRoom, { rate, seconds, amount }: Reservation): Grant {
  room.available -= amount
  room.spendingLeft -= amount
  room.callsLeft -= 1
  return { rate, talkSeconds: seconds, available: leftOf(room) }
}

function leftOf({ available, spendingLeft }: AccountRoom): Centavos {
  return Math.max(0, Math.min(available, spendingLeft))
}

/** Why the account cannot have even the shortest call. */
function refusalOf(
  { rate }: Reservation,
  account: AccountRoom,
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
