/** Payments as the gateway has them: payers pay after a while; some get their money back, or dispute the payment with their bank. */
import type { Order, Payment, PaymentStatus } from '../../src/payments/port.ts'
import type { World } from './world.ts'

/** What may happen to a payment whose money was received. */
const courses: PaymentStatus[][] = [
  ['REFUNDED'],
  ['REFUND_REQUESTED', 'REFUND_IN_PROGRESS', 'REFUNDED'],
  ['CHARGEBACK_REQUESTED', 'CHARGEBACK_DISPUTE', 'REFUNDED'],
  ['CHARGEBACK_REQUESTED', 'CHARGEBACK_DISPUTE', 'AWAITING_CHARGEBACK_REVERSAL', 'RECEIVED'],
]
const refundedShare = 0.1
const disputedShare = 0.25

type Deps = {
  world: World
  /** Whether payers of the account may want their money back. */
  isRefunded(account: string): boolean
  onMoved(payment: Payment): void
}

export function createPayments({ world, isRefunded, onMoved }: Deps) {
  const { scheduler, random, history } = world
  const payments = new Map<string, Payment>()
  /** By the reference of the order. */
  const ordered = new Map<string, Payment>()
  const accountOf = new Map<string, string>()
  /** Refunded by the operator of the service: their payers want nothing more. */
  const closed = new Set<string>()

  function keep(payment: Payment): Payment {
    payments.set(payment.paymentId, payment)
    ordered.set(payment.reference ?? '', payment)
    return payment
  }

  function make({ reference, method, amount, dueDate, payerName = '' }: Order): Payment {
    const paymentId = `pay_${payments.size + 1}`
    accountOf.set(paymentId, payerName)
    scheduler.schedule(1_000 + random.next() * 8_000, () => pay(paymentId))
    return keep({
      paymentId,
      reference,
      status: 'PENDING',
      method,
      amount,
      fee: 199,
      refunded: 0,
      dueDate,
      paymentLink: `https://pay.example/${paymentId}`,
      // Without a code the service asks for the payment every minute (D152), and credits it although a webhook was lost.
      pixCode: `00020126${paymentId}`,
      invoiceId: paymentId,
      invoiceLink: `https://pay.example/${paymentId}`,
    })
  }

  function pay(paymentId: string) {
    if (payments.get(paymentId)?.status !== 'PENDING') return
    move(paymentId, 'CONFIRMED')
    scheduler.schedule(random.next() * 20_000, () => {
      if (closed.has(paymentId)) return
      move(paymentId, 'RECEIVED')
      goOn(paymentId)
    })
  }

  /** Some payers want their money back. */
  function goOn(paymentId: string) {
    if (!isRefunded(accountOf.get(paymentId) ?? '')) return
    const roll = random.next()
    const amount = payments.get(paymentId)?.amount ?? 0
    const later = (run: () => void) => scheduler.schedule(random.next() * 12_000, run)
    if (roll < refundedShare) return refundParts()
    if (roll < refundedShare + disputedShare) takeCourse([...(random.pick(courses) ?? [])])

    /** The second part, if there is one, is of what the first one left. */
    function refundParts() {
      const first = Math.floor(amount * random.next())
      const second = Math.floor((amount - first) * random.next())
      later(() => {
        refundPart(paymentId, first)
        if (random.next() < 0.5) later(() => refundPart(paymentId, second))
      })
    }

    function takeCourse(statuses: PaymentStatus[]) {
      const [next, ...others] = statuses
      if (next === undefined) return
      later(() => {
        if (closed.has(paymentId)) return
        move(paymentId, next)
        takeCourse(others)
      })
    }
  }

  function refundPart(paymentId: string, part: number) {
    const payment = payments.get(paymentId)
    if (!payment || part === 0 || closed.has(paymentId)) return
    note(keep({ ...payment, refunded: payment.refunded + part }), 'refunded', part)
  }

  /** Ordered by the operator of the service: what is left of the payment, at once or after a while. */
  function refund(paymentId: string): Payment | undefined {
    const status = payments.get(paymentId)?.status
    if (closed.has(paymentId)) return payments.get(paymentId)
    if (status !== 'CONFIRMED' && status !== 'RECEIVED') return
    closed.add(paymentId)
    const isAtOnce = random.next() < 0.5
    move(paymentId, isAtOnce ? 'REFUNDED' : 'REFUND_REQUESTED')
    if (!isAtOnce) scheduler.schedule(random.next() * 12_000, () => move(paymentId, 'REFUNDED'))
    return payments.get(paymentId)
  }

  function move(paymentId: string, status: PaymentStatus) {
    const payment = payments.get(paymentId)
    if (!payment) return
    const left = payment.amount - payment.refunded
    if (status === 'REFUNDED') note(keep({ ...payment, status, refunded: payment.amount }), 'refunded', left)
    else note(keep({ ...payment, status }), status === 'CONFIRMED' ? 'paid' : 'moved', payment.amount)
  }

  function note(payment: Payment, state: 'paid' | 'moved' | 'refunded', amount: number) {
    const { paymentId, status } = payment
    const account = accountOf.get(paymentId) ?? ''
    history.push({ kind: 'payment', at: scheduler.now(), account, payment: paymentId, amount, state, status })
    onMoved(payment)
  }

  return {
    make,
    find: (paymentId: string) => payments.get(paymentId),
    refund,
    ofOrder: (reference: string) => ordered.get(reference),
    /** Only before it is paid. */
    cancel(payment: Payment): Payment {
      return payment.status === 'PENDING' ? keep({ ...payment, status: 'CANCELLED' }) : payment
    },
  }
}
