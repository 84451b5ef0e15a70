/** D242: a call ends at its phones at once while the database is away; its end is stored, once, when it is back. */
import { expect, test } from 'vitest'
import { verifyLedger } from '../../../src/billing/ledger/verify.ts'
import { startTcpProxy } from '../../helpers/programs/tcp-proxy.ts'
import { createTestDatabase, hideDatabase } from '../../helpers/run/test-database.ts'
import { addUser } from '../../helpers/service/people.ts'
import type { Service } from '../../helpers/service/service.ts'
import { openOffice, startVoiceService, type VoiceService } from '../../helpers/service/voice.ts'

/** R$ 0.12 a minute. */
const mobile = '5548999998888'

async function answer({ engine, eventsStored }: VoiceService, callId: string): Promise<string> {
  engine.pickUp(callId)
  engine.answer(callId)
  await eventsStored()
  return callId
}

/** The call ends at once; the request waits for the end to be stored, for the time of the timers. */
async function hangUp(service: VoiceService, key: string, id: string, { token }: { token: string }) {
  let isAnswered = false
  const answering = service.api.post(`/calls/${key}/hangup`, undefined, { token })
  const noted = answering.finally(() => {
    isAnswered = true
  })
  await expect.poll(() => service.engine.liveCalls()).not.toContain(id)
  await expect
    .poll(() => {
      service.timers.advance(500)
      return isAnswered
    })
    .toBe(true)
  return await noted
}

/** The time of the retries passes until everything is stored. */
async function stored({ timers, app }: VoiceService) {
  await expect
    .poll(() => {
      timers.advance(500)
      return app.voice.node.events.waiting()
    })
    .toBe(0)
}

/** The calls whose end is in the feed of events, in the order of their ids. */
async function endsOf({ api }: VoiceService, office: { token: string }) {
  const events: { eventType: string; id: string }[] = (await api.get('/events?limit=1000', office)).body.data
  return events.flatMap(({ eventType, id }) => (eventType === 'channel-hangup' ? [id] : [])).toSorted()
}

test('calls are hung up by the API and by both sides, and paid for, while the database refuses connections', async () => {
  const service = await startVoiceService()
  const { engine, api } = service
  const office = await openOffice(service)
  const stranger = await openOffice(service)
  const colleague = await addUser(service as unknown as Service, office)
  const headers = { 'X-Allow-Duplicate': 'true' }
  const request = { extension: '1000', called: mobile }
  const placed = await answer(service, (await api.post('/calls', request, { ...office, headers })).body.id)
  const dial = await api.post('/dialer', { extension: '1000', phone: mobile }, { ...office, headers })
  const dialled = await answer(service, dial.body.callId)
  const from = { extension: office.extension('1000') }
  const phoned = await engine.receive({ from, dialled: mobile })
  const inbound = await engine.receive({
    from: { trunk: 'carrier', callerId: undefined },
    dialled: '554833334444',
  })
  if (!('callId' in phoned && 'callId' in inbound)) throw new Error('a call was rejected')
  await answer(service, phoned.callId)
  await answer(service, inbound.callId)
  const ids = [placed, dialled, phoned.callId, inbound.callId]
  expect(engine.liveCalls().toSorted()).toEqual(ids.toSorted())
  for (const caller of [stranger, colleague]) await api.get('/users/me', caller)
  service.clock.advance(60)

  const { show } = await hideDatabase(service.database.url)
  await expect.poll(async () => (await fetch(`${service.url}/ready`)).status).toBe(503)
  expect((await api.get('/users/me', office)).status, 'other requests need the database').toBe(503)
  for (const { token } of [stranger, colleague]) {
    const refused = await api.post(`/calls/${placed}/hangup`, undefined, { token })
    expect([refused.status, refused.body.error.code]).toEqual([404, 'CALL_NOT_FOUND'])
  }
  const unknown = await api.post(`/calls/${placed}/hangup`, undefined, { token: 'x'.repeat(64) })
  expect(unknown.status, 'whose token it is cannot be known').toBe(503)

  const ended = await hangUp(service, placed, placed, office)
  expect([ended.status, ended.body.id]).toEqual([200, placed])
  expect((await hangUp(service, dial.body.id, dialled, office)).body).toMatchObject({ id: dialled })
  engine.hangUpBy(phoned.callId, 'extension')
  engine.hangUpBy(inbound.callId, 'other')
  expect(engine.liveCalls()).toEqual([])

  await show()
  await stored(service)
  expect(await endsOf(service, office)).toEqual(ids.toSorted())
  const prices = { [inbound.callId]: 0 }
  for (const id of ids) {
    const { body } = await api.get(`/calls/${id}`, office)
    expect(body).toMatchObject({ status: 'completed', duration: 60, call_price: prices[id] ?? 0.12 })
  }
  expect((await api.post(`/calls/${placed}/hangup`, undefined, office)).body.error.code).toBe('CALL_ENDED')
  expect((await verifyLedger(service.db)).findings).toEqual([])
  await service.stop()
})

test('a call is hung up at once although the database swallows every packet', async () => {
  const database = await createTestDatabase()
  const proxy = await startTcpProxy(database.url)
  const service = await startVoiceService({ DATABASE_URL: proxy.url })
  const office = await openOffice(service)
  const { body } = await service.api.post('/calls', { extension: '1000', called: mobile }, office)
  const id = await answer(service, body.id)
  proxy.swallowAll()
  expect((await hangUp(service, id, id, office)).status).toBe(200)
  proxy.restore()
  await stored(service)
  expect(await endsOf(service, office)).toEqual([id])
  await service.stop()
  proxy.close()
  await database.drop()
})
