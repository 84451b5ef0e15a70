/** D317: what happened in a call, how its price came about, and what was sent to webhooks. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { answer, startReceiver } from '../../helpers/programs/receiver.ts'
import { addUser } from '../../helpers/service/people.ts'
import { type Office, openOffice, startVoiceService, type VoiceService } from '../../helpers/service/voice.ts'

const customer = '5548999998888'

let service: VoiceService
let office: Office

beforeAll(async () => {
  service = await startVoiceService({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  service.engine.behave(() => ['rings', 'picksUp'])
  office = await openOffice(service)
  await office.addExtension('1001')
})
afterAll(() => service.stop())

const timelineOf = (id: string, { token }: { token: string } = office) =>
  service.api.get(`/calls/${id}/events`, { token })
const statusOf = async (id: string) => (await service.api.get(`/calls/${id}`, office)).body.status

async function talk(): Promise<string> {
  const placed = await service.api.post('/calls', { extension: '1000', called: customer }, office)
  const id: string = placed.body.id
  service.clock.advance(5)
  service.engine.answer(id)
  await expect.poll(() => statusOf(id)).toBe('answered')
  return id
}

async function hangUp(id: string) {
  service.engine.hangUpBy(id, 'other')
  await expect.poll(() => statusOf(id)).toBe('completed')
}

test('the moments are in order, from the request to the end, with keys, transfers and the cause', async () => {
  const id = await talk()
  service.clock.advance(10)
  await service.api.post(`/calls/${id}/dtmf`, { digits: '5' }, office)
  service.clock.advance(10)
  const { body } = await service.api.post(`/calls/${id}/transfer`, { to: '1001' }, office)
  service.engine.answer(body.transferId)
  await expect.poll(() => statusOf(body.transferId)).toBe('answered')
  service.clock.advance(10)
  await hangUp(id)
  const { status, body: timeline } = await timelineOf(id)
  expect(status).toBe(200)
  expect(timeline.events).toMatchObject([
    { type: 'created' },
    { type: 'ringing' },
    { type: 'extension-answered' },
    { type: 'answered' },
    { type: 'key-pressed', by: 'api', to: 'destination', key: 'x' },
    { type: 'transferred', to: '1001', callId: body.transferId },
    { type: 'ended', by: 'destination', cause: 'NORMAL_CLEARING' },
  ])
  const seconds = timeline.events.map(({ at }: { at: string }) => Date.parse(at) / 1000)
  expect(seconds.map((at: number) => at - seconds[0])).toEqual([0, 0, 0, 5, 15, 25, 35])
  const second = (await timelineOf(body.transferId)).body
  expect(second.events.map(({ type }: { type: string }) => type)).toContain('transfer-received')
  expect(second.price).toBeNull()
})

test('the price is explained by the rate and the blocks that were billed', async () => {
  const id = await talk()
  expect((await timelineOf(id)).body.price).toBeNull()
  service.clock.advance(50)
  await hangUp(id)
  const { price } = (await timelineOf(id)).body
  expect(price).toMatchObject({
    seconds: 50,
    billedSeconds: 54,
    firstBlock: 30,
    step: 6,
    grace: 3,
    forgiven: 0,
  })
  expect(customer.startsWith(price.prefix)).toBe(true)
  expect(price.price).toBe((await service.api.get(`/calls/${id}`, office)).body.call_price)
})

test('deliveries are those to the own webhooks, with attempts, for tokens that may see integrations', async () => {
  const receiver = await startReceiver(answer(500))
  onTestFinished(() => receiver.stop())
  const metadata = { webhookUrl: receiver.url, webhookTypes: ['channel-hangup'] }
  const { body: integration } = await service.api.patch(
    '/integrations',
    { gateway: 'crm', webhook: true, metadata },
    office,
  )
  const id = await talk()
  await hangUp(id)
  await expect
    .poll(async () => (await timelineOf(id)).body.deliveries, { timeout: 10_000 })
    .toMatchObject([
      {
        integrationId: integration.id,
        gateway: 'crm',
        delivery: { event: 'channel-hangup', status: 'pending', attempts: 1, lastStatus: 500 },
        tries: [{ status: 500, response: 'status 500' }],
      },
    ])
  const agent = await addUser(service, office)
  expect((await timelineOf(id, agent)).body.deliveries).toEqual([])
  const { body: limited } = await service.api.post(
    '/users/accessTokens',
    { ttl: 3600, scopes: ['calls:read'] },
    office,
  )
  const read = await timelineOf(id, { token: limited.id })
  expect([read.status, read.body.events.length > 0, read.body.deliveries]).toEqual([200, true, undefined])
})

test('a call of another account, and one that does not exist, are 404', async () => {
  const id = await talk()
  await hangUp(id)
  for (const answered of [await timelineOf(id, await openOffice(service)), await timelineOf('x')])
    expect([answered.status, answered.body.error.code]).toEqual([404, 'CALL_NOT_FOUND'])
})
