/** The sandbox's payments: every payment, how it moves, and the event each move leaves to be told. */
import type { Clock } from '../../kit/clock.ts'
import { randomBase62 } from '../../kit/ids.ts'
import type { Database } from '../../store/database.ts'
import type { Order, Payment, PaymentEvent } from '../port.ts'
import type { Callbacks } from './callbacks.ts'
import { codesOf } from './codes.ts'
import { begin, enter, eventName, type SandboxPayment, type Step } from './payment.ts'
import { type By, findPayment, insertPayment, lockDue, lockPayment, saveStep } from './payments-store.ts'

/** Where to, and what it was paid with if that is new. */
export type Wish = Pick<Step, 'status'> & Partial<Pick<Step, 'paidWith' | 'card'>>

export type Changed = { payment: SandboxPayment; moved: boolean }

type Deps = { db: Database; clock: Clock; callbacks: Callbacks; siteUrl: () => string }

export function createSandboxPayments({ db, clock, callbacks, siteUrl }: Deps) {
  let wake = () => {}

  /** As the port shows it. */
  function show(payment: SandboxPayment): Payment {
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
    const event: PaymentEvent = { eventId, type, at: clock.now(), payment: show(payment) }
    await callbacks.announce(tx, payment.paymentId, event)
  }

  /** Ordered before, it is the one that was made then. */
  async function order(wanted: Order): Promise<SandboxPayment | undefined> {
    const made = { paymentId: `pay_${randomBase62(16)}`, key: randomBase62(32), now: clock.now() }
    const payment = await db.transaction().execute(async (tx) => {
      const isNew = await insertPayment(tx, wanted, { ...made, ...begin(wanted.dueDate) })
      const found = await findPayment(tx, { reference: wanted.reference })
      if (isNew && found) await announce(tx, found, 'PAYMENT_CREATED')
      return found
    })
    wake()
    return payment
  }

  async function move(tx: Database, payment: SandboxPayment, wish: Wish): Promise<SandboxPayment> {
    const now = clock.now()
    const step = enter({ ...payment, ...wish }, wish.status, now)
    await saveStep(tx, payment.id, step, now)
    const { status, paidWith, card } = step
    const moved = { ...payment, status, paidWith, card, statusAt: now }
    await announce(tx, moved, eventName(payment.status, status))
    return moved
  }

  /** `decide` sees the payment while nobody else can move it; undefined: it stays. */
  async function change(
    by: By,
    decide: (payment: SandboxPayment) => Wish | undefined,
  ): Promise<Changed | undefined> {
    const changed = await db.transaction().execute(async (tx) => {
      const payment = await lockPayment(tx, by)
      if (!payment) return undefined
      const wish = decide(payment)
      return wish ? { payment: await move(tx, payment, wish), moved: true } : { payment, moved: false }
    })
    if (changed?.moved) wake()
    return changed
  }

  /** Those whose hour has come: overdue, reviewed, settled. */
  async function moveDue() {
    let moved = 1
    while (moved > 0) {
      moved = await db.transaction().execute(async (tx) => {
        const due = await lockDue(tx, clock.now())
        for (const { payment, status } of due) await move(tx, payment, { status })
        return due.length
      })
    }
  }

  return {
    show,
    order,
    change,
    moveDue,
    find: (by: By) => findPayment(db, by),
    onWake(callback: () => void) {
      wake = callback
    },
  }
}
export type SandboxPayments = ReturnType<typeof createSandboxPayments>
