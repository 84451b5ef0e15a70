/** D149: an equal call is refused while the first rings, unless the client allows it. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startApp } from '../../../src/app/start.ts'
import { readConfig } from '../../../src/config.ts'
import { createFakeEngine } from '../../../src/engine/fake.ts'
import type { EngineHost } from '../../../src/engine/port.ts'
import { basePath } from '../../../src/http/entry.ts'
import { createLog } from '../../../src/kit/process/log.ts'
import { createClient } from '../../helpers/service/client.ts'
import { addCredit } from '../../helpers/service/operator.ts'
import {
  allowDuplicate,
  type Office,
  openOffice,
  startVoiceService,
  type VoiceService,
} from '../../helpers/service/voice.ts'

let service: VoiceService
let office: Office

beforeAll(async () => {
  service = await startVoiceService()
})
afterAll(() => service.stop())
beforeEach(async () => {
  service.engine.behave(() => ['rings'])
  office = await openOffice(service)
})

const called = '5548999998888'
const place = (change: object = {}, headers: Record<string, string> = {}) =>
  service.api.post('/calls', { extension: '1000', called, ...change }, { token: office.token, headers })
const balance = async () => (await service.api.get('/credits/balance', office)).body

test('the second is 409 and names the first, until the destination answers', async () => {
  const { id } = (await place()).body
  const reserved = await balance()
  const refused = await place({ called: '+55 (48) 99999-8888', metadata: { other: true } })
  expect(refused.status).toBe(409)
  expect(refused.body.error).toMatchObject({ code: 'CALL_ALREADY_RINGING', details: { callId: id } })
  expect(await balance()).toEqual(reserved)
  service.engine.pickUp(id)
  expect((await place()).body.error.details).toEqual({ callId: id })
  service.engine.answer(id)
  service.clock.advance(3)
  await expect.poll(async () => (await place()).status).toBe(200)
})

test('within 3 s of the first it is 409 also when the destination has answered already', async () => {
  service.engine.behave(() => ['rings', 'picksUp', 'answers'])
  const { id } = (await place()).body
  await expect.poll(async () => (await service.api.get(`/calls/${id}`, office)).body.status).toBe('answered')
  service.clock.advance(2.9)
  const again = await place()
  expect([again.status, again.body.error?.details]).toEqual([409, { callId: id }])
  expect((await place({}, allowDuplicate)).status).toBe(200)
  service.clock.advance(0.1)
  expect((await place({ called: '5548999997777' })).status).toBe(200)
  const { data } = (await service.api.get('/calls?page=1', office)).body
  expect(data).toHaveLength(3)
})

test('the end of the first makes room', async () => {
  const { id } = (await place()).body
  expect((await place()).status).toBe(409)
  await service.api.post(`/calls/${id}/hangup`, undefined, office)
  expect((await place()).status).toBe(200)
})

test('another extension, number or account is another call; POST /dialer is not', async () => {
  await office.addExtension('1001')
  const { id } = (await place()).body
  expect((await place({ extension: '1001' })).status).toBe(200)
  expect((await place({ called: '5548999997777' })).status).toBe(200)
  expect((await place({ called: '1001' })).status).toBe(200)
  const dial = { extension: '1000', phone: called }
  const dialled = await service.api.post('/dialer', dial, office)
  expect([dialled.status, dialled.body.error.details]).toEqual([409, { callId: id }])
  const neighbour = await openOffice(service)
  const call = { extension: '1000', called }
  expect((await service.api.post('/calls', call, neighbour)).status).toBe(200)
})

test('X-Allow-Duplicate: true places it all the same, and what it placed counts as ringing', async () => {
  const ids = [(await place({}, allowDuplicate)).body.id, (await place({}, allowDuplicate)).body.id]
  expect(ids).toEqual([expect.any(String), expect.any(String)])
  const refused = await place({}, { 'X-Allow-Duplicate': 'false' })
  expect(refused.status).toBe(409)
  expect(ids).toContain(refused.body.error.details.callId)
  expect((await place({}, { 'X-Allow-Duplicate': 'perhaps' })).status).toBe(400)
})

test('a repetition with the same Idempotency-Key is answered the first answer, not 409', async () => {
  const key = { 'Idempotency-Key': 'ring-once' }
  const first = await place({}, key)
  const again = await place({}, key)
  expect([again.status, again.body]).toEqual([200, first.body])
  expect((await place({}, { 'Idempotency-Key': 'another' })).status).toBe(409)
})

test('credit that is short because the first reserved it makes the second a duplicate, not a debtor', async () => {
  const { id } = (await place()).body
  const { available } = await balance()
  await addCredit(service, office.domain, -Math.round(available * 100))
  expect((await place()).body.error.details).toEqual({ callId: id })
  expect((await place({ called: '5548999997777' })).status).toBe(402)
})

test.each([called, '1001'])('of many requests at once to %s one is placed', async (number) => {
  await office.addExtension('1001')
  const answers = await Promise.all(Array.from({ length: 20 }, () => place({ called: number })))
  const placed = answers.filter(({ status }) => status === 200)
  expect(placed).toHaveLength(1)
  const refused = answers.filter(({ status }) => status === 409)
  expect(refused).toHaveLength(19)
  expect(new Set(refused.map(({ body }) => body.error.details.callId))).toEqual(new Set([placed[0]?.body.id]))
})

test.each([
  ['outbound', called],
  ['internal', '1001'],
] as const)('of many %s calls at once in two processes one is stored', async (type, to) => {
  const config = readConfig({
    PORT: '0',
    SIP_PORT: '0',
    SIP_WS_PORT: '0',
    CONSOLE: 'off',
    DATA_DIR: service.dataDir,
    DATABASE_URL: service.database.url,
    RATE_LIMITS: 'off',
    CALLS_PER_EXTENSION: '100',
    CALL_ATTEMPTS: '100',
  })
  const { clock } = service
  const engine = (host: EngineHost) => createFakeEngine(host, { now: clock.now })
  const other = await startApp(config, { clock, log: createLog('silent'), engine })
  try {
    const processes = [service.api, createClient(`${other.url}${basePath}`)]
    await office.addExtension('1001')
    const before = await balance()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        processes.map((api) => api.post('/calls', { extension: '1000', called: to }, office)),
      ).flat(),
    )
    const placed = answers.filter(({ status }) => status === 200)
    expect(placed).toHaveLength(1)
    const refused = answers.filter(({ status }) => status === 409)
    expect(refused.map(({ body }) => body.error.details.callId)).toEqual(Array(19).fill(placed[0]?.body.id))
    // Only the one that is stored has credit reserved.
    const { reserved } = await balance()
    await place({ called: '5548999997777' })
    const one = (await balance()).reserved - reserved
    expect(reserved - before.reserved).toBeCloseTo(type === 'outbound' ? one : 0, 2)
  } finally {
    await other.stop()
  }
})
