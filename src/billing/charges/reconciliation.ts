/**
 * Keeps charges in step with their payments at the gateway: webhook events are stored and applied in order, and, since
 * an event may be lost, charges are also polled from time to time.
 */
import { type Clock, plusSeconds } from '../../kit/clock.ts'
import type { Log } from '../../kit/process/log.ts'
import type { Payment, PaymentEvent, PaymentGateway } from '../../payments/port.ts'
import { isTransient } from '../../store/connection/database-errors.ts'
import type { Database } from '../../store/database.ts'
import { lacksCode } from './charge.ts'
import type { ChargeTransitions } from './charge-transitions.ts'
import { claimDuePolls, type DuePoll, deleteUnordered, lockChargeOf, updateCharge } from './charges-store.ts'
import {
  deleteOldEvents,
  type GatewayEventRow,
  insertEvent,
  lockNextEvent,
  readEventQueue,
  updateEvent,
} from './gateway-events-store.ts'

const batchSize = 50
/** How long a process has to poll the charges it claimed, before others may. */
const claimSeconds = 300
/** An order that the gateway does not know after this time never reached it. */
const orderLostSeconds = 300
const retrySeconds = [5, 30, 120, 600, 3600]
const retentionSeconds = 90 * 86_400

type Deps = { db: Database; clock: Clock; log: Log; gateway: PaymentGateway; transitions: ChargeTransitions }

export function createReconciliation({ db, clock, log, gateway, transitions }: Deps) {
  let wake = () => {}
  let lastTick = Promise.resolve()

  /** Stores the event, to be applied by the next tick. */
  async function receive(event: PaymentEvent) {
    if (await insertEvent(db, gateway.name, event, clock.now())) wake()
  }

  /** Ticks run one after another, so that every event stored before the call is applied when it resolves. */
  function tick(): Promise<void> {
    lastTick = lastTick
      .catch(() => {})
      .then(async () => {
        while (await applyNextEvent());
        await poll()
      })
    return lastTick
  }

  /** False when no event is due. */
  async function applyNextEvent(): Promise<boolean> {
    const failed: { event?: GatewayEventRow } = {}
    try {
      return await db.transaction().execute(async (tx) => {
        const event = await lockNextEvent(tx, gateway.name, clock.now())
        if (!event) return false
        failed.event = event
        const payment = event.payment as unknown as Payment
        const charge = await lockChargeOf(tx, gateway.name, payment)
        // The gateway also reports payments of its account that no charge of ours asked for.
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
      await scheduleRetry(failed.event, error)
      return true
    }
  }

  /** An event that cannot be applied must not hold up the others. */
  async function scheduleRetry(event: GatewayEventRow, error: unknown) {
    log.error({ err: error, event: event.event_id }, 'an event of the payment gateway could not be applied')
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
    const asked = new Map<string, DuePoll>()
    for (const charge of due) {
      const { payment_id: paymentId } = charge
      if (paymentId === null) await findLostOrder(charge)
      else if (!lacksCode(charge) || !(await findCode(paymentId, charge))) asked.set(paymentId, charge)
    }
    for (const payment of asked.size > 0 ? await gateway.poll([...asked.keys()]) : []) {
      const before = asked.get(payment.paymentId)
      if (before) await applyPolled(payment, before)
    }
  }

  /** `before`: the charge when the gateway was asked. If it has moved since, it is newer than the answer. */
  async function applyPolled(payment: Payment, before: DuePoll) {
    await db.transaction().execute(async (tx) => {
      const charge = await lockChargeOf(tx, gateway.name, payment)
      if (charge?.status === before.status && charge.status_at.getTime() === before.status_at.getTime())
        await transitions.apply(tx, charge, payment, 'polled', 'asked the gateway')
    })
  }

  /** D152: `find` also fetches the codes that a payment is paid with. False if the gateway did not answer. */
  async function findCode(paymentId: string, before: DuePoll): Promise<boolean> {
    const answer = await gateway.find({ paymentId })
    if (!answer.ok || !answer.payment) return false
    await applyPolled(answer.payment, before)
    return true
  }

  /** For an order whose answer never came: the process stopped, or the connection failed. */
  async function findLostOrder(lost: DuePoll) {
    const { id, reference, created_at: createdAt } = lost
    const now = clock.now()
    const answer = await gateway.find({ reference })
    if (answer.ok && answer.payment) return await applyPolled(answer.payment, lost)
    if (answer.ok && now >= plusSeconds(createdAt, orderLostSeconds)) {
      if (await deleteUnordered(db, id))
        log.warn({ charge: id }, 'an order never reached the payment gateway; its charge is deleted')
    } else await updateCharge(db, id, { look_at: plusSeconds(now, retrySeconds[1] ?? 30) })
  }

  async function sweep() {
    await deleteOldEvents(db, plusSeconds(clock.now(), -retentionSeconds))
  }

  return {
    receive,
    tick,
    sweep,
    queue: () => readEventQueue(db),
    onWake(listener: () => void) {
      wake = listener
    },
  }
}
