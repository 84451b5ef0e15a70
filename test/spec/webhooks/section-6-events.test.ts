/** Spec §6: events of calls, as webhooks: what they say, and to whom. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { CallEventType } from '../../../src/contract/webhooks/events.ts'
import { isSigned, type Received, type Receiver } from '../../helpers/programs/receiver.ts'
import { both, type Listening, listenWith } from '../../helpers/programs/webhook-listener.ts'
import { announce, announceIn, callOf, deliverAll } from '../../helpers/service/announcements.ts'
import { addUser, openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'

let service: Service
const receivers: Receiver[] = []

beforeAll(async () => {
  service = await startService({ WEBHOOK_ALLOW_PRIVATE: 'true', DATABASE_POOL: '10' })
})
afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.stop()
})
afterAll(() => service.stop())

const listen = (listening: Listening) => listenWith(service, receivers, listening)

const kindsOf = (received: Received[]) => received.map(({ body }) => body.eventType)
const metadata = { lead: 7, deep: { list: [1, null, 'ç'] }, ok: true, text: 'x' }

describe('the payload', () => {
  test('of channel-hangup is as the contract says, with our additions (D84, D85)', async () => {
    const ana = await openAccount(service)
    const { receiver, secret, id } = await listen({ who: ana, version: 'v1.4' })
    const call = { ...(await callOf(service, ana.email)), metadata: JSON.stringify(metadata) }
    await announce(service, call, 'channel-hangup')
    const [hangup] = await receiver.until(1)
    const { body: account } = await service.api.get('/accounts', ana)
    expect(hangup?.body).toEqual({
      version: 'v1.4',
      eventType: 'channel-hangup',
      id: call.callId,
      domain: ana.domain,
      direction: 'outbound',
      caller: '1000',
      called: '5548999998888',
      startedAt: '2026-11-15 09:00:00',
      answeredAt: '2026-11-15 09:00:09',
      endedAt: '2026-11-15 09:01:00',
      duration: 51,
      hangupCause: 'NORMAL_CLEARING',
      hangupCauseCode: '16',
      recordUrl: '',
      // D584: what GET /calls/{id} shows.
      status: 'completed',
      endedBy: 'destination',
      minutePrice: 0.12,
      callPrice: 0.11,
      metadata,
      accountUuid: account.uuid,
      userUuid: call.userUuid,
      extensionUserUuid: call.extensionUserUuid,
      sequence: 1,
      timezone: 'America/Sao_Paulo',
    })
    expect(hangup?.headers['content-type']).toBe('application/json')
    expect(hangup?.headers['webhook-id']).toBe(`msg_${call.callId}_1_${id}`)
    expect(hangup && isSigned(hangup, secret)).toBe(true)
  })

  test('of channel-answer lacks what only the end knows (D84), and comes before channel-hangup', async () => {
    const ana = await openAccount(service)
    const { receiver } = await listen({ who: ana })
    await announce(
      service,
      { ...(await callOf(service, ana.email)), endedAt: null, cause: null },
      'channel-answer',
    )
    await announce(service, await callOf(service, ana.email), 'channel-hangup')
    const [first] = await receiver.until(2)
    expect(Object.keys(first?.body).sort()).toEqual(
      [
        'version',
        'eventType',
        'id',
        'domain',
        'direction',
        'caller',
        'called',
        'startedAt',
        'answeredAt',
        'metadata',
        'accountUuid',
        'userUuid',
        'extensionUserUuid',
        'sequence',
        'timezone',
      ].sort(),
    )
  })

  test('of a call that nobody answered has no answer, duration or recording (D85)', async () => {
    const ana = await openAccount(service)
    const { receiver } = await listen({ who: ana })
    const call = await callOf(service, ana.email)
    const unanswered = {
      answeredAt: null,
      duration: 0,
      cause: 'USER_BUSY' as const,
      callType: 'internal' as const,
    }
    await announce(service, { ...call, ...unanswered }, 'channel-hangup')
    await announce(
      service,
      { ...(await callOf(service, ana.email)), callType: 'inbound', userUuid: null },
      'channel-hangup',
    )
    const [busy, inbound] = await receiver.until(2)
    const expected = { answeredAt: '', duration: 0, hangupCause: 'USER_BUSY', hangupCauseCode: '17' }
    // D1: a call within the account is sent as outbound.
    expect(busy?.body).toMatchObject({ ...expected, recordUrl: '', direction: 'outbound' })
    expect(inbound?.body).toMatchObject({ direction: 'inbound', userUuid: null })
  })

  test('numbers the events of a call 1, 2, … whatever their kinds (D85, D89)', async () => {
    const ana = await openAccount(service)
    const types: CallEventType[] = [...both, 'channel-create', 'channel-ringing', 'recording-ready']
    const { receiver } = await listen({ who: ana, types })
    const call = { ...(await callOf(service, ana.email)), recordingUrl: 'https://ramal.example/r' }
    await announce(service, call, 'channel-create', 'channel-ringing', ...both, 'recording-ready')
    const all = await receiver.until(5)
    expect(all.map(({ body }) => [body.eventType, body.sequence])).toEqual([
      ['channel-create', 1],
      ['channel-ringing', 2],
      ['channel-answer', 3],
      ['channel-hangup', 4],
      ['recording-ready', 5],
    ])
    expect(all[4]?.body.recordUrl).toBe('https://ramal.example/r')
  })
})

describe('the receivers of an event', () => {
  test('an ADMIN of all calls of the account, a USER of their own, others of none (D83)', async () => {
    const [ana, stranger] = [await openAccount(service), await openAccount(service)]
    const bia = await addUser(service, ana)
    const [anas, bias, strangers] = [
      await listen({ who: ana }),
      await listen({ who: bia }),
      await listen({ who: stranger }),
    ]
    const [byAna, byBia] = [await callOf(service, ana.email), await callOf(service, bia.email)]
    await announce(service, byAna, 'channel-hangup')
    await announce(service, byBia, 'channel-hangup')
    await announce(service, { ...(await callOf(service, ana.email)), userId: null }, 'channel-hangup')
    await deliverAll(service)
    expect(anas.receiver.received).toHaveLength(3)
    expect(bias.receiver.received.map(({ body }) => body.id)).toEqual([byBia.callId])
    expect(strangers.receiver.received).toHaveLength(0)
  })

  test('only of the types that are listed, and only while the webhook is on (D81)', async () => {
    const ana = await openAccount(service)
    const { receiver, id } = await listen({ who: ana, types: ['channel-answer'] })
    await announce(service, await callOf(service, ana.email), ...both)
    await service.api.patch('/integrations', { id, webhook: false }, ana)
    await announce(service, await callOf(service, ana.email), ...both)
    await deliverAll(service)
    expect(kindsOf(receiver.received)).toEqual(['channel-answer'])
  })

  test('of optional types nothing is written unless somebody lists them (D89)', async () => {
    const ana = await openAccount(service)
    await listen({ who: ana })
    const call = await callOf(service, ana.email)
    await announce(service, call, 'channel-create', 'channel-ringing', ...both, 'recording-ready')
    const { body } = await service.api.get('/events', ana)
    expect(body.data.map((event: { eventType: string }) => event.eventType)).toEqual(both)
    expect(body.data[1].sequence).toBe(2)
  })

  test.each([
    ['flat', { lead: 7 }, true],
    ['a number as text', { lead: '7' }, true],
    ['a boolean as text', { ok: 'true' }, true],
    ['nested', { metadata: { text: 'x' } }, true],
    ['both at once', { lead: 7, metadata: { text: 'x' } }, true],
    ['an object by containment', { deep: { list: [1] } }, true],
    ['a scalar in an object as text', { metadata: { deep: {} } }, true],
    ['another value', { lead: 8 }, 'lead'],
    ['a missing key', { lead: 7, absent: null }, 'absent'],
    ['one of both', { lead: 7, metadata: { text: 'y' } }, 'text'],
    ['the same key twice', { lead: 7, metadata: { lead: 8 } }, 'lead'],
    ['something deep', { deep: { list: [2] } }, 'deep.list'],
    ['an object for a scalar', { lead: {} }, 'lead'],
  ])('a constraint: %s (D82)', async (_what, constraint, outcome) => {
    const ana = await openAccount(service)
    const { receiver, deliveries } = await listen({ who: ana, constraint })
    await announce(
      service,
      { ...(await callOf(service, ana.email)), metadata: JSON.stringify(metadata) },
      ...both,
    )
    await deliverAll(service)
    if (outcome === true) {
      expect(await deliveries()).toMatchObject([{ status: 'delivered' }, { status: 'delivered' }])
      expect(kindsOf(receiver.received)).toEqual(both)
    } else {
      const reason = `constraint mismatch on key ${outcome}`
      const skipped = { status: 'skipped', reason, attempts: 0 }
      expect(await deliveries()).toMatchObject([skipped, skipped])
      expect(receiver.received).toEqual([])
    }
  })

  test('once, however often it is announced, and not at all when the transaction fails', async () => {
    const ana = await openAccount(service)
    const { receiver, deliveries } = await listen({ who: ana })
    const call = await callOf(service, ana.email)
    const failing = service.db.transaction().execute(async (tx) => {
      await announceIn(service, tx, [{ ...call, type: 'channel-answer' }])
      throw new Error('the call did not move')
    })
    await expect(failing).rejects.toThrow('did not move')
    await announce(service, call, ...both, 'channel-hangup', 'channel-answer')
    await deliverAll(service)
    expect(kindsOf(receiver.received)).toEqual(both)
    expect(await deliveries()).toHaveLength(2)
  })

  test('an integration created before an event commits receives it', async () => {
    const ana = await openAccount(service)
    const call = await callOf(service, ana.email)
    let listening: ReturnType<typeof listen> | undefined
    await service.db.transaction().execute(async (tx) => {
      await announceIn(service, tx, [{ ...call, type: 'channel-answer' }])
      listening = listen({ who: ana })
    })
    const { receiver } = (await listening) ?? { receiver: undefined }
    await announce(service, call, 'channel-hangup')
    await deliverAll(service)
    // Either it was created first and received both, or it waited until the event was committed.
    expect(kindsOf(receiver?.received ?? [])).toEqual(['channel-hangup'])
  })
})
