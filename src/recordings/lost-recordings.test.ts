/** D259: recordings that stayed on machines that are gone. */
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accountIdOf, type CallFields, insertCalls, live } from '../../test/helpers/service/call-rows.ts'
import { openAccount } from '../../test/helpers/service/people.ts'
import { type Service, startService } from '../../test/helpers/service/service.ts'
import { storeEvents } from '../calls/events/store-events.ts'

let service: Service

beforeAll(async () => {
  service = await startService({ RECORDING_LOST_HOURS: '6', WEBHOOK_ALLOW_PRIVATE: 'true' })
})
afterAll(() => service.stop())

test('are reported as lost after RECORDING_LOST_HOURS, and as ready if they are stored after all', async () => {
  const { db, clock, app, api } = service
  const admin = await openAccount(service)
  const webhookTypes = ['recording-lost', 'recording-ready']
  const metadata = { webhookUrl: 'http://127.0.0.1:9/', webhookTypes }
  const { status } = await api.patch('/integrations', { gateway: 'crm', webhook: true, metadata }, admin)
  expect(status).toBe(200)
  const accountId = await accountIdOf(db, admin.domain)
  const ended_at = clock.now()
  const spooled: CallFields = { recording: 'spooled', ended_at, answered_at: ended_at, node: 'gone' }
  const answered: CallFields = { ended_at, answered_at: ended_at, record: true, node: 'gone' }
  const [onDisk = '', killed = '', notRecorded = '', alive = '', stored = ''] = await insertCalls(
    db,
    accountId,
    [
      spooled,
      { ...answered, hangup_cause: 'RECOVERY_ON_TIMER_EXPIRE' },
      { ...answered, hangup_cause: 'NORMAL_CLEARING' },
      { ...spooled, node: app.node.id },
      { ...spooled, recording: 'stored' },
    ],
  )
  const states = async () => {
    const rows = await db
      .selectFrom('calls')
      .select(['id', 'recording'])
      .where('account_id', '=', accountId)
      .execute()
    return Object.fromEntries(rows.map(({ id, recording }) => [id, recording]))
  }
  const events = async () =>
    (
      await db
        .selectFrom('events')
        .select(['kind', 'subject_id'])
        .where('account_id', '=', accountId)
        .orderBy('id')
        .execute()
    ).map(({ kind, subject_id }) => `${kind} ${subject_id}`)
  const { lostRecordings, recordingIntake } = app.services.calls
  clock.advance(5 * 3600)
  await lostRecordings.tick()
  expect((await states())[onDisk]).toBe('spooled')

  clock.advance(2 * 3600)
  await lostRecordings.tick()
  await lostRecordings.tick()
  expect(await states()).toEqual({
    [onDisk]: 'lost',
    [killed]: 'lost',
    [notRecorded]: null,
    [alive]: 'spooled',
    [stored]: 'stored',
  })
  expect((await events()).sort()).toEqual([`recording-lost ${onDisk}`, `recording-lost ${killed}`].sort())
  expect((await api.get(`/calls/${onDisk}`, admin)).body.record_url).toBe('')

  await recordingIntake.adopt(
    (async function* () {
      yield {
        callId: onDisk,
        lastWriteAt: ended_at,
        recording: {
          seconds: 1,
          bytes: 5,
          open: async () => Readable.from([Buffer.from('sound')]),
          discard: async () => {},
        },
      }
    })(),
  )
  expect((await states())[onDisk]).toBe('stored')
  expect((await events()).at(-1)).toBe(`recording-ready ${onDisk}`)
})

test('that could not be written, on a full disk for example, are reported as lost at the end of the call (D519)', async () => {
  const { db, clock, app, api } = service
  const admin = await openAccount(service)
  const metadata = {
    webhookUrl: 'http://127.0.0.1:9/',
    webhookTypes: ['channel-hangup', 'recording-lost'],
  }
  await api.patch('/integrations', { gateway: 'crm', webhook: true, metadata }, admin)
  const accountId = await accountIdOf(db, admin.domain)
  const talking: CallFields = { ...live('answered'), record: true, answered_at: clock.now() }
  const [unrecorded = '', other = ''] = await insertCalls(db, accountId, [talking, talking])
  const end = { type: 'ended', at: clock.now(), cause: 'NORMAL_CLEARING', by: 'extension' } as const
  const events = [
    { ...end, callId: unrecorded, unrecorded: true },
    { ...end, callId: other },
  ]
  await storeEvents(db, events, {
    announcer: app.services.calls.announcer,
    credit: app.services.money.credit,
  })

  const written = await db
    .selectFrom('events')
    .select(['kind', 'call_id'])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute()
  const kindsOf = (id: string) => written.filter(({ call_id }) => call_id === id).map(({ kind }) => kind)
  expect(kindsOf(unrecorded)).toEqual(['channel-hangup', 'recording-lost'])
  expect(kindsOf(other)).toEqual(['channel-hangup'])
  const lostOf = async (id: string) => (await api.get(`/calls/${id}`, admin)).body.recording_lost
  expect([await lostOf(unrecorded), await lostOf(other)]).toEqual([true, false])
})
