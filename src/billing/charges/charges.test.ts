/** Charges are cancelled by their account, and refunded by the operator. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MoneyService, startMoneyService } from '../../../test/helpers/service/money.ts'
import { openCharge } from '../../../test/helpers/service/open-charge.ts'
import { Refusal } from '../../contract/errors.ts'

let service: MoneyService
beforeAll(async () => {
  service = await startMoneyService()
})
afterAll(() => service.stop())

const auditOf = (accountId: number, action: string) =>
  service.db
    .selectFrom('audit')
    .select(['actor', 'subject', 'details'])
    .where('account_id', '=', accountId)
    .where('action', '=', action)
    .execute()

async function refusalOf(work: Promise<unknown>): Promise<Refusal> {
  const result = await work.catch((error: unknown) => error)
  return result instanceof Refusal ? result : expect.fail(`not refused: ${result}`)
}

describe('a refund by the operator (D617)', () => {
  test('goes to the gateway, leaves the balance, and is in the audit log with its reason', async () => {
    const { accountId, id, paymentId, refund, balance, row } = await openCharge(service)
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
      const { accountId, paymentId, refund } = await openCharge(service)
      await service.movePayment(paymentId, 'RECEIVED', 'REFUND_REQUESTED')
      if (status !== 'REFUND_REQUESTED') await service.movePayment(paymentId, status)
      service.gateway.failWith('unavailable')
      expect(await refund()).toMatchObject({ status })
      service.gateway.failWith(undefined)
      expect(await auditOf(accountId, 'charge.refund-asked')).toEqual([])
    },
  )

  test('that the gateway refuses says its reason, and changes nothing', async () => {
    const { accountId, paymentId, refund, shown } = await openCharge(service)
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
      const { paymentId, refund } = await openCharge(service)
      await service.movePayment(paymentId, 'RECEIVED')
      service.gateway.failWith(why)
      const refused = await refusalOf(refund())
      service.gateway.failWith(undefined)
      expect(refused).toMatchObject({ code: 'PAYMENT_GATEWAY_DOWN', retryAfter: 30 })
      expect(await refund()).toMatchObject({ status: 'REFUNDED' })
    },
  )

  test('finds only charges of the account, at the gateway in use', async () => {
    const [mine, other] = [await openCharge(service), await openCharge(service)]
    await service.movePayment(mine.paymentId, 'RECEIVED')
    const { operatorRefunds } = service.app.services.money
    const asked = { accountId: other.accountId, chargeId: mine.id, reason: 'x' }
    expect(await refusalOf(operatorRefunds.refund(asked))).toMatchObject({ code: 'CHARGE_NOT_FOUND' })
    await service.db.updateTable('charges').set({ gateway: 'asaas' }).where('id', '=', mine.id).execute()
    expect(await refusalOf(mine.refund())).toMatchObject({ code: 'CHARGE_NOT_FOUND' })
    expect(service.gateway.payments.get(mine.paymentId)?.status).toBe('RECEIVED')
  })

  test('does not find a charge whose order the gateway has not confirmed', async () => {
    const { id, refund } = await openCharge(service)
    await service.db.updateTable('charges').set({ payment_id: null }).where('id', '=', id).execute()
    expect(await refusalOf(refund())).toMatchObject({ code: 'CHARGE_NOT_FOUND' })
    expect(await service.app.services.money.charges.refund(id, 'x')).toBeUndefined()
  })
})

describe('a charge is cancelled', () => {
  test('with a line in the audit log; one that is cancelled already is not cancelled at the gateway again', async () => {
    const { accountId, admin, id, cancel } = await openCharge(service)
    expect((await cancel()).status).toBe(200)
    service.gateway.failWith('unavailable')
    expect((await cancel()).status).toBe(200)
    service.gateway.failWith(undefined)
    expect(await auditOf(accountId, 'charge.cancelled')).toEqual([
      { actor: admin.email, subject: String(id), details: { amount: 100 } },
    ])
  })

  test('but not where it was paid at the same moment: nothing is in the audit log', async () => {
    const { accountId, paymentId, cancel } = await openCharge(service)
    service.gateway.duringNextRequest(async () => {
      service.gateway.set(paymentId, 'CONFIRMED')
    })
    expect((await cancel()).body.error.code).toBe('CHARGE_NOT_CANCELLABLE')
    expect(await auditOf(accountId, 'charge.cancelled')).toEqual([])
  })

  test('a gateway that refuses is polled at once: the payment may have been paid', async () => {
    const { paymentId, cancel, row, shown } = await openCharge(service)
    service.gateway.failWith('refused')
    expect((await cancel()).body.error.code).toBe('CHARGE_NOT_CANCELLABLE')
    service.gateway.failWith(undefined)
    expect((await row()).look_at).toEqual(service.clock.now())
    service.gateway.set(paymentId, 'RECEIVED')
    await service.reconciliation.tick()
    expect((await shown()).status).toBe('RECEIVED')
  })

  test('but not once it is paid: the gateway is not even asked', async () => {
    const { paymentId, cancel } = await openCharge(service)
    await service.movePayment(paymentId, 'RECEIVED')
    service.gateway.failWith('unavailable')
    const { status, body } = await cancel()
    service.gateway.failWith(undefined)
    expect([status, body.error.code]).toEqual([409, 'CHARGE_NOT_CANCELLABLE'])
  })

  test('a gateway that does not answer is to be asked again after half a minute', async () => {
    const { cancel } = await openCharge(service)
    service.gateway.failWith('unavailable')
    const { status, headers } = await cancel()
    service.gateway.failWith(undefined)
    expect([status, headers.get('retry-after')]).toEqual([503, '30'])
  })

  test('a charge of another gateway cannot be cancelled for now', async () => {
    const { id, paymentId, cancel } = await openCharge(service)
    await service.db.updateTable('charges').set({ gateway: 'asaas' }).where('id', '=', id).execute()
    const { status, body, headers } = await cancel()
    expect([status, body.error.code, headers.get('retry-after')]).toEqual([503, 'PAYMENT_GATEWAY_DOWN', '30'])
    expect(service.gateway.payments.get(paymentId)?.status).toBe('PENDING')
  })

  test('a charge whose order the gateway has not confirmed is not found', async () => {
    const { id, cancel } = await openCharge(service)
    await service.db.updateTable('charges').set({ payment_id: null }).where('id', '=', id).execute()
    expect((await cancel()).body.error.code).toBe('CHARGE_NOT_FOUND')
  })
})
