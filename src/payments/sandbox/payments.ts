/** The sandbox's payments: ordered, moved from status to status, and an event sent for each move. */
import type { Clock } from '../../kit/clock.ts'
import { randomBase62 } from '../../kit/ids.ts'
import type { Database } from '../../store/database.ts'
import type { Order, Payment, PaymentEvent } from '../port.ts'
import { codesOf } from './codes.ts'
import type { EventSender } from './event-sender.ts'
import { eventName, initialState, type PaymentState, type SandboxPayment, stateIn } from './payment.ts'
import {
  findPayment,
  insertPayment,
  lockDue,
  lockPayment,
  type PaymentKey,
  updatePayment,
} from './payments-store.ts'

/** The new status, and what the payment was paid with if that is new. */
export type PaymentMove = Pick<PaymentState, 'status'> & Partial<Pick<PaymentState, 'paidWith' | 'card'>>

export type MoveResult = { payment: SandboxPayment; moved: boolean }

type Deps = { db: Database; clock: Clock; eventSender: EventSender; siteUrl: () => string }

export function createSandboxPayments({ db, clock, eventSender, siteUrl }: Deps) {
  let wake = () => {}

  /** In the shape of the port. */
  function toPayment(payment: SandboxPayment): Payment {
    const { status, amount } = payment
    const { slip, pix } = codesOf(payment)
    const paymentLink = `${siteUrl()}/pay/${payment.key}`
    return {
      paymentId: payment.paymentId,
      reference: payment.reference,
      status,
      method: payment.paidWith ?? payment.method,
      amount,
      fee: 0,
      refunded: status === 'REFUNDED' ? amount : 0,
      dueDate: payment.dueDate,
      paymentLink,
      ...(slip && { paymentCode: slip.line }),
      ...(pix && { pixCode: pix }),
      invoiceId: String(payment.id).padStart(8, '0'),
      invoiceLink: paymentLink,
    }
  }

  async function announce(tx: Database, payment: SandboxPayment, type: string) {
    const eventId = `evt_${randomBase62(24)}`
    const event: PaymentEvent = { eventId, type, at: clock.now(), payment: toPayment(payment) }
    await eventSender.announce(tx, payment.paymentId, event)
  }

  /** An order with a known reference returns the payment made before. */
  async function order(wanted: Order): Promise<SandboxPayment | undefined> {
    const made = { paymentId: `pay_${randomBase62(16)}`, key: randomBase62(32), now: clock.now() }
    const payment = await db.transaction().execute(async (tx) => {
      const isNew = await insertPayment(tx, wanted, { ...made, ...initialState(wanted.dueDate) })
      const found = await findPayment(tx, { reference: wanted.reference })
      if (isNew && found) await announce(tx, found, 'PAYMENT_CREATED')
      return found
    })
    wake()
    return payment
  }

  async function apply(tx: Database, payment: SandboxPayment, move: PaymentMove): Promise<SandboxPayment> {
    const now = clock.now()
    const state = stateIn({ ...payment, ...move }, move.status, now)
    await updatePayment(tx, payment.id, state, now)
    const { status, paidWith, card } = state
    const moved = { ...payment, status, paidWith, card, statusAt: now }
    await announce(tx, moved, eventName(payment.status, status))
    return moved
  }

  /** `decide` gets the locked payment; it returns undefined to leave it as it is. */
  async function change(
    by: PaymentKey,
    decide: (payment: SandboxPayment) => PaymentMove | undefined,
  ): Promise<MoveResult | undefined> {
    const changed = await db.transaction().execute(async (tx) => {
      const payment = await lockPayment(tx, by)
      if (!payment) return undefined
      const move = decide(payment)
      return move ? { payment: await apply(tx, payment, move), moved: true } : { payment, moved: false }
    })
    if (changed?.moved) wake()
    return changed
  }

  /** Moves that time makes: overdue, reviewed, settled. */
  async function moveDue() {
    let moved = 1
    while (moved > 0) {
      moved = await db.transaction().execute(async (tx) => {
        const due = await lockDue(tx, clock.now())
        for (const { payment, status } of due) await apply(tx, payment, { status })
        return due.length
      })
    }
  }

  return {
    toPayment,
    order,
    change,
    moveDue,
    find: (by: PaymentKey) => findPayment(db, by),
    onWake(callback: () => void) {
      wake = callback
    },
  }
}
export type SandboxPayments = ReturnType<typeof createSandboxPayments>
