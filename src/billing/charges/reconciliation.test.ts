import { afterAll, beforeAll, expect, test } from 'vitest'
import { hours, minutes } from '../../../test/helpers/run/test-clock.ts'
import { type MoneyService, pix, startMoneyService } from '../../../test/helpers/service/money.ts'
import { openAccount } from '../../../test/helpers/service/people.ts'
import { createLog } from '../../kit/process/log.ts'
import { createChargeTransitions } from './charge-transitions.ts'
import { createReconciliation } from './reconciliation.ts'

let service: MoneyService
beforeAll(async () => {
  service = await startMoneyService()
})
afterAll(() => service.stop())

/** Another process on the database. */
function startOther() {
  const { db, clock, gateway, app } = service
  const log = createLog('silent')
  const { ledger } = app.services.money
  const transitions = createChargeTransitions({ clock, ledger, log })
  return createReconciliation({ db, clock, log, gateway, transitions })
}

test('an answer of the gateway that is older than an event which another process applied meanwhile changes nothing', async () => {
  const { api, clock, gateway, reconciliation } = service
  const admin = await openAccount(service)
  const { id, paymentId } = (await api.post('/charges', pix, admin)).body
  await service.movePayment(paymentId, 'CONFIRMED')
  const other = startOther()
  gateway.duringNextRequest(async () => {
    await other.receive(gateway.eventOf(paymentId, 'RECEIVED'))
    await other.tick()
  })
  clock.advance(13 * hours)
  await reconciliation.tick()
  expect((await api.get(`/charges/${id}`, admin)).body.status).toBe('RECEIVED')
  expect(gateway.payments.get(paymentId)?.status).toBe('RECEIVED')
})

test('D561: events of a chargeback that come out of order leave a charge where its payment is, within minutes', async () => {
  const { api, clock, gateway, reconciliation } = service
  const admin = await openAccount(service)
  const { id, paymentId } = (await api.post('/charges', pix, admin)).body
  await service.movePayment(paymentId, 'RECEIVED')
  const requested = gateway.eventOf(paymentId, 'CHARGEBACK_REQUESTED')
  await reconciliation.receive(gateway.eventOf(paymentId, 'RECEIVED'))
  await reconciliation.tick()
  await reconciliation.receive(requested)
  await reconciliation.tick()
  clock.advance(2 * minutes)
  await reconciliation.tick()
  expect((await api.get(`/charges/${id}`, admin)).body.status).toBe('RECEIVED')
})

test('D561: a late event of the payment does not end a refund that is in progress', async () => {
  const { api, clock, reconciliation } = service
  const admin = await openAccount(service)
  const { id, paymentId } = (await api.post('/charges', pix, admin)).body
  await service.movePayment(paymentId, 'CONFIRMED', 'REFUND_REQUESTED')
  await service.deliverLate(paymentId, 'RECEIVED')
  clock.advance(2 * minutes)
  await reconciliation.tick()
  expect((await api.get(`/charges/${id}`, admin)).body.status).toBe('REFUND_REQUESTED')
})
