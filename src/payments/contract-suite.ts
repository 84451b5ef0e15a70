/** What every payment gateway must do, in the words of the port. Each adapter runs this list in a world of its own. */
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
  /** A tax id that the gateway does not take. */
  refusedTaxId: string
  /** An order that names a customer where one is needed. */
  wish(change?: Partial<Order>): Promise<Order>
  /** At the gateway's own page. */
  pays(payment: Payment, method: 'PIX' | 'CREDIT_CARD'): Promise<void>
  /** The due date passes. */
  letsPass(payment: Payment): Promise<void>
  /** All that came to the webhook so far, as it came. */
  told(): Promise<WebhookRequest[]>
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
      const answer = await world.gateway.order(await world.wish(change))
      if (!answer.ok) throw new Error(answer.reason)
      return answer.payment
    }

    async function events(payment: Payment): Promise<PaymentEvent[]> {
      const heard = (await world.told()).map((incoming) => world.gateway.readWebhook(incoming))
      return heard
        .flatMap((one) => (typeof one === 'object' ? [one.event] : []))
        .filter((event) => event.payment.paymentId === payment.paymentId)
    }

    test.each(methods)('an order by %s becomes a pending payment', async (method) => {
      const wish = await world.wish({ method, amount: 12_345 })
      const answer = await world.gateway.order(wish)
      const { reference, dueDate } = wish
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
      const wish = await world.wish()
      const [first, second] = [await world.gateway.order(wish), await world.gateway.order(wish)]
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

    test('what is paid by PIX is received, and told', async () => {
      const payment = await ordered({ method: 'PIX' })
      await world.pays(payment, 'PIX')
      const found = await world.gateway.find(payment)
      expect(found).toMatchObject({ payment: { status: 'RECEIVED', method: 'PIX', amount: payment.amount } })
      const last = (await events(payment)).at(-1)
      expect(last).toMatchObject({ type: 'PAYMENT_RECEIVED', payment: { reference: payment.reference } })
      expect(last?.payment.status).toBe('RECEIVED')
      expect(last?.at).toBeInstanceOf(Date)
    })

    test('a card is confirmed first', async () => {
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

    test('after its due date it is overdue, and may be paid still', async () => {
      const payment = await ordered({ method: 'PIX' })
      await world.letsPass(payment)
      expect((await events(payment)).at(-1)?.payment.status).toBe('OVERDUE')
      await world.pays(payment, 'PIX')
      expect((await events(payment)).at(-1)?.payment.status).toBe('RECEIVED')
    })

    test('a cancelled payment is cancelled, and stays so when cancelled again', async () => {
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

    test('a payment that came first is not cancelled (D33)', async () => {
      const payment = await ordered({ method: 'PIX' })
      await world.pays(payment, 'PIX')
      const answer = await world.gateway.cancel(payment.paymentId)
      expect(answer).toMatchObject({ ok: true, payment: { status: 'RECEIVED' } })
    })

    test('what nobody ordered cannot be cancelled or refunded', async () => {
      const refusal = { ok: false, why: 'refused' }
      expect(await world.gateway.cancel('pay_nobody')).toMatchObject(refusal)
      expect(await world.gateway.refund('pay_nobody')).toMatchObject(refusal)
    })

    test('a refund gives all of it back, once', async () => {
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

    test('polling tells how each stands, of those there are', async () => {
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

    test('an event is believed only as the gateway sent it', async () => {
      await ordered({ method: 'PIX' })
      const [incoming] = await world.told()
      if (!incoming) throw new Error('nothing was told')
      const { gateway } = world
      expect(gateway.readWebhook(incoming)).toHaveProperty('event')
      expect(gateway.readWebhook({ ...incoming, headers: {} })).toBe('forbidden')
      for (const name of Object.keys(incoming.headers)) {
        if (!/^(webhook|asaas)-/.test(name)) continue
        for (const value of [undefined, '', 'x', `${incoming.headers[name]}x`, ['a', 'b']]) {
          const headers = { ...incoming.headers, [name]: value }
          expect(gateway.readWebhook({ ...incoming, headers }), `${name}: ${value}`).toBe('forbidden')
        }
      }
    })

    test('a customer put twice is one, and a tax id may be refused (D37)', async () => {
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
