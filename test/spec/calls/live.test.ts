/** GET /live (D298): what happens in an account, as server-sent events. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { basePath } from '../../../src/http/entry.ts'
import { runRamal } from '../../helpers/programs/ramal-process.ts'
import { addUser } from '../../helpers/service/people.ts'
import type { Service } from '../../helpers/service/service.ts'
import { type Office, openOffice, startVoiceService, type VoiceService } from '../../helpers/service/voice.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the wire carries.
type Wire = any

let service: VoiceService
let office: Office
const streams: AbortController[] = []

beforeAll(async () => {
  service = await startVoiceService({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  office = await openOffice(service)
})
afterEach(() => {
  for (const stream of streams.splice(0)) stream.abort()
})
afterAll(() => service.stop())

/** Reads a stream; `events` grows as they arrive. */
async function watch({ token }: { token: string }, url = service.url) {
  const controller = new AbortController()
  streams.push(controller)
  const response = await fetch(`${url}${basePath}/live`, {
    headers: { authorization: token },
    signal: controller.signal,
  })
  const events: { type: string; data: Wire }[] = []
  const stream = { response, events, text: '', isOver: false, controller }
  void read().catch(() => {})
  async function read() {
    let rest = ''
    for await (const chunk of response.body ?? []) {
      const text = Buffer.from(chunk).toString()
      stream.text += text
      rest += text
      for (let end = rest.indexOf('\n\n'); end !== -1; end = rest.indexOf('\n\n')) {
        const [, type, data] = /^event: (\w+)\ndata: (.*)$/s.exec(rest.slice(0, end)) ?? []
        if (type !== undefined) events.push({ type, data: JSON.parse(data ?? '') })
        rest = rest.slice(end + 2)
      }
    }
    stream.isOver = true
  }
  await expect.poll(() => events.length).toBeGreaterThan(0)
  return stream
}

const typesOf = (events: { type: string }[]) => events.map(({ type }) => type)
const found = (events: { type: string; data: Wire }[], type: string) =>
  events.filter((event) => event.type === type).map(({ data }) => data)

async function place(): Promise<string> {
  const body = { extension: '1000', called: '5548999998888', metadata: { lead: 7 } }
  return (await service.api.post('/calls', body, office)).body.id
}

test('begins with the live calls, the registered phones and the credit, then shows each state of a call', async () => {
  // A registration is stored a moment after the phone registered.
  const isRegistered = async () => (await service.api.get('/extensions', office)).body[0].registered
  await expect.poll(isRegistered).toBe(true)
  const first = await place()
  const { response, events } = await watch(office)
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(events[0]).toMatchObject({
    type: 'snapshot',
    data: {
      calls: [{ id: first, metadata: { lead: 7 } }],
      phones: [{ ramal: '1000', registered: true }],
      balance: { currency: 'BRL' },
    },
  })
  await service.api.post(`/calls/${first}/hangup`, undefined, office)
  await expect
    .poll(() => found(events, 'call').at(-1))
    .toMatchObject({ id: first, ended_at: expect.any(String) })
  const second = await place()
  await expect.poll(() => found(events, 'call').some(({ id }) => id === second)).toBe(true)
  await expect.poll(() => found(events, 'balance').at(-1)?.reserved).toBeGreaterThan(0)
  await service.api.post(`/calls/${second}/hangup`, undefined, office)
  await expect.poll(() => found(events, 'balance').at(-1)?.reserved).toBe(0)
  const { body: listed } = await service.api.get(`/calls/${second}`, office)
  await expect.poll(() => ({ ...listed, ...found(events, 'call').at(-1) })).toEqual(listed)
})

test('D641: the second call of a transfer names the first once the new party has answered', async () => {
  const id = await place()
  service.engine.pickUp(id)
  service.engine.answer(id)
  const { events } = await watch(office)
  // The live calls come in the order of their starts.
  service.clock.advance(1)
  const transfer = () => service.api.post(`/calls/${id}/transfer`, { to: '5548999997777' }, office)
  let second = ''
  await expect.poll(async () => (second = (await transfer()).body.transferId)).toBeTypeOf('string')
  const firstsOf = () =>
    found(events, 'call').flatMap((call) => (call.id === second ? [call.transferred_from] : []))
  await expect.poll(firstsOf).toContain(null)
  service.engine.answer(second)
  await expect.poll(() => firstsOf().at(-1)).toBe(id)
  const later = await watch(office)
  expect(later.events[0]?.data.calls).toMatchObject([
    { id, transferred_from: null },
    { id: second, transferred_from: id },
  ])
  await service.api.post(`/calls/${id}/hangup`, undefined, office)
})

test('shows phones that come and go, a charge that is paid, and deliveries to the owner of the integration', async () => {
  const { events } = await watch(office)
  await office.addExtension('1001')
  await expect.poll(() => found(events, 'phone').at(-1)).toMatchObject({ ramal: '1001', registered: true })
  const { body: extensions } = await service.api.get('/extensions', office)
  const { id } = extensions.find(({ ramal }: { ramal: string }) => ramal === '1001')
  await service.api.patch('/extensions', { id, senha: 'another-secret' }, office)
  await expect.poll(() => found(events, 'phone').at(-1)).toMatchObject({ ramal: '1001', registered: false })

  const { body: charge } = await service.api.post(
    '/charges',
    {
      paymentMethod: 'PIX',
      amount: 20,
      description: 'x',
      dueDate: new Date(service.clock.now().getTime() + 86_400_000 * 2).toISOString().slice(0, 10),
    },
    office,
  )
  await expect.poll(() => found(events, 'charge').at(-1)).toMatchObject({ id: charge.id, status: 'PENDING' })
  await service.api.send('PATCH', `/charges/${charge.id}/cancel`, undefined, office)
  await expect
    .poll(() => found(events, 'charge').at(-1))
    .toMatchObject({ id: charge.id, status: 'CANCELLED' })

  const metadata = { webhookUrl: 'http://127.0.0.1:9/', webhookTypes: ['channel-hangup'] }
  const { body: integration } = await service.api.patch(
    '/integrations',
    { gateway: 'crm', webhook: true, metadata },
    office,
  )
  const agent = await addUser(service as unknown as Service, office, 'ADMIN')
  const other = await watch(agent)
  await service.api.post(`/integrations/${integration.id}/test`, undefined, office)
  await service.tick('webhook deliveries')
  await expect
    .poll(() => found(events, 'delivery').at(-1))
    .toMatchObject({ integrationId: integration.id, attempts: 1 })
  expect(typesOf(other.events)).not.toContain('delivery')
})

test('a USER sees their own calls and no credit (D83); an ended session ends the stream', async () => {
  const agent = await addUser(service as unknown as Service, office)
  await office.addExtension('1002', { email_address: agent.email })
  const stream = await watch(agent)
  const { events } = stream
  expect(events[0]?.data.balance).toBe(null)
  const foreign = await place()
  const body = { extension: '1002', called: '5548999997777' }
  const { id: own } = (await service.api.post('/calls', body, agent)).body
  await expect.poll(() => found(events, 'call').some(({ id }) => id === own)).toBe(true)
  for (const id of [foreign, own]) await service.api.post(`/calls/${id}/hangup`, undefined, office)
  await expect.poll(() => found(events, 'call').some(({ ended_at }) => ended_at !== null)).toBe(true)
  expect(new Set(found(events, 'call').map(({ id }) => id))).toEqual(new Set([own]))
  expect(typesOf(events)).not.toContain('balance')
  await service.api.delete(`/users/accessTokens?user=${agent.uuid}`, office)
  await expect.poll(() => stream.isOver).toBe(true)
})

test('changes of another process arrive too, and a stopping process ends its streams with retry', async () => {
  const stream = await watch(office)
  const { events } = stream
  const { balance } = (await service.api.get('/credits/balance', office)).body
  const credit = ['--domain', office.domain, '--amount', '123.45', '--reason', 'goodwill']
  const env = { DATABASE_URL: service.database.url, DATA_DIR: service.dataDir, LOG_LEVEL: 'error' }
  expect(await runRamal(['credit', 'add', ...credit], env)).toMatchObject({ code: 0 })
  await expect.poll(() => found(events, 'balance').at(-1)?.balance).toBeCloseTo(balance + 123.45, 2)
  expect((await service.api.head('/live', office)).status).toBe(200)
  service.app.services.live.stop()
  await expect.poll(() => stream.isOver).toBe(true)
  expect(stream.text).toMatch(/retry: \d+\n\n$/)
  const refused = await service.api.get('/live', office)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30'])
})
