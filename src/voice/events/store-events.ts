/** Stores events of calls: one transaction for those of many, with prices and announcements. */
import type { Credit } from '../../billing/credit/credit.ts'
import type { CallEvent } from '../../engine/port.ts'
import type { Database } from '../../store/database.ts'
import type { EventReceiver } from '../../webhooks/events-store.ts'
import type { CallAnnouncement } from '../../webhooks/payload.ts'
import type { CallAnnouncer } from '../announcer.ts'
import { type EndedEvent, type Step, stepsOf } from './call-moves.ts'
import { priceCalls } from './pricing.ts'
import { type CallMove, linkTransfers, lockCalls, ringUnannounced, updateMoved } from './transitions-store.ts'

/** The event announced to webhooks; that the extension's user picked up is not announced. */
const webhookTypeOf = {
  ringing: 'channel-ringing',
  extensionAnswered: undefined,
  progress: undefined,
  answered: 'channel-answer',
  transferred: 'channel-transfer',
  ended: 'channel-hangup',
} as const

type Deps = { announcer: CallAnnouncer; credit: Pick<Credit, 'price'> }

/** Events of any number of calls, those of one call in order, at most one of each type but `transferred`. */
export async function storeEvents(db: Database, events: CallEvent[], deps: Deps) {
  if (events.some(({ type }) => type !== 'ringing')) return await storeAndAnnounce(db, events, deps)
  const listened = await ringUnannounced(db, events)
  if (listened.size === 0) return
  const left = events.filter(({ callId }) => listened.has(callId))
  await storeAndAnnounce(db, left, deps)
}

async function storeAndAnnounce(db: Database, events: CallEvent[], { announcer, credit }: Deps) {
  const receivers = await db.transaction().execute(async (tx): Promise<EventReceiver[]> => {
    const steps = await findSteps(tx, events)
    const announced = await announcer.announce(tx, steps.flatMap(announcementsOf))
    const moves = movesOf(steps)
    const ends = moves.filter(({ end }) => end)
    const { prices, pay } = await priceCalls(
      tx,
      credit,
      ends.map(({ call }) => call),
    )
    for (const move of ends) move.price = prices.get(move.call.id)
    if (moves.length > 0) await updateMoved(tx, moves)
    // Last: this locks the balances, which calls that are placed meanwhile need too.
    await pay()
    return announced
  })
  announcer.publish(receivers)

  function announcementsOf({ event, call }: Step): CallAnnouncement[] {
    const type = webhookTypeOf[event.type]
    return type ? [announcer.announcementOf(type, call)] : []
  }
}

/** The calls stay locked until the transaction ends. */
async function findSteps(tx: Database, events: CallEvent[]): Promise<Step[]> {
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
