/** What happens to charges between the API and the gateway: cancelling, refunds by the operator, events and polls. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { days, minutes } from '../../../test/helpers/run/test-clock.ts'
import { accountIdOf } from '../../../test/helpers/service/call-rows.ts'
import { type MoneyService, pix, startMoneyService } from '../../../test/helpers/service/money.ts'
import { openAccount } from '../../../test/helpers/service/people.ts'
import { Refusal } from '../../contract/errors.ts'

let service: MoneyService
beforeAll(async () => {
  service = await startMoneyService()
})
afterAll(() => service.stop())

/** Tests of months let the date of the fixture pass. */
const order = () => ({
  ...pix,
  dueDate: new Date(service.clock.now().getTime() + 3 * days * 1000).toISOString().slice(0, 10),
})

async function openCharge() {
  const admin = await openAccount(service)
  const accountId = await accountIdOf(service.db, admin.domain)
  const { body } = await service.api.post('/charges', order(), admin)
  const { id, paymentId } = body as { id: number; paymentId: string }
  return {
    admin,
    accountId,
    id,
    paymentId,
    shown: async () => (await service.api.get(`/charges/${id}`, admin)).body,
    row: () => service.db.selectFrom('charges').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    cancel: () => service.api.patch(`/charges/${id}/cancel`, undefined, admin),
    refund: (reason = 'twice ordered') =>
      service.app.services.money.operatorRefunds.refund({ accountId, chargeId: id, reason }),
    balance: async () => (await service.api.get('/credits/balance', admin)).body.balance as number,
  }
}

const auditOf = (accountId: number, action: string) =>
  service.db
    .selectFrom('audit')
    .select(['actor', 'subject', 'details'])
    .where('account_id', '=', accountId)
    .where('action', '=', action)
    .execute()

const later = (seconds: number) => new Date(service.clock.now().getTime() + seconds * 1000)

const eventRow = (eventId: string) =>
  service.db.selectFrom('gateway_events').selectAll().where('event_id', '=', eventId).executeTakeFirst()

async function refusalOf(work: Promise<unknown>): Promise<Refusal> {
  const result = await work.catch((error: unknown) => error)
  return result instanceof Refusal ? result : expect.fail(`not refused: ${result}`)
}

describe('a refund by the operator (D617)', () => {
  test('goes to the gateway, leaves the balance, and is in the audit log with its reason', async () => {
    const { accountId, id, paymentId, refund, balance, row } = await openCharge()
    await service.movePayment(paymentId, 'RECEIVED')
    const paid = await balance()
    expect(await refund()).toMatchObject({ id, accountId, status: 'REFUNDED' })
    expect(await balance()).toBe(paid - 100)
    expect(await auditOf(accountId, 'charge.refund-asked')).toEqual([
      { actor: null, subject: String(id), details: { reason: 'twice ordered' } },
    ])
    expect(await row()).toMatchObject({ refunded: 10_000, refunded_at: service.clock.now(), look_at: null })
    const moves = await service.db
      .selectFrom('charge_moves')
      .select(['to_status', 'cause'])
      .where('charge_id', '=', id)
      .execute()
    expect(moves.at(-1)).toEqual({
      to_status: 'REFUNDED',
      cause: 'refunded by the operator: twice ordered',
    })
  })

  test.each(['REFUND_REQUESTED', 'REFUND_IN_PROGRESS', 'REFUNDED'] as const)(
    'of a charge that is %s already asks the gateway for nothing',
    async (status) => {
      const { accountId, paymentId, refund } = await openCharge()
      await service.movePayment(paymentId, 'RECEIVED', 'REFUND_REQUESTED')
      if (status !== 'REFUND_REQUESTED') await service.movePayment(paymentId, status)
      service.gateway.failWith('unavailable')
      expect(await refund()).toMatchObject({ status })
      service.gateway.failWith(undefined)
      expect(await auditOf(accountId, 'charge.refund-asked')).toEqual([])
    },
  )

  test('that the gateway refuses says its reason, and changes nothing', async () => {
    const { accountId, paymentId, refund, shown } = await openCharge()
    await service.movePayment(paymentId, 'RECEIVED')
    service.gateway.failWith('refused')
    const refused = await refusalOf(refund())
    service.gateway.failWith(undefined)
    expect(refused).toMatchObject({ code: 'PAYMENT_REFUSED' })
    expect(JSON.stringify(refused)).toContain('as the test wants')
    expect((await shown()).status).toBe('RECEIVED')
    expect(await auditOf(accountId, 'charge.refund-asked')).toEqual([])
  })

  test.each(['unavailable', 'unknown'] as const)(
    'while the gateway is %s may be tried again',
    async (why) => {
      const { paymentId, refund } = await openCharge()
      await service.movePayment(paymentId, 'RECEIVED')
      service.gateway.failWith(why)
      const refused = await refusalOf(refund())
      service.gateway.failWith(undefined)
      expect(refused).toMatchObject({ code: 'PAYMENT_GATEWAY_DOWN', retryAfter: 30 })
      expect(await refund()).toMatchObject({ status: 'REFUNDED' })
    },
  )

  test('finds only charges of the account, at the gateway in use', async () => {
    const [mine, other] = [await openCharge(), await openCharge()]
    await service.movePayment(mine.paymentId, 'RECEIVED')
    const { operatorRefunds } = service.app.services.money
    const asked = { accountId: other.accountId, chargeId: mine.id, reason: 'x' }
    expect(await refusalOf(operatorRefunds.refund(asked))).toMatchObject({ code: 'CHARGE_NOT_FOUND' })
    await service.db.updateTable('charges').set({ gateway: 'asaas' }).where('id', '=', mine.id).execute()
    expect(await refusalOf(mine.refund())).toMatchObject({ code: 'CHARGE_NOT_FOUND' })
    expect(service.gateway.payments.get(mine.paymentId)?.status).toBe('RECEIVED')
  })

  test('does not find a charge whose order the gateway has not confirmed', async () => {
    const { id, refund } = await openCharge()
    await service.db.updateTable('charges').set({ payment_id: null }).where('id', '=', id).execute()
    expect(await refusalOf(refund())).toMatchObject({ code: 'CHARGE_NOT_FOUND' })
    expect(await service.app.services.money.charges.refund(id, 'x')).toBeUndefined()
  })
})

describe('a charge is cancelled', () => {
  test('with a line in the audit log; one that is cancelled already is not cancelled at the gateway again', async () => {
    const { accountId, admin, id, cancel } = await openCharge()
    expect((await cancel()).status).toBe(200)
    service.gateway.failWith('unavailable')
    expect((await cancel()).status).toBe(200)
    service.gateway.failWith(undefined)
    expect(await auditOf(accountId, 'charge.cancelled')).toEqual([
      { actor: admin.email, subject: String(id), details: { amount: 100 } },
    ])
  })

  test('but not where it was paid at the same moment: nothing is in the audit log', async () => {
    const { accountId, paymentId, cancel } = await openCharge()
    service.gateway.duringNextRequest(async () => {
      service.gateway.set(paymentId, 'CONFIRMED')
    })
    expect((await cancel()).body.error.code).toBe('CHARGE_NOT_CANCELLABLE')
    expect(await auditOf(accountId, 'charge.cancelled')).toEqual([])
  })

  test('a gateway that refuses is polled at once: the payment may have been paid', async () => {
    const { paymentId, cancel, row, shown } = await openCharge()
    service.gateway.failWith('refused')
    expect((await cancel()).body.error.code).toBe('CHARGE_NOT_CANCELLABLE')
    service.gateway.failWith(undefined)
    expect((await row()).look_at).toEqual(service.clock.now())
    service.gateway.set(paymentId, 'RECEIVED')
    await service.reconciliation.tick()
    expect((await shown()).status).toBe('RECEIVED')
  })

  test('but not once it is paid: the gateway is not even asked', async () => {
    const { paymentId, cancel } = await openCharge()
    await service.movePayment(paymentId, 'RECEIVED')
    service.gateway.failWith('unavailable')
    const { status, body } = await cancel()
    service.gateway.failWith(undefined)
    expect([status, body.error.code]).toEqual([409, 'CHARGE_NOT_CANCELLABLE'])
  })

  test('a gateway that does not answer is to be asked again after half a minute', async () => {
    const { cancel } = await openCharge()
    service.gateway.failWith('unavailable')
    const { status, headers } = await cancel()
    service.gateway.failWith(undefined)
    expect([status, headers.get('retry-after')]).toEqual([503, '30'])
  })

  test('a charge of another gateway cannot be cancelled for now', async () => {
    const { id, paymentId, cancel } = await openCharge()
    await service.db.updateTable('charges').set({ gateway: 'asaas' }).where('id', '=', id).execute()
    const { status, body, headers } = await cancel()
    expect([status, body.error.code, headers.get('retry-after')]).toEqual([503, 'PAYMENT_GATEWAY_DOWN', '30'])
    expect(service.gateway.payments.get(paymentId)?.status).toBe('PENDING')
  })

  test('a charge whose order the gateway has not confirmed is not found', async () => {
    const { id, cancel } = await openCharge()
    await service.db.updateTable('charges').set({ payment_id: null }).where('id', '=', id).execute()
    expect((await cancel()).body.error.code).toBe('CHARGE_NOT_FOUND')
  })
})

describe('the gateway is polled', () => {
  test('about a charge of which no event came', async () => {
    const { paymentId, shown, balance } = await openCharge()
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
    const { id, paymentId, row } = await openCharge()
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
    const { paymentId, row } = await openCharge()
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
    const { paymentId, row } = await openCharge()
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
    await service.api.post('/charges', order(), other)
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
    const { id, paymentId, balance } = await openCharge()
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
    const { paymentId } = await openCharge()
    const event = service.gateway.eventOf(paymentId, 'CONFIRMED')
    const payment = { ...event.payment, paymentId: 'pay_of_somebody', reference: 'none of ours' }
    await service.reconciliation.receive({ ...event, payment })
    await service.reconciliation.tick()
    expect(await eventRow(event.eventId)).toMatchObject({ due_at: null, outcome: 'not ours' })
  })

  test('wakes the one who applies events, unless it came before', async () => {
    const { paymentId } = await openCharge()
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
    const [broken, whole] = [await openCharge(), await openCharge()]
    const bad = service.gateway.eventOf(broken.paymentId, 'CONFIRMED')
    // No such status: a column refuses it.
    const payment = { ...bad.payment, paymentLink: null as unknown as string, status: 'CONFIRMED' as const }
    await service.reconciliation.receive({
      ...bad,
      payment: { ...payment, fee: 'none' as unknown as number },
    })
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
    expect((await broken.row()).status).toBe('CONFIRMED')
  })

  test('is kept for 90 days after it was applied', async () => {
    const { paymentId } = await openCharge()
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
