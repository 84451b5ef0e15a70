import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { days, hours, minutes } from '../../../test/helpers/run/test-clock.ts'
import { accountIdOf } from '../../../test/helpers/service/call-rows.ts'
import { type MoneyService, startMoneyService } from '../../../test/helpers/service/money.ts'
import { openCharge, orderNow } from '../../../test/helpers/service/open-charge.ts'
import { openAccount } from '../../../test/helpers/service/people.ts'
import { createLog } from '../../kit/process/log.ts'
import { createChargeTransitions } from './charge-transitions.ts'
import { createReconciliation } from './reconciliation.ts'

let service: MoneyService
beforeAll(async () => {
  service = await startMoneyService()
})
afterAll(() => service.stop())

const later = (seconds: number) => new Date(service.clock.now().getTime() + seconds * 1000)

const eventRow = (eventId: string) =>
  service.db.selectFrom('gateway_events').selectAll().where('event_id', '=', eventId).executeTakeFirst()

/** Another process on the database. */
function startOther() {
  const { db, clock, gateway, app } = service
  const log = createLog('silent')
  const { ledger } = app.services.money
  const transitions = createChargeTransitions({ clock, ledger, log })
  return createReconciliation({ db, clock, log, gateway, transitions })
}

test('an answer of the gateway that is older than an event which another process applied meanwhile changes nothing', async () => {
  const { clock, gateway, reconciliation } = service
  const { paymentId, shown } = await openCharge(service)
  await service.movePayment(paymentId, 'CONFIRMED')
  const other = startOther()
  gateway.duringNextRequest(async () => {
    await other.receive(gateway.eventOf(paymentId, 'RECEIVED'))
    await other.tick()
  })
  clock.advance(13 * hours)
  await reconciliation.tick()
  expect((await shown()).status).toBe('RECEIVED')
  expect(gateway.payments.get(paymentId)?.status).toBe('RECEIVED')
})

test('D561: events of a chargeback that come out of order leave a charge where its payment is, within minutes', async () => {
  const { clock, gateway, reconciliation } = service
  const { paymentId, shown } = await openCharge(service)
  await service.movePayment(paymentId, 'RECEIVED')
  const requested = gateway.eventOf(paymentId, 'CHARGEBACK_REQUESTED')
  await reconciliation.receive(gateway.eventOf(paymentId, 'RECEIVED'))
  await reconciliation.tick()
  await reconciliation.receive(requested)
  await reconciliation.tick()
  clock.advance(2 * minutes)
  await reconciliation.tick()
  expect((await shown()).status).toBe('RECEIVED')
})

test('D561: an event that overtook those before it is not forgotten when these come', async () => {
  const { clock, gateway, reconciliation } = service
  const { paymentId, shown, balance } = await openCharge(service)
  const before = await balance()
  const [confirmed, received, refunded] = (['CONFIRMED', 'RECEIVED', 'REFUNDED'] as const).map((status) =>
    gateway.eventOf(paymentId, status),
  )
  for (const event of [refunded, confirmed, received]) {
    if (event) await reconciliation.receive(event)
    clock.advance(1)
  }
  await reconciliation.tick()
  expect((await shown()).status).toBe('REFUNDED')
  expect(await balance()).toBe(before)
})

test('D561: a late event of the payment does not end a refund that is in progress', async () => {
  const { clock, reconciliation } = service
  const { paymentId, shown } = await openCharge(service)
  await service.movePayment(paymentId, 'CONFIRMED', 'REFUND_REQUESTED')
  await service.deliverLate(paymentId, 'RECEIVED')
  clock.advance(2 * minutes)
  await reconciliation.tick()
  expect((await shown()).status).toBe('REFUND_REQUESTED')
})

describe('the gateway is polled', () => {
  test('about a charge of which no event came', async () => {
    const { paymentId, shown, balance } = await openCharge(service)
    const before = await balance()
    service.gateway.set(paymentId, 'RECEIVED')
    service.clock.advance(9 * minutes)
    await service.reconciliation.tick()
    expect((await shown()).status).toBe('PENDING')
    service.clock.advance(2 * minutes)
    await service.reconciliation.tick()
    expect((await shown()).status).toBe('RECEIVED')
    expect(await balance()).toBe(before + 100)
  })

  test('for the code that a payer lacks, and for the status where it does not tell the code (D152)', async () => {
    const { id, paymentId, row } = await openCharge(service)
    const { find, poll } = service.gateway
    const { pix_code: pixCode } = await row()
    await service.db
      .updateTable('charges')
      .set({ pix_code: null, payment_code: null, look_at: service.clock.now() })
      .where('id', '=', id)
      .execute()
    let polled = 0
    Object.assign(service.gateway, {
      // As a gateway that shows codes one by one only.
      async poll(ids: string[]) {
        polled += 1
        return (await poll(ids)).map((payment) => ({ ...payment, pixCode: undefined }))
      },
      find: async () => ({ ok: false, why: 'unavailable', reason: 'as the test wants' }),
    })
    await service.reconciliation.tick()
    expect([polled, (await row()).pix_code]).toEqual([1, null])
    expect((await row()).look_at, 'soon again').toEqual(later(60))
    service.gateway.set(paymentId, 'OVERDUE')
    Object.assign(service.gateway, { find })
    service.clock.advance(60)
    await service.reconciliation.tick()
    Object.assign(service.gateway, { poll })
    expect(polled, 'the answer with the code has the status too').toBe(1)
    expect(await row()).toMatchObject({ pix_code: pixCode, status: 'OVERDUE' })
  })

  test('at once after an event that may not be applied, and as ever after such an answer', async () => {
    const { paymentId, row } = await openCharge(service)
    await service.movePayment(paymentId, 'RECEIVED')
    await service.deliverLate(paymentId, 'PENDING')
    // The tick that applied the event has polled too.
    expect((await row()).look_at).toEqual(later(days))
    service.gateway.set(paymentId, 'PENDING')
    service.clock.advance(days)
    await service.reconciliation.tick()
    expect(await row()).toMatchObject({ status: 'RECEIVED', look_at: later(days) })
  })

  test('again after five minutes by others, if the process that claimed it was stopped', async () => {
    const { paymentId, row } = await openCharge(service)
    service.clock.advance(11 * minutes)
    service.gateway.set(paymentId, 'RECEIVED')
    service.gateway.failWith('unavailable')
    await service.reconciliation.tick()
    service.gateway.failWith(undefined)
    expect((await row()).look_at).toEqual(later(300))
    service.clock.advance(300)
    await service.reconciliation.tick()
    expect((await row()).status).toBe('RECEIVED')
  })

  test('about an order without an answer every half minute, until it is lost for five', async () => {
    service.gateway.failWith('lost answer')
    const other = await openAccount(service)
    await service.api.post('/charges', orderNow(service), other)
    service.gateway.failWith('unavailable')
    const lost = () => service.db.selectFrom('charges').selectAll().where('payment_id', 'is', null).execute()
    const accountId = await accountIdOf(service.db, other.domain)
    const mine = async () => (await lost()).filter((one) => one.account_id === accountId)
    service.clock.advance(400)
    await service.reconciliation.tick()
    expect(await mine(), 'the gateway does not answer').toMatchObject([{ look_at: later(30) }])
    service.gateway.failWith(undefined)
    service.clock.advance(30)
    await service.reconciliation.tick()
    expect(await mine()).toEqual([])
    expect((await service.api.get('/charges', other)).body.data).toMatchObject([{ status: 'PENDING' }])
  })
})

describe('an event of the gateway', () => {
  test('is applied once, however often it is sent, and says what came of it', async () => {
    const { id, paymentId, balance } = await openCharge(service)
    const before = await balance()
    const event = service.gateway.eventOf(paymentId, 'CONFIRMED')
    await service.reconciliation.receive(event)
    await service.reconciliation.receive(event)
    expect(await service.reconciliation.queue()).toEqual({ waiting: 1, oldest: service.clock.now() })
    await service.reconciliation.tick()
    await service.reconciliation.receive(event)
    expect(await service.reconciliation.queue()).toEqual({ waiting: 0, oldest: null })
    expect(await balance()).toBe(before + 100)
    expect(await eventRow(event.eventId)).toMatchObject({
      due_at: null,
      outcome: `charge ${id} is CONFIRMED`,
      tries: 0,
    })
  })

  test('of a payment that no charge asked for is put aside', async () => {
    const { paymentId } = await openCharge(service)
    const event = service.gateway.eventOf(paymentId, 'CONFIRMED')
    const payment = { ...event.payment, paymentId: 'pay_of_somebody', reference: 'none of ours' }
    await service.reconciliation.receive({ ...event, payment })
    await service.reconciliation.tick()
    expect(await eventRow(event.eventId)).toMatchObject({ due_at: null, outcome: 'not ours' })
  })

  test('wakes the one who applies events, unless it came before', async () => {
    const { paymentId } = await openCharge(service)
    let woken = 0
    service.reconciliation.onWake(() => {
      woken += 1
    })
    const event = service.gateway.eventOf(paymentId, 'CONFIRMED')
    await service.reconciliation.receive(event)
    await service.reconciliation.receive(event)
    expect(woken).toBe(1)
    await service.reconciliation.tick()
  })

  test('that cannot be applied is tried five times more, ever later, and holds up no other', async () => {
    const [broken, whole] = [await openCharge(service), await openCharge(service)]
    const bad = service.gateway.eventOf(broken.paymentId, 'CONFIRMED')
    // Its column takes numbers only.
    const payment = { ...bad.payment, fee: 'none' as unknown as number }
    await service.reconciliation.receive({ ...bad, payment })
    service.clock.advance(1)
    await service.reconciliation.receive(service.gateway.eventOf(whole.paymentId, 'CONFIRMED'))
    await service.reconciliation.tick()
    expect((await whole.shown()).status).toBe('CONFIRMED')
    for (const [tries, seconds] of [5, 30, 120, 600, 3_600].entries()) {
      const row = await eventRow(bad.eventId)
      expect(row?.outcome).toMatch(/^failed: ./)
      expect([row?.tries, row?.due_at]).toEqual([tries + 1, later(seconds)])
      service.clock.advance(seconds)
      await service.reconciliation.tick()
    }
    expect(await eventRow(bad.eventId)).toMatchObject({ tries: 6, due_at: null })
    expect((await broken.row()).status, 'the gateway was polled too').toBe('CONFIRMED')
  })

  test('is kept for 90 days after it was applied', async () => {
    const { paymentId } = await openCharge(service)
    const event = service.gateway.eventOf(paymentId, 'CONFIRMED')
    await service.reconciliation.receive(event)
    service.clock.advance(91 * days)
    await service.reconciliation.sweep()
    expect(await eventRow(event.eventId), 'still to be applied').toBeDefined()
    await service.reconciliation.tick()
    await service.reconciliation.sweep()
    expect(await eventRow(event.eventId)).toBeUndefined()
    const second = service.gateway.eventOf(paymentId, 'RECEIVED')
    await service.reconciliation.receive(second)
    await service.reconciliation.tick()
    service.clock.advance(89 * days)
    await service.reconciliation.sweep()
    expect(await eventRow(second.eventId)).toBeDefined()
  })
})
