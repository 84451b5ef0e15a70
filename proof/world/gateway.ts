/** The payment gateway outside: payers pay after a while, and its webhooks come repeated and out of order until they are taken. */
import { webhookPath } from '../../src/http/routes/money/payments.ts'
import type { Order, Payment, PaymentEvent, PaymentGateway } from '../../src/payments/port.ts'
import type { World } from './world.ts'

const retryMs = 3_000

export function createGateway(world: World) {
  const { scheduler, random, history, anyApi, time } = world
  const payments = new Map<string, Payment>()
  /** By the reference of the order. */
  const ordered = new Map<string, Payment>()
  const accountOf = new Map<string, string>()
  let events = 0
  let waiting = 0

  function make({ reference, method, amount, dueDate, payerName = '' }: Order): Payment {
    const paymentId = `pay_${payments.size + 1}`
    const payment: Payment = {
      paymentId,
      reference,
      status: 'PENDING',
      method,
      amount,
      fee: 199,
      refunded: 0,
      dueDate,
      paymentLink: `https://pay.example/${paymentId}`,
      invoiceId: paymentId,
      invoiceLink: `https://pay.example/${paymentId}`,
    }
    keep(payment)
    accountOf.set(paymentId, payerName)
    scheduler.schedule(1_000 + random.next() * 8_000, () => pay(paymentId))
    return payment
  }

  function keep(payment: Payment) {
    payments.set(payment.paymentId, payment)
    ordered.set(payment.reference ?? '', payment)
  }

  function pay(paymentId: string) {
    const payment = payments.get(paymentId)
    if (payment?.status !== 'PENDING') return
    keep({ ...payment, status: 'CONFIRMED' })
    note(payment, 'paid')
    announce(paymentId)
    scheduler.schedule(random.next() * 20_000, () => {
      const paid = payments.get(paymentId)
      if (!paid) return
      keep({ ...paid, status: 'RECEIVED' })
      note(paid, 'received')
      announce(paymentId)
    })
  }

  function note({ paymentId, amount }: Payment, state: 'paid' | 'received') {
    const account = accountOf.get(paymentId) ?? ''
    history.push({ kind: 'payment', at: scheduler.now(), account, payment: paymentId, amount, state })
  }

  /** Each event is sent until it is answered 200, often twice, and overtakes others. */
  function announce(paymentId: string) {
    const payment = payments.get(paymentId)
    if (!payment) return
    events += 1
    const event: PaymentEvent = {
      eventId: `evt_${events}`,
      type: `PAYMENT_${payment.status}`,
      at: time(),
      payment,
    }
    const copies = random.next() < 0.3 ? 2 : 1
    for (let copy = 0; copy < copies; copy += 1) send(event, random.next() * 6_000)
  }

  function send(event: PaymentEvent, afterMs: number) {
    waiting += 1
    scheduler.schedule(afterMs, () => {
      const answered = anyApi({
        method: 'POST',
        url: webhookPath(gateway),
        headers: { 'content-type': 'application/json' },
        payload: JSON.stringify(event),
      })
      let isOver = false
      const finish = (isTaken: boolean) => {
        if (isOver) return
        isOver = true
        waiting -= 1
        if (!isTaken) send(event, retryMs)
      }
      answered.then(
        ({ status }) => finish(status === 200),
        () => finish(false),
      )
      scheduler.schedule(30_000, () => finish(false))
    })
  }

  /** An answer is lost now and then: the order may be made all the same. */
  const isLost = () => world.hasFaults() && random.next() < 0.05

  const gateway: PaymentGateway = {
    name: 'sandbox',
    needsCustomer: false,
    putCustomer: async ({ reference }) => ({ ok: true, customerId: `cus_${reference}` }),
    async order(order) {
      if (isLost() && random.next() < 0.5) return { ok: false, why: 'unknown', reason: 'no answer' }
      const payment = ordered.get(order.reference) ?? make(order)
      return isLost() ? { ok: false, why: 'unknown', reason: 'no answer' } : { ok: true, payment }
    },
    find: async (by) => ({
      ok: true,
      payment: 'paymentId' in by ? payments.get(by.paymentId) : ordered.get(by.reference),
    }),
    async cancel(paymentId) {
      const payment = payments.get(paymentId)
      if (!payment) return { ok: false, why: 'refused', reason: 'no such payment' }
      if (payment.status === 'PENDING') keep({ ...payment, status: 'CANCELLED' })
      return { ok: true, payment: payments.get(paymentId) ?? payment }
    },
    refund: async () => ({ ok: false, why: 'refused', reason: 'not in the simulation' }),
    readWebhook({ body }) {
      const { at, ...event } = JSON.parse(body)
      return { event: { ...event, at: new Date(at) } }
    },
    poll: async (ids) => ids.flatMap((id) => payments.get(id) ?? []),
    close: async () => {},
  }
  return { gateway, waiting: () => waiting }
}
