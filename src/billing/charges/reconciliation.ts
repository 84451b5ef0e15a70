/**
 * What gateways tell is stored at once and followed in its turn; and, since what they tell may be lost, they are asked
 * from time to time how the charges stand.
 */
import { type Clock, plusSeconds } from '../../kit/clock.ts'
import type { Log } from '../../kit/log.ts'
import type { Payment, PaymentEvent, PaymentGateway } from '../../payments/port.ts'
import type { Database } from '../../store/database.ts'
import { isTransient } from '../../store/database-errors.ts'
import type { ChargeTransitions } from './charge-transitions.ts'
import { claimDuePolls, deleteUnordered, lockChargeOf, updateCharge } from './charges-store.ts'
import {
  deleteOldEvents,
  type GatewayEventRow,
  insertEvent,
  lockNextEvent,
  updateEvent,
} from './gateway-events-store.ts'

const batchSize = 50
/** Whoever asks has so long; then others may. */
const claimSeconds = 300
/** An order that the gateway has not after this was never made there. */
const orderLostSeconds = 300
const retrySeconds = [5, 30, 120, 600, 3600]
const keptSeconds = 90 * 86_400

type Deps = { db: Database; clock: Clock; log: Log; gateway: PaymentGateway; transitions: ChargeTransitions }

export function createReconciliation({ db, clock, log, gateway, transitions }: Deps) {
  let wake = () => {}
  let turn = Promise.resolve()

  /** Stores the event, to be applied by the next tick. */
  async function receive(event: PaymentEvent) {
    if (await insertEvent(db, gateway.name, event, clock.now())) wake()
  }

  /** Whoever asks finds everything followed that was stored before: not only what nobody else is at. */
  function tick(): Promise<void> {
    turn = turn
      .catch(() => {})
      .then(async () => {
        while (await followNext());
        await poll()
      })
    return turn
  }

  /** False when none is due. */
  async function followNext(): Promise<boolean> {
    const failed: { event?: GatewayEventRow } = {}
    try {
      return await db.transaction().execute(async (tx) => {
        const event = await lockNextEvent(tx, gateway.name, clock.now())
        if (!event) return false
        failed.event = event
        const payment = event.payment as unknown as Payment
        const charge = await lockChargeOf(tx, gateway.name, payment)
        // Everything that enters the gateway's account is a payment; not all of it is ours.
        if (!charge) await updateEvent(tx, event, { due_at: null, outcome: 'not ours' })
        else {
          const after = await transitions.apply(
            tx,
            charge,
            payment,
            'webhook',
            `${event.type} (${event.event_id})`,
          )
          await updateEvent(tx, event, { due_at: null, outcome: `charge ${charge.id} is ${after.status}` })
        }
        return true
      })
    } catch (error) {
      if (isTransient(error) || !failed.event) throw error
      await putOff(failed.event, error)
      return true
    }
  }

  /** One that cannot be followed must not keep the others from it. */
  async function putOff(event: GatewayEventRow, error: unknown) {
    log.error({ err: error, event: event.event_id }, 'what a payment gateway told could not be followed')
    const seconds = retrySeconds[event.tries]
    await updateEvent(db, event, {
      tries: event.tries + 1,
      due_at: seconds === undefined ? null : plusSeconds(clock.now(), seconds),
      outcome: `failed: ${error instanceof Error ? error.message : String(error)}`.slice(0, 500),
    })
  }

  async function poll() {
    const now = clock.now()
    const due = await claimDuePolls(db, gateway.name, now, plusSeconds(now, claimSeconds), batchSize)
    for (const { id, reference, payment_id, created_at } of due) {
      if (payment_id === null) await findLostOrder(id, reference, created_at)
    }
    const ids = due.flatMap(({ payment_id }) => (payment_id === null ? [] : [payment_id]))
    for (const payment of ids.length > 0 ? await gateway.poll(ids) : []) await applyPolled(payment, now)
  }

  async function applyPolled(payment: Payment, askedAt: Date) {
    await db.transaction().execute(async (tx) => {
      const charge = await lockChargeOf(tx, gateway.name, payment)
      // What has moved since we asked is newer than the answer.
      if (charge && charge.status_at <= askedAt)
        await transitions.apply(tx, charge, payment, 'polled', 'asked the gateway')
    })
  }

  /** We stopped, or heard nothing, between the order and its answer. */
  async function findLostOrder(id: number, reference: string, createdAt: Date) {
    const now = clock.now()
    const answer = await gateway.find({ reference })
    if (answer.ok && answer.payment) return await applyPolled(answer.payment, now)
    if (answer.ok && now >= plusSeconds(createdAt, orderLostSeconds)) {
      if (await deleteUnordered(db, id))
        log.warn({ charge: id }, 'an order that the payment gateway never had')
    } else await updateCharge(db, id, { look_at: plusSeconds(now, retrySeconds[1] ?? 30) })
  }

  async function sweep() {
    await deleteOldEvents(db, plusSeconds(clock.now(), -keptSeconds))
  }

  return {
    receive,
    tick,
    sweep,
    onWake(listener: () => void) {
      wake = listener
    },
  }
}
