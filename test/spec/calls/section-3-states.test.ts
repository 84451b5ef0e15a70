/** Spec §3: states and transitions of charges, and what they do to the credit. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyLedger } from '../../../src/billing/ledger/verify.ts'
import type { ChargeStatus } from '../../../src/contract/money/charges.ts'
import { type MoneyService, pix, startMoneyService } from '../../helpers/service/money.ts'
import { openAccount } from '../../helpers/service/people.ts'
import { movesOf } from '../../helpers/stored/money-rows.ts'

let service: MoneyService
beforeAll(async () => {
  service = await startMoneyService({ TRIAL_CREDIT: '0' })
})
afterAll(async () => {
  expect((await verifyLedger(service.db)).findings).toEqual([])
  await service.stop()
})

async function charged(...statuses: ChargeStatus[]) {
  const who = await openAccount(service)
  const { body } = await service.api.post('/charges', pix, who)
  await service.movePayment(body.paymentId, ...statuses)
  const see = async () => {
    const charge = (await service.api.get('/charges?page=1', who)).body.data[0]
    const { balance } = (await service.api.get('/credits/balance', who)).body
    const statement = (await service.api.get('/credits/statement?page=1', who)).body.data
    return { charge, balance, entries: statement.map(({ amount }: { amount: number }) => amount) }
  }
  return { ...who, id: body.id, paymentId: body.paymentId, see }
}

describe('the credit of a charge (D34)', () => {
  test.each<[ChargeStatus[], ChargeStatus, number[]]>([
    [['CONFIRMED', 'RECEIVED'], 'RECEIVED', [100]],
    [['RECEIVED'], 'RECEIVED', [100]],
    [['OVERDUE', 'RECEIVED'], 'RECEIVED', [100]],
    [['OVERDUE', 'CONFIRMED', 'RECEIVED'], 'RECEIVED', [100]],
    [['AWAITING_RISK_ANALYSIS'], 'AWAITING_RISK_ANALYSIS', []],
    [['AWAITING_RISK_ANALYSIS', 'PENDING'], 'PENDING', []],
    [['AUTHORIZED', 'CONFIRMED'], 'CONFIRMED', [100]],
    [['CONFIRMED', 'REFUND_REQUESTED', 'REFUND_IN_PROGRESS', 'REFUNDED'], 'REFUNDED', [-100, 100]],
    [['RECEIVED', 'REFUND_IN_PROGRESS', 'RECEIVED'], 'RECEIVED', [100]],
    [['CONFIRMED', 'CHARGEBACK_REQUESTED'], 'CHARGEBACK_REQUESTED', [100]],
    [['CONFIRMED', 'CHARGEBACK_REQUESTED', 'CHARGEBACK_DISPUTE', 'REFUNDED'], 'REFUNDED', [-100, 100]],
    [
      [
        'CONFIRMED',
        'CHARGEBACK_REQUESTED',
        'CHARGEBACK_DISPUTE',
        'AWAITING_CHARGEBACK_REVERSAL',
        'CONFIRMED',
      ],
      'CONFIRMED',
      [100],
    ],
    [['CANCELLED'], 'CANCELLED', []],
    [['CANCELLED', 'RECEIVED'], 'RECEIVED', [100]],
  ])('by %s', async (statuses, status, entries) => {
    const { see } = await charged(...statuses)
    const seen = await see()
    expect([seen.charge.status, seen.entries]).toEqual([status, entries])
    expect(seen.charge.paidAt === null).toBe(entries.length === 0)
    expect(seen.charge.receivedAt === null).toBe(!statuses.includes('RECEIVED'))
    expect(seen.charge.refundedAt === null).toBe(status !== 'REFUNDED')
  })

  test('is granted once, however often its event comes', async () => {
    const { paymentId, see } = await charged()
    const event = service.gateway.eventOf(paymentId, 'RECEIVED')
    await Promise.all(Array.from({ length: 20 }, () => service.reconciliation.receive(event)))
    await Promise.all(Array.from({ length: 5 }, () => service.reconciliation.tick()))
    await service.reconciliation.receive(service.gateway.eventOf(paymentId, 'RECEIVED'))
    await service.reconciliation.tick()
    expect((await see()).entries).toEqual([100])
  })

  test('shows the method that was chosen', async () => {
    const who = await openAccount(service)
    const { body } = await service.api.post('/charges', { ...pix, paymentMethod: 'UNDEFINED' }, who)
    await service.reconciliation.receive(
      service.gateway.eventOf(body.paymentId, 'CONFIRMED', { method: 'CREDIT_CARD' }),
    )
    await service.reconciliation.tick()
    expect((await service.api.get('/charges?page=1', who)).body.data[0].paymentMethod).toBe('CREDIT_CARD')
  })

  test('leaves again in parts when parts are refunded, and may go below zero', async () => {
    const { paymentId, see } = await charged('RECEIVED')
    for (const refunded of [3000, 3000, 4500]) {
      await service.reconciliation.receive(service.gateway.eventOf(paymentId, 'RECEIVED', { refunded }))
      await service.reconciliation.tick()
    }
    expect(await see()).toMatchObject({ entries: [-15, -30, 100], balance: 55 })
    await service.movePayment(paymentId, 'REFUNDED')
    expect(await see()).toMatchObject({ entries: [-55, -15, -30, 100], balance: 0 })
  })
})

describe('a late event', () => {
  test.each<ChargeStatus>(['PENDING', 'OVERDUE', 'CANCELLED', 'AUTHORIZED'])(
    'of %s does not move what is paid (D31)',
    async (status) => {
      const { paymentId, see } = await charged('RECEIVED')
      await service.deliverLate(paymentId, status)
      expect((await see()).charge.status).toBe('RECEIVED')
    },
  )

  test('does not undo a refund', async () => {
    const { paymentId, see } = await charged('RECEIVED', 'REFUNDED')
    await service.deliverLate(paymentId, 'CONFIRMED')
    expect(await see()).toMatchObject({ charge: { status: 'REFUNDED' }, entries: [-100, 100] })
  })

  test('of a payment that is not ours is put aside', async () => {
    const { paymentId } = await charged()
    const event = service.gateway.eventOf(paymentId, 'RECEIVED')
    await service.reconciliation.receive({
      ...event,
      payment: { ...event.payment, paymentId: 'pay_x', reference: 'x' },
    })
    await service.reconciliation.tick()
    const stored = service.db.selectFrom('gateway_events').selectAll().where('event_id', '=', event.eventId)
    expect(await stored.executeTakeFirst()).toMatchObject({ due_at: null, outcome: 'not ours' })
  })
})

describe('a lost event of the gateway', () => {
  test('is found by asking, and every step is kept', async () => {
    const { id, paymentId, see } = await charged()
    service.gateway.set(paymentId, 'REFUNDED')
    service.clock.advance(3600)
    await service.reconciliation.tick()
    expect(await see()).toMatchObject({ charge: { status: 'REFUNDED' }, entries: [-100, 100] })
    const moves = await movesOf(service.db, id)
    expect(moves.map(({ to_status }) => to_status)).toEqual(['PENDING', 'CONFIRMED', 'REFUNDED'])
  })

  test('is asked again when the gateway was away', async () => {
    const { paymentId, see } = await charged()
    service.gateway.set(paymentId, 'RECEIVED')
    service.gateway.failWith('unavailable')
    service.clock.advance(3600)
    await service.reconciliation.tick()
    service.gateway.failWith(undefined)
    expect((await see()).balance).toBe(0)
    service.clock.advance(300)
    await service.reconciliation.tick()
    expect((await see()).balance).toBe(100)
  })
})

test('an event that comes before the answer to its order finds its charge', async () => {
  const who = await openAccount(service)
  service.gateway.failWith('lost answer')
  await service.api.post('/charges', pix, who)
  service.gateway.failWith(undefined)
  const made = [...service.gateway.payments.values()].at(-1)
  await service.movePayment(made?.paymentId ?? '', 'RECEIVED')
  expect((await service.api.get('/credits/balance', who)).body.balance).toBe(100)
  expect((await service.api.get('/charges?page=1', who)).body.data[0].status).toBe('RECEIVED')
})
