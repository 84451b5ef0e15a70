/** The sandbox gateway with a real database, a real receiver, and a clock that is moved. */
import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { answer, type Receiver, startReceiver } from '../../../test/helpers/programs/receiver.ts'
import { createTestClock, days, hours, minutes } from '../../../test/helpers/run/test-clock.ts'
import { createTestDatabase } from '../../../test/helpers/run/test-database.ts'
import { createLog } from '../../kit/process/log.ts'
import { createVault } from '../../kit/vault.ts'
import { type Database, openDatabase, openPool } from '../../store/database.ts'
import { describeGateway, type World } from '../contract-suite.ts'
import type { Order, PaymentEvent } from '../port.ts'
import { createSandboxGateway } from './sandbox.ts'

const customer = { reference: 'acc-1', name: 'Padaria São João', taxId: '52998224725' }
const card = { holder: 'ANA SOUZA', number: '4111111111111111', expiry: '12/30', cvv: '123' }

let database: Awaited<ReturnType<typeof createTestDatabase>>
let db: Database
beforeAll(async () => {
  database = await createTestDatabase()
  db = openDatabase(openPool({ connectionString: database.url }, { size: 8, onError: () => {} }))
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

async function startSandbox() {
  for (const table of ['sandbox_payments', 'sandbox_customers'] as const) await db.deleteFrom(table).execute()
  const clock = createTestClock()
  const receiver: Receiver = await startReceiver()
  const vault = createVault(randomBytes(32))
  const log = createLog('silent')
  const deps = { db, clock, log, vault, siteUrl: () => 'https://ramal.example' }
  const gateway = createSandboxGateway({ ...deps, webhookUrl: () => receiver.url })

  const newOrder = async (change: Partial<Order> = {}): Promise<Order> => ({
    reference: crypto.randomUUID(),
    method: 'UNDEFINED',
    dueDate: '2026-11-20',
    amount: 5000,
    description: 'Créditos',
    ...change,
  })
  const webhookRequests = () => receiver.received.map(({ headers, text }) => ({ headers, body: text }))

  return {
    gateway,
    clock,
    receiver,
    newOrder,
    /** A payment, and the key in its link. */
    async make(change: Partial<Order> = {}) {
      const made = await gateway.order(await newOrder(change))
      if (!made.ok) throw new Error(made.reason)
      return { ...made.payment, key: made.payment.paymentLink.split('/').at(-1) ?? '' }
    },
    /** Type and status of each event received, after all due events were sent. */
    async eventLines(): Promise<string[]> {
      await gateway.tick()
      return events().map(({ type, payment }) => `${type} ${payment.status}`)
    },
    events,
    async webhookRequests() {
      await gateway.tick()
      return webhookRequests()
    },
    stop: receiver.stop,
  }

  function events(): PaymentEvent[] {
    const read = webhookRequests().map((request) => gateway.readWebhook(request))
    return read.flatMap((one) => (typeof one === 'object' ? [one.event] : []))
  }
}

const keyOf = (link: string) => link.split('/').at(-1) ?? ''

async function makeWorld(): Promise<World> {
  const sandbox = await startSandbox()
  const { gateway, clock, newOrder, webhookRequests } = sandbox
  return {
    gateway,
    customer,
    newOrder,
    webhookRequests,
    refusedTaxId: '00000000191',
    async pays({ paymentLink }, method) {
      await gateway.payer.pay(keyOf(paymentLink), method, method === 'PIX' ? undefined : card)
    },
    async passDueDate() {
      clock.advance(7 * days)
    },
    close: sandbox.stop,
  }
}

describeGateway('the sandbox', makeWorld)

describe('the sandbox', () => {
  let sandbox: Awaited<ReturnType<typeof startSandbox>>
  beforeEach(async () => {
    sandbox = await startSandbox()
  })
  afterEach(() => sandbox.stop())

  test('is overdue when the day is over in São Paulo, not before', async () => {
    const { clock, gateway } = sandbox
    const { paymentId } = await sandbox.make({ dueDate: '2026-11-16' })
    const status = async () => {
      await gateway.tick()
      const found = await gateway.find({ paymentId })
      return found.ok && found.payment?.status
    }
    // The clock stands at 15 November, 12:00 UTC: midnight after the 16th there is the 17th, 03:00 UTC.
    clock.advance(39 * hours - 1)
    expect(await status()).toBe('PENDING')
    clock.advance(1)
    expect(await status()).toBe('OVERDUE')
  })

  test.each([
    ['BOLETO', 1],
    ['DEBIT_CARD', 3],
    ['CREDIT_CARD', 32],
  ] as const)('%s is confirmed at once and received %i days later', async (method, wait) => {
    const { key } = await sandbox.make()
    expect(await sandbox.gateway.payer.pay(key, method, method === 'BOLETO' ? undefined : card)).toBe('done')
    sandbox.clock.advance(wait * days - 1)
    expect((await sandbox.eventLines()).at(-1)).toBe('PAYMENT_CONFIRMED CONFIRMED')
    sandbox.clock.advance(1)
    expect((await sandbox.eventLines()).at(-1)).toBe('PAYMENT_RECEIVED RECEIVED')
  })

  test('a refused card leaves the payment as it was', async () => {
    const { key } = await sandbox.make()
    const refused = { ...card, number: '4000000000000002' }
    expect(await sandbox.gateway.payer.pay(key, 'CREDIT_CARD', refused)).toBe('card refused')
    expect(await sandbox.eventLines()).toEqual(['PAYMENT_CREATED PENDING'])
    expect(await sandbox.gateway.payer.pay(key, 'CREDIT_CARD', card)).toBe('done')
  })

  test.each([
    ['4000000000009235', 'PAYMENT_APPROVED_BY_RISK_ANALYSIS CONFIRMED'],
    ['4000000000004954', 'PAYMENT_REPROVED_BY_RISK_ANALYSIS PENDING'],
  ])('a card to be looked at (%s) is decided on after a minute', async (number, end) => {
    const { key } = await sandbox.make()
    await sandbox.gateway.payer.pay(key, 'CREDIT_CARD', { ...card, number })
    sandbox.clock.advance(59)
    expect((await sandbox.eventLines()).at(-1)).toBe('PAYMENT_AWAITING_RISK_ANALYSIS AWAITING_RISK_ANALYSIS')
    expect(await sandbox.gateway.payer.pay(key, 'PIX')).toBe('too late')
    sandbox.clock.advance(1)
    expect((await sandbox.eventLines()).at(-1)).toBe(end)
  })

  test('a charge-back is disputed and won, or conceded', async () => {
    const { payer } = sandbox.gateway
    const chargedBack = { ...card, number: '4000000000000259' }
    for (const [actions, end] of [
      [['dispute', 'win'], 'PAYMENT_CONFIRMED CONFIRMED'],
      [['dispute', 'lose'], 'PAYMENT_REFUNDED REFUNDED'],
      [['concede'], 'PAYMENT_REFUNDED REFUNDED'],
    ] as const) {
      const { key } = await sandbox.make()
      await payer.pay(key, 'CREDIT_CARD', chargedBack)
      sandbox.clock.advance(1 * minutes)
      expect((await sandbox.eventLines()).at(-1)).toBe('PAYMENT_CHARGEBACK_REQUESTED CHARGEBACK_REQUESTED')
      for (const action of actions) expect(await payer.act(key, action)).toBe('done')
      sandbox.clock.advance(1 * minutes)
      expect((await sandbox.eventLines()).at(-1)).toBe(end)
    }
    // Won once, it is not charged back again.
    sandbox.clock.advance(33 * days)
    expect((await sandbox.eventLines()).at(-1)).toBe('PAYMENT_RECEIVED RECEIVED')
  })

  test('a slip is refunded by request', async () => {
    const { key, paymentId } = await sandbox.make({ method: 'BOLETO' })
    await sandbox.gateway.payer.pay(key, 'BOLETO')
    const answered = await sandbox.gateway.refund(paymentId)
    expect(answered).toMatchObject({ ok: true, payment: { status: 'REFUND_REQUESTED', refunded: 0 } })
    sandbox.clock.advance(1 * minutes)
    expect((await sandbox.eventLines()).slice(-2)).toEqual([
      'PAYMENT_REFUND_REQUESTED REFUND_REQUESTED',
      'PAYMENT_REFUNDED REFUNDED',
    ])
  })

  test('a payment ordered with one method is not paid with another', async () => {
    const { key } = await sandbox.make({ method: 'PIX' })
    expect(await sandbox.gateway.payer.pay(key, 'BOLETO')).toBe('too late')
    expect(await sandbox.gateway.payer.pay('nobody', 'PIX')).toBe('unknown')
    expect(await sandbox.gateway.payer.act(key, 'refund')).toBe('too late')
    expect(await sandbox.gateway.payer.pay(key, 'PIX')).toBe('done')
    expect(await sandbox.gateway.payer.pay(key, 'PIX')).toBe('too late')
  })

  test('of a payment and a concurrent cancellation one succeeds', async () => {
    for (let round = 0; round < 10; round++) {
      const { key, paymentId } = await sandbox.make({ method: 'PIX' })
      const [paid, cancelled] = await Promise.all([
        sandbox.gateway.payer.pay(key, 'PIX'),
        sandbox.gateway.cancel(paymentId),
      ])
      const status = cancelled.ok && cancelled.payment.status
      expect([paid, status]).toEqual(paid === 'done' ? ['done', 'RECEIVED'] : ['too late', 'CANCELLED'])
    }
  })

  test('one reference ordered twenty times at once is one payment with one event', async () => {
    const order = await sandbox.newOrder()
    const answers = await Promise.all(Array.from({ length: 20 }, () => sandbox.gateway.order(order)))
    const ids = new Set(answers.map((made) => made.ok && made.payment.paymentId))
    expect(ids.size).toBe(1)
    expect(await sandbox.eventLines()).toEqual(['PAYMENT_CREATED PENDING'])
  })

  test("an event that is not accepted is sent again later, and holds back the payment's next events", async () => {
    const { receiver, clock } = sandbox
    receiver.answerWith(answer(500))
    const first = await sandbox.make({ method: 'PIX' })
    await sandbox.gateway.payer.pay(first.key, 'PIX')
    await sandbox.gateway.tick()
    expect(receiver.received).toHaveLength(1)
    // Another payment does not wait for it.
    await sandbox.make()
    await sandbox.gateway.tick()
    expect(receiver.received).toHaveLength(2)

    receiver.answerWith((response) => response.end())
    clock.advance(29)
    await sandbox.gateway.tick()
    expect(receiver.received).toHaveLength(2)
    clock.advance(1)
    await sandbox.gateway.tick()
    const events = sandbox.events().filter(({ payment }) => payment.paymentId === first.paymentId)
    expect(events.map(({ type }) => type)).toEqual(['PAYMENT_CREATED', 'PAYMENT_CREATED', 'PAYMENT_RECEIVED'])
    expect(events[0]?.eventId).toBe(events[1]?.eventId)
    // Signed each time: the first is too old by now, had it been kept.
    const [old] = await sandbox.webhookRequests()
    clock.advance(5 * minutes)
    expect(old && sandbox.gateway.readWebhook(old)).toBe('forbidden')
  })

  test.each([201, 204, 301, 400, 503])('%i is not 200: the event is sent again', async (status) => {
    sandbox.receiver.answerWith(answer(status))
    await sandbox.make()
    await sandbox.gateway.tick()
    sandbox.clock.advance(30)
    await sandbox.gateway.tick()
    expect(sandbox.receiver.received).toHaveLength(2)
  })

  test('after fifteen failures an event is given up, and the next ones are sent', async () => {
    const { receiver, clock, gateway } = sandbox
    receiver.answerWith(answer(500))
    const { key } = await sandbox.make({ method: 'PIX' })
    await gateway.payer.pay(key, 'PIX')
    for (let turn = 0; turn < 15; turn++) {
      await gateway.tick()
      clock.advance(4 * hours)
    }
    const types = () => receiver.received.map(({ body }) => body.type)
    expect(types()).toEqual([...Array(15).fill('PAYMENT_CREATED'), 'PAYMENT_RECEIVED'])
    receiver.answerWith((response) => response.end())
    await gateway.tick()
    expect(types().slice(15)).toEqual(['PAYMENT_RECEIVED', 'PAYMENT_RECEIVED'])
    clock.advance(15 * days)
    await gateway.sweep()
    expect(await db.selectFrom('sandbox_events').selectAll().execute()).toEqual([])
  })

  test('two nodes send each event once, in order', async () => {
    for (let round = 0; round < 5; round++) {
      const { key } = await sandbox.make({ method: 'PIX' })
      await sandbox.gateway.payer.pay(key, 'PIX')
    }
    await Promise.all([sandbox.gateway.tick(), sandbox.gateway.tick(), sandbox.gateway.tick()])
    const events = sandbox.events()
    expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(10)
    expect(events).toHaveLength(10)
    for (const { payment } of events) {
      const own = events.filter((event) => event.payment.paymentId === payment.paymentId)
      expect(own.map(({ type }) => type)).toEqual(['PAYMENT_CREATED', 'PAYMENT_RECEIVED'])
    }
  })

  test('only the last four digits of a card are stored', async () => {
    const { key } = await sandbox.make()
    await sandbox.gateway.payer.pay(key, 'CREDIT_CARD', { ...card, cvv: '987' })
    const rows = await db.selectFrom('sandbox_payments').selectAll().execute()
    expect(rows[0]).toMatchObject({ card_last_four: '1111', card_fate: 'approved' })
    expect(JSON.stringify(rows)).not.toMatch(/4111111111111111|ANA SOUZA|987|12\/30/)
  })
})
