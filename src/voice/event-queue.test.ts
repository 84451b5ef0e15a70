import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startVoiceService, type VoiceService } from '../../test/helpers/service/voice.ts'
import { findStrayReservations } from '../calls/events/pricing-store.ts'
import { plusSeconds } from '../kit/clock.ts'
import { uuidv7 } from '../kit/ids.ts'
import { type EventQueueSetup, openEventQueueSetup, start } from './testing/event-queue-setup.ts'

let service: VoiceService
let setup: EventQueueSetup

beforeAll(async () => {
  service = await startVoiceService()
  setup = await openEventQueueSetup(service)
})
afterAll(() => service.stop())

/** The first announcement of the call waits until `open`. */
function announceLate(call: string) {
  const { announcer } = service.app.services.calls
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  let isWaiting = false
  const late: typeof announcer = {
    ...announcer,
    async prepare(tx, announcements) {
      const waits = !isWaiting && announcements.some(({ callId }) => callId === call)
      isWaiting ||= waits
      if (waits) await gate
      return await announcer.prepare(tx, announcements)
    },
  }
  return { announcer: late, open, isWaiting: () => isWaiting }
}

describe('events', () => {
  test('of a thousand calls at once are all stored, in few statements', async () => {
    const ids = await setup.newCalls(1000)
    let statements = 0
    const counting = service.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        statements += 1
        return result
      },
    })
    const { add, drained, stored } = setup.createTestQueue({ db: counting })
    for (const callId of ids) add({ type: 'ringing', callId, at: start })
    for (const callId of ids) add({ type: 'ended', callId, at: start, cause: 'USER_BUSY', by: 'extension' })
    await drained(1000)
    expect(stored).toHaveLength(2000)
    expect(statements).toBeLessThan(50)
    const ended = await service.db
      .selectFrom('calls')
      .select(({ fn }) => fn.countAll<number>().as('all'))
      .where('id', 'in', ids)
      .where('status', '=', 'busy')
      .executeTakeFirstOrThrow()
    expect(ended.all).toBe(1000)
  })

  test('of more than 500 calls are more than the database keeps up with, until they are stored', async () => {
    const [first = '', ...others] = await setup.newCalls(501)
    const { add, drained, isBehind } = setup.createTestQueue()
    for (const callId of others) add({ type: 'ringing', callId, at: start })
    expect(isBehind()).toBe(false)
    add({ type: 'ringing', callId: first, at: start })
    expect(isBehind()).toBe(true)
    await drained(1000)
    expect(isBehind()).toBe(false)
  })

  test('of one call wait for each other, those of other calls do not', async () => {
    const [slow = '', ...others] = await setup.newCalls(50)
    const { announcer: slowly, open } = announceLate(slow)
    const { add, drained, stored } = setup.createTestQueue({ announcer: slowly })
    add({ type: 'answered', callId: slow, at: start })
    await new Promise(setImmediate)
    add({ type: 'ended', callId: slow, at: start, cause: 'USER_BUSY', by: 'extension' })
    for (const callId of others) add({ type: 'ringing', callId, at: start })
    await expect.poll(() => stored.length).toBe(others.length)
    expect((await setup.rowOf(slow)).status).toBe('queued')
    open()
    await drained(1000)
    expect(await setup.rowOf(slow)).toMatchObject({ status: 'completed', answered_at: start })
  })

  test('of a call that ends do not keep its account from placing others while they are announced', async () => {
    const [ending = '', next = ''] = await setup.newCalls(2)
    const { account_id: accountId, to_number: destination } = await setup.rowOf(ending)
    const { credit } = service.app.services.money
    const reserve = (callId: string) =>
      service.db.transaction().execute((tx) => credit.reserve(tx, [{ accountId, callId, destination }]))
    await reserve(ending)
    const { announcer, open, isWaiting } = announceLate(ending)
    const { add, drained } = setup.createTestQueue({ announcer })
    add({ type: 'answered', callId: ending, at: start })
    add({ type: 'ended', callId: ending, at: plusSeconds(start, 40), cause: 'NORMAL_CLEARING', by: 'other' })
    await expect.poll(isWaiting).toBe(true)
    expect((await reserve(next)).answers.get(next)).toMatchObject({ talkSeconds: 60 })
    open()
    add({ type: 'ended', callId: next, at: start, cause: 'USER_BUSY', by: 'other' })
    await drained(1000)
    expect(await setup.rowOf(ending)).toMatchObject({ status: 'completed', pricing: { seconds: 40 } })
    expect(await findStrayReservations(service.db)).toEqual([])
  })

  test('of a call in which nothing came from the phone (D420) charge nothing, whatever it lasted', async () => {
    const [silent = '', heard = ''] = await setup.newCalls(2)
    const { account_id: accountId, to_number: destination } = await setup.rowOf(silent)
    const { credit } = service.app.services.money
    await service.db.transaction().execute((tx) =>
      credit.reserve(
        tx,
        [silent, heard].map((callId) => ({ accountId, callId, destination })),
      ),
    )
    const { add, drained } = setup.createTestQueue()
    for (const callId of [silent, heard]) {
      add({ type: 'answered', callId, at: start })
      const at = plusSeconds(start, 29)
      const end = { type: 'ended', callId, at, cause: 'MEDIA_TIMEOUT', by: 'extension' } as const
      add(callId === silent ? { ...end, unheard: true } : end)
    }
    await drained(1000)
    const ended = { status: 'completed', duration: 29, hangup_cause: 'MEDIA_TIMEOUT' }
    expect(await setup.rowOf(silent)).toMatchObject({ ...ended, call_price: 0, pricing: { seconds: 0 } })
    expect((await setup.rowOf(heard)).call_price).toBeGreaterThan(0)
    const entries = await service.db.selectFrom('ledger_entries').selectAll().execute()
    expect(entries.filter((entry) => JSON.stringify(entry).includes(silent))).toEqual([])
    expect(entries.filter((entry) => JSON.stringify(entry).includes(heard))).toHaveLength(1)
    expect(await findStrayReservations(service.db)).toEqual([])
  })

  test('that cannot be stored do not keep the others from it', async () => {
    const [good = ''] = await setup.newCalls(1)
    const { add, drained } = setup.createTestQueue()
    add({ type: 'ringing', callId: 'not a call', at: start })
    add({ type: 'ringing', callId: uuidv7(start), at: start })
    add({ type: 'ringing', callId: good, at: start })
    await drained(1000)
    expect((await setup.rowOf(good)).status).toBe('ringing')
  })

  test('store the length of the recording', async () => {
    const [id = ''] = await setup.newCalls(1)
    const { add, drained } = setup.createTestQueue()
    const recording = {
      seconds: 12.6,
      bytes: 403_244,
      open: () => Promise.reject(new Error('not read here')),
      discard: async () => {},
    }
    add({ type: 'answered', callId: id, at: start })
    const at = plusSeconds(start, 12.7)
    add({ type: 'ended', callId: id, at, cause: 'NORMAL_CLEARING', by: 'extension', recording })
    await drained(1000)
    const { recording: state, recording_seconds, recording_bytes } = await setup.rowOf(id)
    expect([state, recording_seconds, recording_bytes]).toEqual(['spooled', 13, 403_244])
  })
})
