/** What the port demands of every payment gateway. Each adapter runs this suite in a world of its own. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { checksum } from './codes/br-code.ts'
import type {
  Customer,
  Order,
  Payment,
  PaymentEvent,
  PaymentGateway,
  PaymentMethod,
  WebhookRequest,
} from './port.ts'

export type World = {
  gateway: PaymentGateway
  customer: Customer
  /** A valid tax id that the gateway refuses. */
  refusedTaxId: string
  /** A valid order, with a customer if the gateway needs one. */
  newOrder(change?: Partial<Order>): Promise<Order>
  /** At the gateway's payment page. */
  pays(payment: Payment, method: 'PIX' | 'CREDIT_CARD'): Promise<void>
  /** Advances the time beyond the due date. */
  passDueDate(payment: Payment): Promise<void>
  /** All requests to our webhook so far. */
  webhookRequests(): Promise<WebhookRequest[]>
  close(): Promise<void>
}

const methods: PaymentMethod[] = ['UNDEFINED', 'CREDIT_CARD', 'DEBIT_CARD', 'BOLETO', 'PIX']

export function describeGateway(name: string, makeWorld: () => Promise<World>) {
  describe(`${name}, as every payment gateway`, () => {
    let world: World
    beforeEach(async () => {
      world = await makeWorld()
    })
    afterEach(() => world.close())

    async function ordered(change?: Partial<Order>): Promise<Payment> {
      const answer = await world.gateway.order(await world.newOrder(change))
      if (!answer.ok) throw new Error(answer.reason)
      return answer.payment
    }

    async function events(payment: Payment): Promise<PaymentEvent[]> {
      const readings = (await world.webhookRequests()).map((request) => world.gateway.readWebhook(request))
      return readings
        .flatMap((one) => (typeof one === 'object' ? [one.event] : []))
        .filter((event) => event.payment.paymentId === payment.paymentId)
    }

    test.each(methods)('an order by %s becomes a pending payment', async (method) => {
      const order = await world.newOrder({ method, amount: 12_345 })
      const answer = await world.gateway.order(order)
      const { reference, dueDate } = order
      expect(answer).toMatchObject({
        ok: true,
        payment: { reference, method, dueDate, amount: 12_345, refunded: 0, status: 'PENDING' },
      })
      if (!answer.ok) return
      expect(answer.payment.paymentLink).toMatch(/^https?:\/\//)
      const { paymentCode = '', pixCode = '' } = answer.payment
      if (method === 'BOLETO' || method === 'UNDEFINED') expect(paymentCode).toMatch(/^\d{37}0000012345$/)
      if (method === 'PIX') expect(checksum(pixCode.slice(0, -4))).toBe(pixCode.slice(-4))
    })

    test('an order asked twice is one payment', async () => {
      const order = await world.newOrder()
      const [first, second] = [await world.gateway.order(order), await world.gateway.order(order)]
      expect(first.ok && second.ok && second.payment.paymentId === first.payment.paymentId).toBe(true)
    })

    test('a payment is found by our reference and by its id, another is not', async () => {
      const { gateway } = world
      const { paymentId, reference = '' } = await ordered()
      expect(await gateway.find({ reference })).toMatchObject({ ok: true, payment: { paymentId } })
      expect(await gateway.find({ paymentId })).toMatchObject({ ok: true, payment: { reference } })
      expect(await gateway.find({ reference: 'nobody' })).toEqual({ ok: true, payment: undefined })
      expect(await gateway.find({ paymentId: 'pay_nobody' })).toEqual({ ok: true, payment: undefined })
    })

    test('a payment by PIX is received, and an event is sent', async () => {
      const payment = await ordered({ method: 'PIX' })
      await world.pays(payment, 'PIX')
      const found = await world.gateway.find(payment)
      expect(found).toMatchObject({ payment: { status: 'RECEIVED', method: 'PIX', amount: payment.amount } })
      const last = (await events(payment)).at(-1)
      expect(last).toMatchObject({ type: 'PAYMENT_RECEIVED', payment: { reference: payment.reference } })
      expect(last?.payment.status).toBe('RECEIVED')
      expect(last?.at).toBeInstanceOf(Date)
    })

    test('a payment by card is confirmed first', async () => {
      const payment = await ordered({ method: 'UNDEFINED' })
      await world.pays(payment, 'CREDIT_CARD')
      const last = (await events(payment)).at(-1)
      expect(last).toMatchObject({
        type: 'PAYMENT_CONFIRMED',
        payment: { status: 'CONFIRMED', method: 'CREDIT_CARD' },
      })
    })

    test('every event has an id of its own', async () => {
      const payment = await ordered({ method: 'PIX' })
      await world.pays(payment, 'PIX')
      const ids = (await events(payment)).map(({ eventId }) => eventId)
      expect(ids.length).toBeGreaterThan(1)
      expect(new Set(ids).size).toBe(ids.length)
    })

    test('a payment is overdue after its due date, and may still be paid', async () => {
      const payment = await ordered({ method: 'PIX' })
      await world.passDueDate(payment)
      expect((await events(payment)).at(-1)?.payment.status).toBe('OVERDUE')
      await world.pays(payment, 'PIX')
      expect((await events(payment)).at(-1)?.payment.status).toBe('RECEIVED')
    })

    test('a cancelled payment stays cancelled when it is cancelled again', async () => {
      const { gateway } = world
      const payment = await ordered()
      for (const _time of ['once', 'twice']) {
        const answer = await gateway.cancel(payment.paymentId)
        expect(answer).toMatchObject({ ok: true, payment: { status: 'CANCELLED' } })
      }
      expect((await events(payment)).at(-1)).toMatchObject({
        type: 'PAYMENT_DELETED',
        payment: { status: 'CANCELLED' },
      })
    })

    test('a paid payment is not cancelled (D33)', async () => {
      const payment = await ordered({ method: 'PIX' })
      await world.pays(payment, 'PIX')
      const answer = await world.gateway.cancel(payment.paymentId)
      expect(answer).toMatchObject({ ok: true, payment: { status: 'RECEIVED' } })
    })

    test('an unknown payment cannot be cancelled or refunded', async () => {
      const refusal = { ok: false, why: 'refused' }
      expect(await world.gateway.cancel('pay_nobody')).toMatchObject(refusal)
      expect(await world.gateway.refund('pay_nobody')).toMatchObject(refusal)
    })

    test('a refund returns the whole amount, once', async () => {
      const payment = await ordered({ method: 'PIX' })
      expect(await world.gateway.refund(payment.paymentId)).toMatchObject({ ok: false, why: 'refused' })
      await world.pays(payment, 'PIX')
      for (const _time of ['once', 'twice']) {
        const answer = await world.gateway.refund(payment.paymentId)
        expect(answer).toMatchObject({ payment: { status: 'REFUNDED', refunded: payment.amount } })
      }
      const refunds = (await events(payment)).filter((event) => event.payment.status === 'REFUNDED')
      expect(refunds).toHaveLength(1)
    })

    test('polling returns the status of every known payment', async () => {
      const [one, other] = [await ordered({ method: 'PIX' }), await ordered({ method: 'PIX' })]
      await world.pays(other, 'PIX')
      const polled = await world.gateway.poll([one.paymentId, 'pay_nobody', other.paymentId])
      expect(new Map(polled.map(({ paymentId, status }) => [paymentId, status]))).toEqual(
        new Map([
          [one.paymentId, 'PENDING'],
          [other.paymentId, 'RECEIVED'],
        ]),
      )
    })

    test('an event is accepted only with the signature of the gateway', async () => {
      await ordered({ method: 'PIX' })
      const [request] = await world.webhookRequests()
      if (!request) throw new Error('no webhook request came')
      const { gateway } = world
      expect(gateway.readWebhook(request)).toHaveProperty('event')
      expect(gateway.readWebhook({ ...request, headers: {} })).toBe('forbidden')
      for (const name of Object.keys(request.headers)) {
        if (!/^(webhook|asaas)-/.test(name)) continue
        for (const value of [undefined, '', 'x', `${request.headers[name]}x`, ['a', 'b']]) {
          const headers = { ...request.headers, [name]: value }
          expect(gateway.readWebhook({ ...request, headers }), `${name}: ${value}`).toBe('forbidden')
        }
      }
    })

    test('a customer put twice is one customer, and a tax id may be refused (D37)', async () => {
      const { gateway, customer, refusedTaxId } = world
      const first = await gateway.putCustomer(customer)
      expect(first).toMatchObject({ ok: true, customerId: expect.stringMatching(/^cus_/) })
      expect(await gateway.putCustomer({ ...customer, phone: '4833334444' })).toEqual(first)
      const known = first.ok ? { customerId: first.customerId } : {}
      expect(await gateway.putCustomer({ ...customer, ...known })).toEqual(first)
      const stranger = { ...customer, reference: 'another', taxId: refusedTaxId }
      expect(await gateway.putCustomer(stranger)).toMatchObject({ ok: false, why: 'refused' })
    })
  })
}
