/** Events are written with the call's transitions: every call has exactly one hangup event, however it began and ended. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CallEventType } from '../../../src/contract/webhooks/events.ts'
import { passDatabaseTime } from '../../../src/nodes/testing/database-time.ts'
import { type Receiver, startReceiver } from '../../helpers/programs/receiver.ts'
import { runAs } from '../../helpers/run/test-database.ts'
import { attemptsRecorded } from '../../helpers/service/announcements.ts'
import {
  allowDuplicate,
  type Office,
  openOffice,
  startVoiceService,
  type VoiceService,
} from '../../helpers/service/voice.ts'

let service: VoiceService
let office: Office
let receiver: Receiver

const types: CallEventType[] = [
  'channel-create',
  'channel-ringing',
  'channel-answer',
  'channel-hangup',
  'recording-ready',
]

beforeAll(async () => {
  service = await startVoiceService({ WEBHOOK_ALLOW_PRIVATE: 'true', DATABASE_POOL: '10' })
  office = await openOffice(service)
  receiver = await startReceiver()
  const metadata = { webhookUrl: receiver.url, webhookTypes: types }
  await service.api.patch('/integrations', { gateway: 'crm', webhook: true, metadata }, office)
})
afterAll(async () => {
  await service.stop()
  await receiver.stop()
})

/** All events received of a call, once its hangup event has arrived. */
async function eventsOf(callId: string, last: CallEventType = 'channel-hangup') {
  const ofCall = () => receiver.received.map(({ body }) => body).filter(({ id }) => id === callId)
  await expect.poll(() => ofCall().some(({ eventType }) => eventType === last)).toBe(true)
  return ofCall()
}
const typesOf = (events: { eventType: string }[]) => events.map(({ eventType }) => eventType)

async function place(path = '/calls', more: object = {}) {
  const number = path === '/dialer' ? { phone: '48999998888' } : { called: '48999998888' }
  const options = { token: office.token, headers: allowDuplicate }
  const { status, body } = await service.api.post(path, { extension: '1000', ...number, ...more }, options)
  expect(status).toBe(200)
  return String(body.callId ?? body.id)
}

test('a call placed over the API has events from its placing to its end, in order, with its metadata', async () => {
  const metadata = { lead: 7, deep: { list: [1, null, 'ç'] } }
  const id = await place('/calls', { metadata })
  service.engine.pickUp(id)
  service.engine.answer(id)
  await eventsOf(id, 'channel-answer')
  // If the clock advanced a minute during a delivery, its lease would expire and it would be sent twice.
  await attemptsRecorded(service)
  service.clock.advance(61)
  service.engine.hangUpBy(id, 'other')
  const events = await eventsOf(id)
  expect(typesOf(events)).toEqual(['channel-create', 'channel-ringing', 'channel-answer', 'channel-hangup'])
  expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4])
  for (const one of events) expect(one.metadata).toEqual(metadata)
  expect(events.at(-1)).toMatchObject({
    hangupCause: 'NORMAL_CLEARING',
    hangupCauseCode: '16',
    direction: 'outbound',
    caller: '1000',
    called: '5548999998888',
    duration: 61,
  })
  // D584: the same as the record of the call.
  const { body: call } = await service.api.get(`/calls/${id}`, office)
  expect(call.call_price).toBeGreaterThan(0)
  expect(events.at(-1)).toMatchObject({
    status: 'completed',
    endedBy: 'destination',
    minutePrice: call.minute_price,
    callPrice: call.call_price,
  })
})

test.each(['/calls', '/dialer'])(
  'a call placed with POST %s that is refused has one hangup event',
  async (path) => {
    const id = await place(path)
    service.engine.end(id, 'USER_BUSY', 'extension')
    const events = await eventsOf(id)
    expect(events.at(-1)).toMatchObject({
      hangupCause: 'USER_BUSY',
      answeredAt: '',
      duration: 0,
      recordUrl: '',
      status: 'busy',
      endedBy: 'extension',
      callPrice: 0,
    })
    expect(typesOf(events).filter((type) => type === 'channel-hangup')).toHaveLength(1)
  },
)

test('a call that a phone dials and an inbound call have events too, with empty metadata', async () => {
  const from = { extension: office.extension('1000') }
  const dialled = await service.engine.receive({ from, dialled: '48988887777' })
  const brought = await service.engine.receive({
    from: { trunk: 'main', callerId: { number: '5511' } },
    dialled: '554833334444',
  })
  if ('rejected' in dialled || 'rejected' in brought) throw new Error('barred')
  service.engine.answer(dialled.callId)
  service.engine.hangUpBy(dialled.callId, 'extension')
  service.engine.hangUpBy(brought.callId, 'other')
  expect(typesOf(await eventsOf(dialled.callId))).toEqual([
    'channel-create',
    'channel-answer',
    'channel-hangup',
  ])
  const events = await eventsOf(brought.callId)
  expect(events.at(-1)).toMatchObject({
    direction: 'inbound',
    metadata: {},
    hangupCause: 'ORIGINATOR_CANCEL',
  })
})

test('a call to a phone that is not registered has a create and a hangup event, and costs nothing', async () => {
  await office.addExtension('1007')
  service.engine.forget(office.extension('1007'))
  const answer = await service.engine.receive({
    from: { extension: office.extension('1000') },
    dialled: '1007',
  })
  expect(answer).toEqual({ rejected: 'USER_NOT_REGISTERED' })
  const { body } = await service.api.get('/calls?page=1&filter[where][to]=1007', office)
  const events = await eventsOf(body.data[0].id)
  expect(typesOf(events)).toEqual(['channel-create', 'channel-hangup'])
  expect(body.data[0]).toMatchObject({ status: 'failed', minute_price: 0, call_price: 0 })
  expect(events.at(-1)).toMatchObject({ minutePrice: 0, callPrice: 0 })
})

test('a call orphaned by its voice node has a hangup event when it is swept', async () => {
  const id = await place()
  service.engine.lose(id)
  // D116: longer than a call of a living node may be without a proof of life.
  for (let seconds = 0; seconds < 90; seconds += 5) {
    await service.app.lease.renew()
    await service.tick('orphaned calls')
    service.clock.advance(5)
    await passDatabaseTime((statement) => runAs(service.database.url, statement), 5)
  }
  expect((await eventsOf(id)).at(-1)).toMatchObject({ hangupCause: 'RECOVERY_ON_TIMER_EXPIRE' })
})

test('every call of the account has exactly one hangup in the feed', async () => {
  const { body } = await service.api.get('/events?after=0&limit=1000', office)
  const { body: list } = await service.api.get('/calls?page=1', office)
  const hangups = body.data.filter((event: { eventType: string }) => event.eventType === 'channel-hangup')
  const ids = hangups.map(({ id }: { id: string }) => id)
  expect(ids.toSorted()).toEqual(list.data.map(({ id }: { id: string }) => id).toSorted())
})
