/** Spec §4.2: charges are ordered and cancelled. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  chargeFields,
  creationFields,
  type MoneyService,
  pix,
  startMoneyService,
} from '../../helpers/service/money.ts'
import { addUser, openAccount } from '../../helpers/service/people.ts'

let service: MoneyService
type Person = Awaited<ReturnType<typeof openAccount>>
let admin: Person

beforeAll(async () => {
  service = await startMoneyService({ DATABASE_POOL: '10' })
  admin = await openAccount(service)
})
afterAll(() => service.stop())

const create = (request: object, who: { token: string } = admin) => service.api.post('/charges', request, who)
const cancel = (id: number | string, who: { token: string } = admin) =>
  service.api.patch(`/charges/${id}/cancel`, undefined, who)
const list = (who: { token: string }, more = '') => service.api.get(`/charges?page=1${more}`, who)
const balance = async (who: { token: string }) =>
  (await service.api.get('/credits/balance', who)).body.balance

describe('POST /charges', () => {
  test('answers the fields of creation (§2.2, D30)', async () => {
    const who = await openAccount(service)
    const { status, body } = await create(pix, who)
    expect(status).toBe(200)
    expect(Object.keys(body).sort()).toEqual(creationFields.toSorted())
    expect(body).toMatchObject({
      gateway: 'sandbox',
      type: 'CREDIT',
      paymentMethod: 'PIX',
      status: 'PENDING',
      amount: 100,
      totalAmount: 100,
      description: 'Novembro',
      metadata: {},
      dueDate: '2026-11-18T03:00:00.000Z',
      createdAt: service.clock.now().toISOString(),
      id: expect.any(Number),
      userId: expect.any(Number),
      organizationId: expect.any(Number),
      paymentId: expect.stringMatching(/^pay_/),
      paymentLink: expect.stringMatching(/^https:/),
    })
  })

  test.each(['UNDEFINED', 'CREDIT_CARD', 'DEBIT_CARD', 'BOLETO', 'PIX'])(
    'takes %s',
    async (paymentMethod) => {
      const { body } = await create({ ...pix, paymentMethod }, await openAccount(service))
      expect(body.paymentMethod).toBe(paymentMethod)
    },
  )

  test.each([5.01, 5.1, 49_999.99, 100])('takes the amount %d (D35)', async (amount) => {
    const { status, body } = await create({ ...pix, amount }, await openAccount(service))
    expect([status, body.amount, body.totalAmount]).toEqual([200, amount, amount])
  })

  test('takes an amount that floating point made inexact, as what is meant (D35)', async () => {
    const { status, body } = await create({ ...pix, amount: 3 * 19.9 }, await openAccount(service))
    expect([status, body.amount]).toEqual([200, 59.7])
  })

  test.each([5, 50_000, 4.99, 0, -10, 10.001, 1e9, '100', null])(
    'refuses the amount %j (D35)',
    async (amount) => {
      const { status, body } = await create({ ...pix, amount })
      expect([status, Object.keys(body.error.details.codes)]).toEqual([422, ['amount']])
    },
  )

  test.each(['2026-11-16', '2026-11-22'])('takes the due date %s (D35)', async (dueDate) => {
    const { status, body } = await create({ ...pix, dueDate }, await openAccount(service))
    expect([status, body.dueDate.slice(0, 10)]).toEqual([200, dueDate])
  })

  test.each([
    '2026-11-15',
    '2026-11-14',
    '2026-11-23',
    '2027-11-16',
    '2026-11-31',
    '2026-02-30',
    '16/11/2026',
    '2026-11-16T00:00:00Z',
    '2026-1-1',
    '',
    'tomorrow',
    20_261_116,
    null,
  ])('refuses the due date %j (D35)', async (dueDate) => {
    const { status, body } = await create({ ...pix, dueDate })
    expect([status, Object.keys(body.error.details.codes)]).toEqual([422, ['dueDate']])
  })

  test('names every field that is wrong', async () => {
    const { body } = await create({ amount: 1, dueDate: 'x', paymentMethod: 'CASH' })
    expect(Object.keys(body.error.details.codes)).toEqual(['paymentMethod'])
    const both = await create({ ...pix, amount: 1, dueDate: 'x' })
    expect(Object.keys(both.body.error.details.codes).sort()).toEqual(['amount', 'dueDate'])
    expect(Object.keys((await create({})).body.error.details.codes).sort()).toEqual([
      'amount',
      'dueDate',
      'paymentMethod',
    ])
    expect((await create({ ...pix, description: 'x'.repeat(501) })).status).toBe(422)
  })

  test('is refused while the account has an open charge, and not because another account has one (§3, D32)', async () => {
    const [who, other] = [await openAccount(service), await openAccount(service)]
    const first = await create(pix, who)
    const second = await create(pix, who)
    expect([second.status, second.body.error.code]).toEqual([409, 'CHARGE_OPEN'])
    expect((await create(pix, other)).status).toBe(200)
    await cancel(first.body.id, who)
    expect((await create(pix, who)).status).toBe(200)
  })

  test('is done once when 50 ask at the same moment (D32)', async () => {
    const who = await openAccount(service)
    const answers = await Promise.all(Array.from({ length: 50 }, () => create(pix, who)))
    const counts = Map.groupBy(answers, ({ status, body }) => body.error?.code ?? status)
    expect([counts.get(200)?.length, counts.get('CHARGE_OPEN')?.length]).toEqual([1, 49])
    expect((await list(who)).body.meta.totalItemCount).toBe(1)
  })

  test('is done once for one Idempotency-Key (D18)', async () => {
    const who = await openAccount(service)
    const send = () => service.api.post('/charges', pix, { ...who, headers: { 'idempotency-key': 'once' } })
    const [first, again] = [await send(), await send()]
    expect([again.status, again.body]).toEqual([200, first.body])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
  })

  test('is refused to a USER (D54)', async () => {
    const user = await addUser(service, admin)
    expect((await create(pix, user)).status).toBe(403)
    expect((await list(user)).status).toBe(403)
    expect((await cancel(1, user)).status).toBe(403)
  })
})

describe('the gateway', () => {
  test('that refuses an order leaves no charge', async () => {
    const who = await openAccount(service)
    service.gateway.failWith('refused')
    const { status, body } = await create(pix, who)
    service.gateway.failWith(undefined)
    expect([status, body.error.code]).toEqual([424, 'PAYMENT_REFUSED'])
    expect((await create(pix, who)).status).toBe(200)
  })

  test('that is down leaves no charge, and the client may try again', async () => {
    const who = await openAccount(service)
    service.gateway.failWith('unavailable')
    const { status, body, headers } = await create(pix, who)
    service.gateway.failWith(undefined)
    expect([status, body.error.code]).toEqual([503, 'PAYMENT_GATEWAY_DOWN'])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await create(pix, who)).status).toBe(200)
  })

  test('whose answer was lost is asked later: the charge it made is there then', async () => {
    const who = await openAccount(service)
    service.gateway.failWith('lost answer')
    expect((await create(pix, who)).status).toBe(503)
    service.gateway.failWith(undefined)
    expect((await list(who)).body.data).toEqual([])
    expect((await create(pix, who)).body.error.code).toBe('CHARGE_OPEN')
    service.clock.advance(60)
    await service.reconciliation.tick()
    expect((await list(who)).body.data).toMatchObject([{ status: 'PENDING', amount: 100 }])
  })

  test('that never had an order frees the account after a while', async () => {
    const who = await openAccount(service)
    service.gateway.failWith('unknown')
    expect((await create(pix, who)).status).toBe(503)
    service.gateway.failWith(undefined)
    service.clock.advance(60)
    await service.reconciliation.tick()
    expect((await create(pix, who)).body.error.code).toBe('CHARGE_OPEN')
    service.clock.advance(300)
    await service.reconciliation.tick()
    expect((await create(pix, who)).status).toBe(200)
  })
})

describe('PATCH /charges/{id}/cancel (D33)', () => {
  test('cancels, and answers all fields; again it changes nothing', async () => {
    const who = await openAccount(service)
    const { body: made } = await create({ ...pix, paymentMethod: 'BOLETO' }, who)
    const { status, body } = await cancel(made.id, who)
    expect([status, body.status]).toEqual([200, 'CANCELLED'])
    expect(Object.keys(body).sort()).toEqual(chargeFields.toSorted())
    expect(body).toMatchObject({
      paymentCode: expect.stringMatching(/^\d{47}$/),
      taxAmount: 1.99,
      paidAt: null,
    })
    service.clock.advance(1)
    expect(await cancel(made.id, who)).toMatchObject({ status: 200, body })
  })

  test('cancels one that is overdue', async () => {
    const who = await openAccount(service)
    const { body } = await create(pix, who)
    await service.movePayment(body.paymentId, 'OVERDUE')
    expect((await cancel(body.id, who)).body.status).toBe('CANCELLED')
  })

  test('refuses a paid one', async () => {
    const who = await openAccount(service)
    const { body } = await create(pix, who)
    await service.movePayment(body.paymentId, 'RECEIVED')
    const { status, body: refused } = await cancel(body.id, who)
    expect([status, refused.error.code]).toEqual([409, 'CHARGE_NOT_CANCELLABLE'])
  })

  test('does not find that of another account, nor one that is none', async () => {
    const { body } = await create(pix, await openAccount(service))
    for (const id of [body.id, 999_999, 'x', '9'.repeat(30)]) {
      const { status, body: refused } = await cancel(id)
      expect([status, refused.error.code]).toEqual([404, 'CHARGE_NOT_FOUND'])
    }
  })

  test('gives way to a payment that comes first, which is credited', async () => {
    const who = await openAccount(service)
    const { body } = await create(pix, who)
    const before = await balance(who)
    service.gateway.duringNextRequest(async () => {
      service.gateway.set(body.paymentId, 'RECEIVED')
    })
    expect((await cancel(body.id, who)).body.error.code).toBe('CHARGE_NOT_CANCELLABLE')
    expect(await balance(who)).toBe(before + 100)
    expect((await list(who)).body.data[0].status).toBe('RECEIVED')
  })

  test('is followed by the credit of a payment that came all the same', async () => {
    const who = await openAccount(service)
    const { body } = await create(pix, who)
    const before = await balance(who)
    await cancel(body.id, who)
    await service.movePayment(body.paymentId, 'RECEIVED')
    expect(await balance(who)).toBe(before + 100)
    expect((await list(who)).body.data[0]).toMatchObject({ status: 'RECEIVED', paidAt: expect.any(String) })
  })

  test('says when the gateway does not answer', async () => {
    const who = await openAccount(service)
    const { body } = await create(pix, who)
    service.gateway.failWith('unavailable')
    expect((await cancel(body.id, who)).status).toBe(503)
    service.gateway.failWith(undefined)
    expect((await cancel(body.id, who)).status).toBe(200)
  })
})
