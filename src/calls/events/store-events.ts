/** Stores events of calls: one transaction for those of many, with prices and announcements. */
import type { Credit } from '../../billing/credit/credit.ts'
import type { Posting } from '../../billing/ledger/ledger.ts'
import type { CallEvent } from '../../engine/port.ts'
import { isLowBalance } from '../../store/connection/database-errors.ts'
import { inPipeline, type Statements } from '../../store/connection/pipeline.ts'
import type { Database } from '../../store/database.ts'
import type { EventReceiver } from '../../webhooks/events-store.ts'
import type { CallAnnouncement } from '../../webhooks/payload.ts'
import type { CallAnnouncer } from '../announcer.ts'
import { type EndedEvent, type Step, type StoredCall, stepsOf } from './call-moves.ts'
import { priceCalls, takeReservations } from './pricing.ts'
import { type CallMove, linkTransfers, lockCalls, updateMoved } from './transitions-store.ts'

/** The event announced to webhooks; that the extension's user picked up is not announced. */
const webhookTypeOf = {
  ringing: 'channel-ringing',
  extensionAnswered: undefined,
  progress: undefined,
  answered: 'channel-answer',
  transferred: 'channel-transfer',
  ended: 'channel-hangup',
} as const

/** What ends calls and prices them. */
export type PaidCredit = Pick<Credit, 'takeReservations' | 'price' | 'pay' | 'payUnlessLow'>

type Deps = { announcer: CallAnnouncer; credit: PaidCredit }

/** Events of any number of calls, those of one call in order, at most one of each type but `transferred`. */
export async function storeEvents(db: Database, events: CallEvent[], deps: Deps) {
  const { announcer, credit } = deps
  announcer.publish(await inFewRoundTrips().catch(onLowBalance))

  async function inFewRoundTrips(): Promise<EventReceiver[]> {
    const [receivers] = await inPipeline(db, (tx) =>
      write(tx, events, deps, (bill) => credit.payUnlessLow(tx, bill)),
    )
    return receivers
  }

  /** The event of a low balance is part of the transaction. It is rare: once until the balance is above the threshold. */
  async function onLowBalance(error: unknown): Promise<EventReceiver[]> {
    if (!isLowBalance(error)) throw error
    return await db.transaction().execute(async (tx) => {
      const [receivers] = await Promise.all(await write(tx, events, deps, (bill) => credit.pay(tx, bill)))
      return receivers
    })
  }
}

/**
 * Returns the last statements, which have been sent. `pay` is the last of them: it locks the balances, which calls that are
 * placed meanwhile need too.
 */
async function write(
  tx: Statements,
  events: CallEvent[],
  { announcer, credit }: Deps,
  pay: (bill: Posting) => Promise<void>,
) {
  const steps = await findSteps(tx, events)
  const moves = movesOf(steps)
  const ends = moves.filter(({ end }) => end)
  const ended = ends.map(toBill)
  const announced = steps.flatMap(announcementsOf)
  const [announce, reservations] = await Promise.all([
    announcer.prepare(tx, announced),
    takeReservations(tx, credit, ended),
  ])
  const { prices, bill } = await priceCalls(tx, credit, ended, reservations)
  for (const move of ends) move.price = prices.get(move.call.id)
  for (const one of announced) if (one.endedAt) one.price = prices.get(one.callId) ?? null
  return [announce(), updateMoved(tx, moves), pay(bill)] as const

  function announcementsOf({ event, call }: Step): CallAnnouncement[] {
    const type = webhookTypeOf[event.type]
    if (!type) return []
    const isLost = event.type === 'ended' && call.recording === 'lost'
    const types = isLost ? ([type, 'recording-lost'] as const) : [type]
    return types.map((one) => announcer.announcementOf(one, call))
  }
}

/** D420: a call in which nothing came from the extension's phone costs nothing, however long the other side listened. */
function toBill({ call, end }: CallMove): StoredCall {
  return end?.unheard ? { ...call, duration: 0 } : call
}

/** The calls stay locked until the transaction ends. */
async function findSteps(tx: Statements, events: CallEvent[]): Promise<Step[]> {
  const eventsOf = Map.groupBy(events, ({ callId }) => callId)
  const calls = await lockCalls(tx, [...eventsOf.keys()])
  const links = await linkTransfers(tx, events)
  return calls.flatMap((call) => stepsOf(call, eventsOf.get(call.id) ?? [], (second) => links.get(second)))
}

/** One for each call that moved. */
function movesOf(steps: Step[]): CallMove[] {
  const moves = new Map<string, CallMove>()
  for (const { event, call } of steps) {
    if (event.type === 'transferred' || event.type === 'progress') continue
    const before = moves.get(call.id)
    const isEnd = event.type === 'ended'
    moves.set(call.id, {
      call,
      at: isEnd ? (before?.at ?? {}) : { ...before?.at, [event.type]: event.at },
      end: isEnd ? (event satisfies EndedEvent) : undefined,
      price: undefined,
    })
  }
  return [...moves.values()]
}
