/** D355: unique indexes of events hold within a month (D254); a notice that comes again in the next is still one event. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startOfMonth } from '../../../src/kit/text/months.ts'
import { addParts, eventsTable } from '../../../src/store/partitioned-tables.ts'
import { type Receiver, startReceiver } from '../../helpers/programs/receiver.ts'
import { announce, callOf, deliverAll } from '../../helpers/service/announcements.ts'
import { type MoneyService, pix, startMoneyService } from '../../helpers/service/money.ts'
import { openAccount, password } from '../../helpers/service/people.ts'

type Event = { eventType: string; sequence: number }

let service: MoneyService
let receiver: Receiver
beforeAll(async () => {
  service = await startMoneyService({ TRIAL_CREDIT: '0', WEBHOOK_ALLOW_PRIVATE: 'true', DATABASE_POOL: '10' })
  receiver = await startReceiver()
  await addParts(service.db, eventsTable, service.clock.now())
})
afterAll(async () => {
  await receiver.stop()
  await service.stop()
})

test('payments, refunds and ends of calls that are reported again after midnight are stored and sent once', async () => {
  const ana = await openAccount(service)
  const webhookTypes = ['charge-paid', 'charge-refunded', 'channel-answer', 'channel-hangup']
  const metadata = { webhookUrl: receiver.url, webhookTypes }
  await service.api.patch('/integrations', { gateway: 'crm', webhook: true, metadata }, ana)
  const { body: charge } = await service.api.post('/charges', pix, ana)
  const call = await callOf(service, ana.email)
  const paid = service.gateway.eventOf(charge.paymentId, 'RECEIVED')
  const partlyRefunded = service.gateway.eventOf(charge.paymentId, 'RECEIVED', { refunded: 3000 })

  async function reportAll() {
    for (const notice of [paid, partlyRefunded]) {
      await service.reconciliation.receive(notice)
      await service.reconciliation.tick()
    }
    await announce(service, call, 'channel-answer', 'channel-hangup')
  }

  const midnight = startOfMonth(service.clock.now(), 1)
  service.clock.advance((midnight.getTime() - service.clock.now().getTime()) / 1000 - 1)
  await reportAll()
  service.clock.advance(2)
  await reportAll()
  await service.movePayment(charge.paymentId, 'RECEIVED', 'REFUNDED')
  await deliverAll(service)

  const sent = receiver.received.map(({ body }) => `${body.eventType} ${body.sequence}`)
  const events = [
    'channel-answer 1',
    'channel-hangup 2',
    'charge-paid 1',
    'charge-refunded 2',
    'charge-refunded 3',
  ]
  expect(sent.toSorted()).toEqual(events)
  // The token of the middle of the month has expired.
  const { body: login } = await service.api.post('/users/login', { email: ana.email, password })
  const { data: stored } = (await service.api.get('/events?limit=1000', { token: login.id })).body
  const named = stored.map(({ eventType, sequence }: Event) => `${eventType} ${sequence}`)
  expect(named.toSorted()).toEqual(events)
})
