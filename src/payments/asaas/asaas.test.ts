/** The Asaas adapter against the documented API, and against network failures. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Receiver, startReceiver } from '../../../test/helpers/programs/receiver.ts'
import { describeGateway, type World } from '../contract-suite.ts'
import type { Customer, Order, PaymentGateway, WebhookRequest } from '../port.ts'
import { createAsaasGateway } from './asaas.ts'
import { type Accident, type FakeAsaas, fakeKey, fakeToken, startFakeAsaas } from './testing/fake-asaas.ts'

const customer: Customer = {
  reference: 'acc-1',
  name: 'Padaria São João',
  taxId: '12ABC34501DE35',
  email: 'caixa@padaria.example',
  additionalEmails: ['a@x.example', 'b@x.example'],
  addressDistrict: 'Centro',
}

let asaas: FakeAsaas
let receiver: Receiver
let gateway: PaymentGateway

async function start() {
  receiver = await startReceiver()
  asaas = await startFakeAsaas(() => receiver.url)
  gateway = createAsaasGateway({ url: asaas.url, apiKey: fakeKey, webhookToken: fakeToken })
}
async function stop() {
  await gateway.close()
  await asaas.stop()
  await receiver.stop()
}

async function newOrder(change: Partial<Order> = {}): Promise<Order> {
  const put = await gateway.putCustomer(customer)
  if (!put.ok) throw new Error(put.reason)
  return {
    reference: crypto.randomUUID(),
    customerId: put.customerId,
    method: 'PIX',
    dueDate: '2026-11-20',
    amount: 5000,
    description: 'Créditos',
    ...change,
  }
}

async function makeWorld(): Promise<World> {
  await start()
  return {
    gateway,
    customer,
    refusedTaxId: '00000000000',
    newOrder,
    pays: async ({ paymentId }, method) =>
      asaas.move(paymentId, method === 'PIX' ? 'RECEIVED' : 'CONFIRMED', { billingType: method }),
    passDueDate: async ({ paymentId }) => asaas.move(paymentId, 'OVERDUE'),
    async webhookRequests() {
      await asaas.delivered()
      return receiver.received.map(({ headers, text }) => ({ headers, body: text }))
    },
    close: stop,
  }
}

describeGateway('Asaas', makeWorld)

describe('Asaas', () => {
  beforeEach(start)
  afterEach(stop)

  /** With a short timeout. */
  function impatient() {
    return createAsaasGateway({ url: asaas.url, apiKey: fakeKey, webhookToken: fakeToken, timeoutMs: 1_000 })
  }

  const after: Accident[] = [
    { when: 'after', what: 'silence' },
    { when: 'after', what: 'drip' },
    { when: 'after', what: 'flood' },
    { when: 'after', what: 'garbage' },
    { when: 'after', what: 'reset' },
    { when: 'after', what: 500 },
  ]
  test.each(after)(
    'a payment that was made is found, though the answer was lost ($what)',
    async (accident) => {
      const order = await newOrder()
      asaas.plan('POST', accident)
      const hasty = impatient()
      const answer = await hasty.order(order)
      expect(answer).toMatchObject({ ok: true, payment: { reference: order.reference, status: 'PENDING' } })
      expect(asaas.payments.size).toBe(1)
      // A retry does not create a second one.
      expect(await gateway.order(order)).toEqual(answer)
      expect(asaas.payments.size).toBe(1)
      await hasty.close()
    },
  )

  const before: Accident[] = [
    { when: 'before', what: 'silence' },
    { when: 'before', what: 'reset' },
    { when: 'before', what: 500 },
  ]
  test.each(before)(
    'not found after a lost answer ($what), it is unknown; again, it is made',
    async (accident) => {
      const order = await newOrder()
      asaas.plan('POST', accident)
      const hasty = impatient()
      expect(await hasty.order(order)).toMatchObject({ ok: false, why: 'unknown' })
      expect(await gateway.find(order)).toEqual({ ok: true, payment: undefined })
      expect(await gateway.order(order)).toMatchObject({ ok: true })
      expect(asaas.payments.size).toBe(1)
      await hasty.close()
    },
  )

  test.each([401, 403, 429] as const)(
    'answered %s, nothing was done and later is another time',
    async (what) => {
      const order = await newOrder()
      asaas.plan('POST', { when: 'before', what })
      expect(await gateway.order(order)).toMatchObject({ ok: false, why: 'unavailable' })
      expect(asaas.payments.size).toBe(0)
    },
  )

  test('nothing is created if the search before it fails', async () => {
    const order = await newOrder()
    asaas.plan('GET', { when: 'before', what: 500 })
    expect(await gateway.order(order)).toMatchObject({ ok: false, why: 'unavailable' })
    expect(asaas.payments.size).toBe(0)
  })

  test('a refused connection means that nothing was sent', async () => {
    const order = await newOrder()
    const nowhere = createAsaasGateway({ url: 'http://127.0.0.1:1/v3', apiKey: 'x', webhookToken: fakeToken })
    expect(await nowhere.order(order)).toMatchObject({ ok: false, why: 'unavailable' })
    expect(await nowhere.poll(['pay_1', 'pay_2'])).toEqual([])
    await nowhere.close()
  })

  test('a refusal carries the explanation of Asaas', async () => {
    const order = await newOrder({ customerId: 'cus_nobody' })
    const answer = await gateway.order(order)
    expect(answer).toEqual({
      ok: false,
      why: 'refused',
      reason: 'answered 400 (invalid_customer: Descrição em português)',
    })
  })

  test('a debit card is ordered as a credit card, for which the page of Asaas offers both', async () => {
    const answer = await gateway.order(await newOrder({ method: 'DEBIT_CARD' }))
    if (!answer.ok) throw new Error(answer.reason)
    expect(answer.payment.method).toBe('DEBIT_CARD')
    expect(asaas.payments.get(answer.payment.paymentId)).toMatchObject({ billingType: 'CREDIT_CARD' })
    asaas.move(answer.payment.paymentId, 'CONFIRMED', { billingType: 'DEBIT_CARD' })
    expect(await gateway.find(answer.payment)).toMatchObject({ payment: { method: 'DEBIT_CARD' } })
  })

  test('what Asaas deducts is the fee, to the centavo (D35)', async () => {
    const answer = await gateway.order(await newOrder({ amount: 1_999 }))
    expect(answer).toMatchObject({ payment: { amount: 1_999, fee: 199, invoiceId: '00000002' } })
  })

  test('an order without its code is valid, and the code is requested again by find', async () => {
    const order = await newOrder({ method: 'BOLETO' })
    asaas.plan('identificationField', { when: 'after', what: 500 })
    const answer = await gateway.order(order)
    expect(answer).toMatchObject({ ok: true, payment: { status: 'PENDING' } })
    expect(answer).not.toHaveProperty('payment.paymentCode')
    const code = expect.stringMatching(/^\d{47}$/)
    expect(await gateway.find(order)).toMatchObject({ payment: { paymentCode: code } })
  })

  test.each(after)('a deletion whose answer was lost ($what) is seen to be done', async (accident) => {
    const answer = await gateway.order(await newOrder())
    const { paymentId } = answer.ok ? answer.payment : { paymentId: '' }
    asaas.plan('DELETE', accident)
    const hasty = impatient()
    expect(await hasty.cancel(paymentId)).toMatchObject({ ok: true, payment: { status: 'CANCELLED' } })
    await hasty.close()
  })

  test('a deletion that did not happen is unknown, and may be tried again', async () => {
    const answer = await gateway.order(await newOrder())
    const { paymentId } = answer.ok ? answer.payment : { paymentId: '' }
    asaas.plan('DELETE', { when: 'before', what: 500 })
    expect(await gateway.cancel(paymentId)).toMatchObject({ ok: false, why: 'unknown' })
    expect(await gateway.cancel(paymentId)).toMatchObject({ ok: true, payment: { status: 'CANCELLED' } })
  })

  test('a refund whose answer was lost is found to be done', async () => {
    const answer = await gateway.order(await newOrder())
    const { paymentId } = answer.ok ? answer.payment : { paymentId: '' }
    asaas.move(paymentId, 'RECEIVED')
    asaas.plan('POST', { when: 'after', what: 'garbage' })
    expect(await gateway.refund(paymentId)).toMatchObject({ ok: true, payment: { status: 'REFUNDED' } })
  })

  test('polling ends when the rate limit is reached', async () => {
    await newOrder()
    for (let turn = 0; turn < 5; turn++) asaas.plan('GET', { when: 'before', what: 429 })
    asaas.asked.length = 0
    const ids = Array.from({ length: 50 }, (_, index) => `pay_${index}`)
    expect(await gateway.poll(ids)).toEqual([])
    expect(asaas.asked.length).toBe(5)
  })

  test('a customer is written in the format of Asaas, and created again if it was deleted there', async () => {
    const first = await gateway.putCustomer(customer)
    expect([...asaas.customers.values()]).toMatchObject([
      { province: 'Centro', additionalEmails: 'a@x.example,b@x.example', cpfCnpj: '12ABC34501DE35' },
    ])
    asaas.customers.clear()
    const known = first.ok ? { customerId: first.customerId } : {}
    const second = await gateway.putCustomer({ ...customer, ...known })
    expect(second.ok && first.ok && second.customerId !== first.customerId).toBe(true)
    expect(asaas.customers.size).toBe(1)
  })
})

describe('an event of Asaas', () => {
  const quiet = createAsaasGateway({ url: 'http://127.0.0.1:1/v3', apiKey: 'x', webhookToken: fakeToken })
  const payment = { id: 'pay_1', externalReference: 'ref', value: 10.07, dueDate: '2026-11-20' }
  const wire = { id: 'evt_1&2', event: 'PAYMENT_UPDATED', dateCreated: '2026-11-15 09:30:00' }
  const say = (body: unknown): WebhookRequest => ({
    headers: { 'asaas-access-token': fakeToken },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const read = (change: object) => quiet.readWebhook(say({ ...wire, payment: { ...payment, ...change } }))

  test.each([
    ['RECEIVED_IN_CASH', 'RECEIVED'],
    ['DUNNING_RECEIVED', 'RECEIVED'],
    ['DUNNING_REQUESTED', 'OVERDUE'],
    ['AWAITING_CHARGEBACK_REVERSAL', 'AWAITING_CHARGEBACK_REVERSAL'],
    ['REFUND_IN_PROGRESS', 'REFUND_IN_PROGRESS'],
  ])('%s is our %s (D31)', (theirs, ours) => {
    expect(read({ status: theirs })).toMatchObject({ event: { payment: { status: ours, amount: 1007 } } })
  })

  test('has times of Brasília', () => {
    const reading = read({ status: 'PENDING' })
    expect(typeof reading === 'object' && reading.event.at.toISOString()).toBe('2026-11-15T12:30:00.000Z')
  })

  test('of a deleted payment means cancelled, whatever its status', () => {
    expect(read({ status: 'PENDING', deleted: true })).toMatchObject({
      event: { payment: { status: 'CANCELLED' } },
    })
  })

  test('with partial refunds has their sum', () => {
    const refunds = [
      { status: 'DONE', value: 1.1 },
      { status: 'DONE', value: 2.2 },
      { status: 'PENDING', value: 3 },
    ]
    expect(read({ status: 'RECEIVED', refunds })).toMatchObject({ event: { payment: { refunded: 330 } } })
  })

  test('that is not ours, or not about money, is ignored', () => {
    expect(read({ status: 'RECEIVED', externalReference: null })).toBe('ignored')
    expect(read({ status: 'SOMETHING_NEW' })).toBe('ignored')
    for (const event of ['PAYMENT_CHECKOUT_VIEWED', 'TRANSFER_DONE', 'INVOICE_CREATED']) {
      expect(quiet.readWebhook(say({ ...wire, event, payment: { ...payment, status: 'PENDING' } }))).toBe(
        'ignored',
      )
    }
    expect(quiet.readWebhook(say({ ...wire, event: 'PAYMENT_RECEIVED' }))).toBe('ignored')
  })

  test.each(['', '{', 'null', '[]', '{}', '{"id":1,"event":2}', '"x"'])('%s is malformed', (body) => {
    expect(quiet.readWebhook(say(body))).toBe('malformed')
  })
})
