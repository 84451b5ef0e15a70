/** Payments and refunds of charges, sent to the webhooks of ADMINs that list them (D127). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isSigned, type Receiver, startReceiver } from '../../helpers/programs/receiver.ts'
import { deliverAll } from '../../helpers/service/announcements.ts'
import { type MoneyService, pix, startMoneyService } from '../../helpers/service/money.ts'
import { addUser, openAccount } from '../../helpers/service/people.ts'

const chargeTypes = ['charge-paid', 'charge-refunded']

let service: MoneyService
let receiver: Receiver
beforeAll(async () => {
  service = await startMoneyService({ TRIAL_CREDIT: '0', WEBHOOK_ALLOW_PRIVATE: 'true', DATABASE_POOL: '10' })
})
afterAll(async () => {
  await receiver.stop()
  await service.stop()
})

type Person = { token: string; domain: string }

async function addWebhook(who: { token: string }, webhookTypes: string[], path = '/hook') {
  const metadata = { webhookUrl: `http://127.0.0.1:${receiver.port}${path}`, webhookTypes }
  const { status, body } = await service.api.patch(
    '/integrations',
    { gateway: `crm ${path}`, webhook: true, metadata },
    who,
  )
  expect(status).toBe(200)
  return body
}

/** An account whose webhook lists these types, with a charge of R$ 100 that nobody has paid yet. */
async function startCharge(webhookTypes = chargeTypes) {
  await receiver?.stop()
  receiver = await startReceiver()
  const who: Person = await openAccount(service)
  const webhook = await addWebhook(who, webhookTypes)
  const { body: charge } = await service.api.post('/charges', pix, who)
  return { who, webhook, charge }
}

const bodies = () => receiver.received.map(({ body }) => body)
const feed = async (who: { token: string }) => (await service.api.get('/events?after=0', who)).body.data

test('a paid charge is sent once, signed, in the envelope of the other events, and is in the feed', async () => {
  const { who, webhook, charge } = await startCharge()
  await service.movePayment(charge.paymentId, 'CONFIRMED', 'RECEIVED')
  await deliverAll(service)
  const at = service.clock.now().toISOString()
  const event = {
    version: '1.8',
    eventType: 'charge-paid',
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    domain: who.domain,
    chargeId: charge.id,
    amount: 100,
    totalAmount: 100,
    paymentMethod: 'PIX',
    paidAt: at,
    refundedAt: null,
    refundedAmount: 0,
    balance: 100,
    currency: 'BRL',
    at,
    metadata: {},
    accountUuid: expect.any(String),
    sequence: 1,
    timezone: 'America/Sao_Paulo',
  }
  expect(bodies()).toEqual([event])
  const [first] = receiver.received
  expect(first && isSigned(first, webhook.secret)).toBe(true)
  expect(await feed(who)).toEqual([{ ...event, cursor: expect.any(String) }])
  const { data } = (await service.api.get(`/integrations/${webhook.id}/deliveries?page=1`, who)).body
  expect(data).toMatchObject([{ event: 'charge-paid', subject: 'charge', subjectId: String(charge.id) }])
})

test('it is sent once when the gateway repeats its webhook and is polled too', async () => {
  const { charge } = await startCharge()
  const event = service.gateway.eventOf(charge.paymentId, 'RECEIVED')
  await Promise.all(Array.from({ length: 10 }, () => service.reconciliation.receive(event)))
  await Promise.all(Array.from({ length: 3 }, () => service.reconciliation.tick()))
  await service.reconciliation.receive(service.gateway.eventOf(charge.paymentId, 'RECEIVED'))
  await service.reconciliation.tick()
  service.clock.advance(2 * 86_400)
  await service.reconciliation.tick()
  await deliverAll(service)
  expect(bodies().map(({ eventType }) => eventType)).toEqual(['charge-paid'])
})

test('each part of a refund is sent, after the payment, with all that has gone back so far', async () => {
  const { who, charge } = await startCharge()
  await service.movePayment(charge.paymentId, 'RECEIVED')
  const part = service.gateway.eventOf(charge.paymentId, 'RECEIVED', { refunded: 3000 })
  for (let times = 0; times < 2; times += 1) {
    await service.reconciliation.receive(part)
    await service.reconciliation.tick()
  }
  await service.movePayment(charge.paymentId, 'REFUND_IN_PROGRESS', 'REFUNDED')
  await deliverAll(service)
  const facts = bodies().map(({ eventType, sequence, refundedAmount, balance }) => ({
    eventType,
    sequence,
    refundedAmount,
    balance,
  }))
  expect(facts).toEqual([
    { eventType: 'charge-paid', sequence: 1, refundedAmount: 0, balance: 100 },
    { eventType: 'charge-refunded', sequence: 2, refundedAmount: 30, balance: 70 },
    { eventType: 'charge-refunded', sequence: 3, refundedAmount: 100, balance: 0 },
  ])
  expect(bodies().map(({ refundedAt }) => refundedAt === null)).toEqual([true, true, false])
  expect(await feed(who)).toHaveLength(3)
})

test('a webhook that does not list a type is not sent it, and an event that nobody lists is not written', async () => {
  const { who, charge } = await startCharge(['channel-hangup', 'charge-refunded'])
  await service.movePayment(charge.paymentId, 'RECEIVED')
  await deliverAll(service)
  expect([bodies(), await feed(who)]).toEqual([[], []])
  await service.movePayment(charge.paymentId, 'REFUNDED')
  await deliverAll(service)
  expect(bodies().map(({ eventType }) => eventType)).toEqual(['charge-refunded'])
})

test('a USER gets none of it, neither by webhook nor in the feed', async () => {
  const { who, charge } = await startCharge()
  const bia = await addUser(service, who)
  await addWebhook(bia, chargeTypes, '/bia')
  await service.movePayment(charge.paymentId, 'RECEIVED')
  await deliverAll(service)
  expect(receiver.received.map(({ path }) => path)).toEqual(['/hook'])
  expect([await feed(bia), (await feed(who)).length]).toEqual([[], 1])
})

test('a token limited to billing reads it in the feed, one limited to calls does not (D206)', async () => {
  const { who, charge } = await startCharge()
  await service.movePayment(charge.paymentId, 'CONFIRMED', 'RECEIVED')
  const typesSeenWith = async (scope: string) => {
    const { body } = await service.api.post('/users/accessTokens', { scopes: [scope] }, who)
    return (await feed({ token: body.id })).map(({ eventType }: { eventType: string }) => eventType)
  }
  expect(await typesSeenWith('billing')).toEqual(['charge-paid'])
  expect(await typesSeenWith('calls:read')).toEqual([])
})
