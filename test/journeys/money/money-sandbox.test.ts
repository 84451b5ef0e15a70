/** A top-up from the order to the refund, through the gateway that comes with the service. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyLedger } from '../../../src/billing/ledger/verify.ts'
import { followPayments, payAtSandbox, pix } from '../../helpers/service/money.ts'
import { refundCharge } from '../../helpers/service/operator.ts'
import { openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

test('is paid at the link, credited once, and taken back when it is refunded', async () => {
  const who = await openAccount(service)
  const see = async () => {
    await followPayments(service)
    const { balance } = (await service.api.get('/credits/balance', who)).body
    return [(await service.api.get('/charges?page=1', who)).body.data[0].status, balance]
  }
  const { status, body } = await service.api.post('/charges', { ...pix, paymentMethod: 'UNDEFINED' }, who)
  expect([status, body.gateway, body.status]).toEqual([200, 'sandbox', 'PENDING'])
  await payAtSandbox(body.paymentLink)
  await expect.poll(see).toEqual(['RECEIVED', 110])
  expect(await refundCharge(service, body.id, 'asked by the payer')).toMatchObject({ status: 'REFUNDED' })
  await expect.poll(see).toEqual(['REFUNDED', 10])
  expect((await verifyLedger(service.db)).findings).toEqual([])
})
