/** An account that pays through Asaas: its customer, its charge, and everything Asaas says about it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type FakeAsaas,
  fakeKey,
  fakeToken,
  startFakeAsaas,
} from '../../../src/payments/asaas/testing/fake-asaas.ts'
import { openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'

let asaas: FakeAsaas
let service: Service
const webhook = () => `${service.url}/gateways/asaas/events`

beforeAll(async () => {
  asaas = await startFakeAsaas(webhook)
  service = await startService({
    PAYMENT_GATEWAY: 'asaas',
    ASAAS_URL: asaas.url,
    ASAAS_API_KEY: fakeKey,
    ASAAS_WEBHOOK_TOKEN: fakeToken,
  })
})
afterAll(async () => {
  await asaas.stop()
  await service.stop()
})

const request = { paymentMethod: 'BOLETO', dueDate: '2026-11-18', amount: 123.45, description: 'Créditos' }

test('a charge through Asaas becomes credit once, whatever events come twice, late or from others', async () => {
  const { token } = await openAccount(service)
  const { api } = service
  const balance = async () => (await api.get('/credits/balance', { token })).body.balance
  const charge = async () => (await api.get('/charges?page=1', { token })).body.data[0]
  const before = await balance()

  const tooSoon = await api.post('/charges', request, { token })
  expect([tooSoon.status, tooSoon.body.error?.code]).toEqual([422, 'FINANCIAL_ACCOUNT_REQUIRED'])
  const financial = await api.post('/accounts/financial', { cpfCnpj: '529.982.247-25' }, { token })
  expect(financial.body.status).toBe('ACTIVE')
  expect([...asaas.customers.values()]).toMatchObject([{ cpfCnpj: '52998224725' }])

  // The charge is created but the response is lost: it is found by its reference, and the client gets it.
  asaas.plan('POST /v3/payments', { when: 'after', what: 500 })
  const made = await api.post('/charges', request, { token })
  expect(made.body).toMatchObject({ gateway: 'asaas', status: 'PENDING', amount: 123.45 })
  expect((await charge()).paymentCode).toMatch(/^\d{37}0000012345$/)
  expect(asaas.payments.size).toBe(1)

  const { paymentId } = await charge()
  const payment = { ...asaas.payments.get(paymentId) }
  asaas.move(paymentId, 'CONFIRMED')
  await expect.poll(balance).toBeCloseTo(before + 123.45, 2)
  asaas.move(paymentId, 'RECEIVED')
  await expect.poll(async () => (await charge()).status).toBe('RECEIVED')

  const settled = asaas.payments.get(paymentId) ?? {}
  asaas.sendEvent('PAYMENT_RECEIVED', settled, 'evt_same')
  asaas.sendEvent('PAYMENT_RECEIVED', settled, 'evt_same')
  asaas.sendEvent('PAYMENT_OVERDUE', { ...payment, status: 'OVERDUE' })
  asaas.sendEvent('PAYMENT_RECEIVED', { ...settled, id: 'pay_other', externalReference: null })
  asaas.sendEvent('PAYMENT_RECEIVED', { ...settled, id: 'pay_other', externalReference: 'not ours' })
  await asaas.delivered()
  await service.tick('payments')
  expect(await balance()).toBeCloseTo(before + 123.45, 2)
  expect(await charge()).toMatchObject({ status: 'RECEIVED', paymentId, taxAmount: 1.99 })

  const stranger = { id: 'evt_x', event: 'PAYMENT_REFUNDED', payment: { ...settled, status: 'REFUNDED' } }
  const headers = { 'asaas-access-token': `${fakeToken}x`, 'content-type': 'application/json' }
  const answer = await fetch(webhook(), { method: 'POST', headers, body: JSON.stringify(stranger) })
  expect(answer.status).toBe(401)
  expect(await balance()).toBeCloseTo(before + 123.45, 2)
})

test('a PIX code that Asaas did not give at first is asked for again within minutes (D152)', async () => {
  const { token } = await openAccount(service)
  const { api } = service
  const charge = async () => (await api.get('/charges?page=1', { token })).body.data[0]
  await api.post('/accounts/financial', { cpfCnpj: '11.222.333/0001-81' }, { token })
  asaas.plan('pixQrCode', { when: 'after', what: 500 })
  const made = await api.post('/charges', { ...request, paymentMethod: 'PIX' }, { token })
  expect([made.status, made.body.pixCode]).toEqual([200, null])
  expect((await charge()).paymentCode).toBeNull()
  // The event of the new payment may arrive in between: then the code is asked for a minute later.
  const aMinuteLater = async () => {
    service.clock.advance(61)
    await service.tick('payments')
    return (await charge()).pixCode ?? ''
  }
  await expect.poll(aMinuteLater).toMatch(/^000201/)
  const { pixCode, paymentCode } = await charge()
  expect(paymentCode).toBe(pixCode)
})
