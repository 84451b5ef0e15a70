/** The payment gateway outside: its webhooks come repeated and out of order until they are taken. */
import { webhookPath } from '../../src/http/routes/money/payments.ts'
import type { Payment, PaymentEvent, PaymentGateway } from '../../src/payments/port.ts'
import { createPayments } from './payments.ts'
import type { World } from './world.ts'

const retryMs = 3_000

export function createGateway(world: World, isRefunded: (account: string) => boolean) {
  const { scheduler, random, anyApi, time } = world
  const payments = createPayments({ world, isRefunded, onMoved: announce })
  let events = 0
  let waiting = 0

  /** Each event is sent until it is answered 200, often twice, and overtakes others. */
  function announce(payment: Payment) {
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
      const payment = payments.ofOrder(order.reference) ?? payments.make(order)
      return isLost() ? { ok: false, why: 'unknown', reason: 'no answer' } : { ok: true, payment }
    },
    find: async (by) => ({
      ok: true,
      payment: 'paymentId' in by ? payments.find(by.paymentId) : payments.ofOrder(by.reference),
    }),
    async cancel(paymentId) {
      const payment = payments.find(paymentId)
      if (!payment) return { ok: false, why: 'refused', reason: 'no such payment' }
      return { ok: true, payment: payments.cancel(payment) }
    },
    async refund(paymentId) {
      const payment = payments.refund(paymentId)
      if (!payment) return { ok: false, why: 'refused', reason: 'the payment cannot be refunded' }
      return isLost() ? { ok: false, why: 'unknown', reason: 'no answer' } : { ok: true, payment }
    },
    readWebhook({ body }) {
      const { at, ...event } = JSON.parse(body)
      return { event: { ...event, at: new Date(at) } }
    },
    poll: async (ids) => ids.flatMap((id) => payments.find(id) ?? []),
    close: async () => {},
  }
  return {
    gateway,
    statusOf: (paymentId: string) => payments.find(paymentId)?.status,
    waiting: () => waiting,
  }
}
