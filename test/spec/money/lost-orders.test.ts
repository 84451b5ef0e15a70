/** D560: an order whose answer was lost, and the requests that repeat it with their Idempotency-Key. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { hours } from '../../helpers/run/test-clock.ts'
import { type MoneyService, pix, startMoneyService } from '../../helpers/service/money.ts'
import { openAccount } from '../../helpers/service/people.ts'
import { undoOrderAnswer } from '../../helpers/stored/money-rows.ts'

type Admin = Awaited<ReturnType<typeof openAccount>>

let service: MoneyService
beforeAll(async () => {
  service = await startMoneyService()
})
afterEach(() => service.gateway.failWith(undefined))
afterAll(() => service.stop())

const create = ({ token }: Admin, key: string, charge: object = pix) =>
  service.api.post('/charges', charge, { token, headers: { 'idempotency-key': key } })
const chargesOf = async (who: Admin) => (await service.api.get('/charges', who)).body.data

/** The gateway makes the payment, and the client is answered 503. */
async function loseAnswer(who: Admin, key: string) {
  const { gateway } = service
  gateway.failWith('lost answer')
  expect((await create(who, key)).body.error.code).toBe('PAYMENT_GATEWAY_DOWN')
  gateway.failWith(undefined)
  const paymentId = [...gateway.payments.keys()].at(-1)
  if (paymentId === undefined) throw new Error('the gateway has no payment')
  return paymentId
}

test('a request repeated after the answer of the gateway was lost gets the charge that was ordered', async () => {
  const who = await openAccount(service)
  const paymentId = await loseAnswer(who, 'lost')
  const again = await create(who, 'lost')
  expect([again.status, again.body.paymentId, again.body.status]).toEqual([200, paymentId, 'PENDING'])
  expect(await create(who, 'lost')).toMatchObject({ status: 200, body: again.body })
  expect(service.gateway.orders.filter(({ reference }) => reference === referenceOf(paymentId))).toHaveLength(
    1,
  )
  expect(await chargesOf(who)).toMatchObject([{ id: again.body.id }])
})

test('a request repeated after its lost order was paid makes no second charge', async () => {
  const who = await openAccount(service)
  const paymentId = await loseAnswer(who, 'paid')
  await service.movePayment(paymentId, 'CONFIRMED')
  const again = await create(who, 'paid')
  expect([again.status, again.body.paymentId, again.body.status]).toEqual([200, paymentId, 'CONFIRMED'])
  expect(await chargesOf(who)).toMatchObject([{ id: again.body.id, status: 'CONFIRMED' }])
})

test('an event that arrives while a repeated request asks the gateway is newer than the answer', async () => {
  const who = await openAccount(service)
  const { gateway, reconciliation } = service
  const paymentId = await loseAnswer(who, 'event')
  gateway.set(paymentId, 'CONFIRMED')
  gateway.duringNextRequest(async () => {
    await reconciliation.receive(gateway.eventOf(paymentId, 'RECEIVED'))
    await reconciliation.tick()
  })
  const again = await create(who, 'event')
  expect([again.status, again.body.paymentId, again.body.status]).toEqual([200, paymentId, 'RECEIVED'])
})

test('a request repeated after its process died gets the charge that was ordered', async () => {
  const who = await openAccount(service)
  const first = await create(who, 'died')
  await undoOrderAnswer(service.db, first.body.id, 'died')
  expect((await create(who, 'died')).body.error.code).toBe('IDEMPOTENCY_KEY_IN_USE')
  service.clock.advance(60)
  const again = await create(who, 'died')
  expect([again.status, again.body.id, again.body.paymentId]).toEqual([
    200,
    first.body.id,
    first.body.paymentId,
  ])
  expect(await chargesOf(who)).toHaveLength(1)
})

test('an order that may still arrive at the gateway is not sent again; one that never arrived is', async () => {
  const who = await openAccount(service)
  const { gateway, clock, reconciliation } = service
  const before = gateway.orders.length
  gateway.failWith('unknown')
  expect((await create(who, 'never')).status).toBe(503)
  expect((await create(who, 'never')).status).toBe(503)
  gateway.failWith(undefined)
  const { status, body, headers } = await create(who, 'never')
  expect([status, body.error.code]).toEqual([503, 'PAYMENT_GATEWAY_DOWN'])
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  expect(gateway.orders.length - before).toBe(1)
  clock.advance(360)
  await reconciliation.tick()
  expect((await create(who, 'never')).status).toBe(200)
  expect(gateway.orders.length - before).toBe(2)
  expect(await chargesOf(who)).toHaveLength(1)
})

test('a gateway that was down has no order: the same key orders at once', async () => {
  const who = await openAccount(service)
  service.gateway.failWith('unavailable')
  expect((await create(who, 'down')).status).toBe(503)
  service.gateway.failWith(undefined)
  expect((await create(who, 'down')).status).toBe(200)
  expect(await chargesOf(who)).toHaveLength(1)
})

test('the key of an order whose answer was lost stays bound to its body', async () => {
  const who = await openAccount(service)
  await loseAnswer(who, 'body')
  const { status, body } = await create(who, 'body', { ...pix, amount: 200 })
  expect([status, body.error.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
})

test('a key that is forgotten after 24 hours makes a new charge', async () => {
  const who = await openAccount(service)
  const paymentId = await loseAnswer(who, 'old')
  await service.movePayment(paymentId, 'CONFIRMED')
  service.clock.advance(24 * hours)
  const { status, body } = await create(who, 'old')
  expect([status, body.status]).toEqual([200, 'PENDING'])
  expect(await chargesOf(who)).toHaveLength(2)
})

test('a charge that a repeated request got is in the audit log as created, once', async () => {
  const who = await openAccount(service)
  await loseAnswer(who, 'audit')
  const { body } = await create(who, 'audit')
  await create(who, 'audit')
  const { data } = (await service.api.get('/accounts/audit', who)).body
  const created = data.filter(({ action }: { action: string }) => action === 'charge.created')
  expect(created).toMatchObject([{ subject: String(body.id) }])
})

const referenceOf = (paymentId: string) => service.gateway.payments.get(paymentId)?.reference
