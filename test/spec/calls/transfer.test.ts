/** D282, D283: POST /calls/{id}/transfer, the records of both calls, their prices and events. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startReceiver } from '../../helpers/programs/receiver.ts'
import { addUser } from '../../helpers/service/people.ts'
import { type Office, openOffice, startVoiceService, type VoiceService } from '../../helpers/service/voice.ts'

let service: VoiceService
let office: Office

const customer = '5548999998888'
const mobile = '5548999997777'

beforeAll(async () => {
  service = await startVoiceService({ WEBHOOK_ALLOW_PRIVATE: 'true' })
})
afterAll(() => service.stop())
beforeEach(async () => {
  service.engine.behave(() => ['rings', 'picksUp'])
  office = await openOffice(service)
  await office.addExtension('1001')
})

const show = async (id: string) => (await service.api.get(`/calls/${id}`, office)).body
const transfer = (id: string, to: string, { token }: { token: string } = office) =>
  service.api.post(`/calls/${id}/transfer`, { to }, { token })
const balance = async () => (await service.api.get('/credits/balance', office)).body

async function place(): Promise<string> {
  return (await service.api.post('/calls', { extension: '1000', called: customer }, office)).body.id
}

async function talk(): Promise<string> {
  const id = await place()
  service.engine.answer(id)
  await expect.poll(async () => (await show(id)).status).toBe('answered')
  return id
}

test('to an extension: the call keeps its id, a free second call connects the colleague, both end once', async () => {
  const id = await talk()
  const { status, body } = await transfer(id, '1001')
  expect([status, body]).toEqual([
    200,
    { status: '200', message: 'successful request', id, transferId: expect.any(String) },
  ])
  const second = body.transferId
  await expect
    .poll(() => show(second))
    .toMatchObject({
      status: 'ringing',
      call_type: 'internal',
      transferred_from: null,
    })
  service.clock.advance(10)
  service.engine.answer(second)
  await expect.poll(async () => (await show(second)).transferred_from).toBe(id)
  service.clock.advance(50)
  service.engine.hangUpBy(id, 'other')
  await expect.poll(async () => (await show(second)).status).toBe('completed')
  const first = await show(id)
  expect(first).toMatchObject({
    status: 'completed',
    duration: 60,
    to: customer,
    transfers: [{ id: second, to: '1001' }],
  })
  expect(await show(second)).toMatchObject({
    from: '1000',
    to: '1001',
    duration: 50,
    call_price: 0,
    metadata: {},
  })
  expect(first.call_price).toBeGreaterThan(0)
  expect((await balance()).reserved).toBe(0)
})

test('to a number: it is reserved and priced by its own rate, besides the first call', async () => {
  const before = await balance()
  const id = await talk()
  const reservedForFirst = (await balance()).reserved
  const second = (await transfer(id, `+${mobile}`)).body.transferId
  expect((await balance()).reserved).toBeGreaterThan(reservedForFirst)
  service.engine.answer(second)
  await expect.poll(async () => (await show(second)).transferred_from).toBe(id)
  service.clock.advance(60)
  await service.api.post(`/calls/${id}/hangup`, undefined, office)
  await expect.poll(async () => (await show(second)).status).toBe('completed')
  const prices = [(await show(id)).call_price, (await show(second)).call_price]
  expect(prices.every((price) => price > 0)).toBe(true)
  const after = await balance()
  expect(after.reserved).toBe(0)
  expect(before.balance - after.balance).toBeCloseTo(prices[0] + prices[1], 2)
})

test('channel-transfer reports it to webhooks that list it, with the second call', async () => {
  const receiver = await startReceiver()
  try {
    const metadata = { webhookUrl: receiver.url, webhookVersion: '1.8', webhookTypes: ['channel-transfer'] }
    await service.api.patch('/integrations', { gateway: 'crm', webhook: true, metadata }, office)
    const id = await talk()
    const second = (await transfer(id, '1001')).body.transferId
    service.engine.answer(second)
    const [event] = await receiver.until(1)
    expect(event?.body).toMatchObject({
      eventType: 'channel-transfer',
      id,
      called: customer,
      transferId: second,
      transferTo: '1001',
    })
    service.engine.hangUpBy(id, 'other')
    await expect.poll(async () => (await show(second)).status).toBe('completed')
  } finally {
    await receiver.stop()
  }
})

test('a new party that does not answer leaves the call as it was', async () => {
  const id = await talk()
  const second = (await transfer(id, '1001')).body.transferId
  service.engine.end(second, 'USER_BUSY', 'other')
  await expect.poll(async () => (await show(second)).status).toBe('busy')
  expect(await show(id)).toMatchObject({ status: 'answered', transfers: [] })
  await service.api.post(`/calls/${id}/hangup`, undefined, office)
})

test('it is refused before the answer, after the end, to oneself, to a barred number and to strangers', async () => {
  const codeOf = async (id: string, to: string, who: { token: string } = office) => {
    const { status, body } = await transfer(id, to, who)
    return `${status} ${body.error.code}`
  }
  const id = await place()
  expect(await codeOf(id, '1001')).toBe('409 CALL_NOT_ANSWERED')
  service.engine.answer(id)
  await expect.poll(async () => (await show(id)).status).toBe('answered')
  expect(await codeOf(id, '1000')).toMatch(/^422/)
  expect(await codeOf(id, '190')).toMatch(/^422/)
  expect(await codeOf(id, '')).toMatch(/^422/)
  expect(await codeOf(id, '1001', await addUser(service, office))).toBe('404 CALL_NOT_FOUND')
  expect(await codeOf(id, '1001', await openOffice(service))).toBe('404 CALL_NOT_FOUND')
  await service.api.post(`/calls/${id}/hangup`, undefined, office)
  expect(await codeOf(id, '1001')).toBe('404 CALL_ENDED')
})
