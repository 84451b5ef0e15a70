/** Whatever events an engine emits, and however often: a call moves forward only and ends once. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accountIdOf, insertCalls, live } from '../../test/helpers/service/call-rows.ts'
import {
  type Office,
  openOffice,
  startVoiceService,
  type VoiceService,
} from '../../test/helpers/service/voice.ts'
import { unansweredStatus } from '../calls/call.ts'
import { findStrayReservations } from '../calls/events/pricing-store.ts'
import type { Cause } from '../contract/calls/causes.ts'
import type { CallEvent } from '../engine/port.ts'
import { plusSeconds } from '../kit/clock.ts'
import { uuidv7 } from '../kit/ids.ts'
import { createLog } from '../kit/process/log.ts'
import { createTestTimers } from '../kit/testing/test-timers.ts'
import { createEventQueue } from './event-queue.ts'

let service: VoiceService
let office: Office
const start = new Date('2026-11-15T12:00:00Z')

beforeAll(async () => {
  service = await startVoiceService()
  office = await openOffice(service)
})
afterAll(() => service.stop())

async function newCalls(count: number): Promise<string[]> {
  const accountId = await accountIdOf(service.db, office.domain)
  const call = { ...live('queued'), started_at: start, node: 'elsewhere' }
  return await insertCalls(
    service.db,
    accountId,
    Array.from({ length: count }, () => call),
  )
}

function createTestQueue({ db = service.db, announcer = service.app.services.calls.announcer } = {}) {
  const stored: CallEvent[] = []
  const timers = createTestTimers()
  const events = createEventQueue({
    db,
    timers,
    log: createLog('silent'),
    announcer,
    credit: service.app.services.money.credit,
    onStored: (event) => void stored.push(event),
  })
  return { ...events, timers, stored }
}

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

const rowOf = (id: string) =>
  service.db.selectFrom('calls').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** `after` so many milliseconds. */
type EmittedEvent = {
  call: number
  type: Exclude<CallEvent['type'], 'transferred'>
  after: number
  cause: Cause
}

/** The rule in its simplest words. */
function lifeOf(emitted: EmittedEvent[]) {
  const order = ['ringing', 'extensionAnswered', 'answered', 'ended']
  let reached = -1
  const at: Partial<Record<CallEvent['type'], number>> = {}
  let cause: Cause | null = null
  for (const event of emitted) {
    const rank = order.indexOf(event.type)
    if (rank <= reached) continue
    reached = rank
    at[event.type] = event.after
    if (event.type === 'ended') cause = event.cause
  }
  const live = ['queued', 'ringing', 'connecting', 'answered'] as const
  const answered = at.answered !== undefined
  return {
    status: cause === null ? live[reached + 1] : answered ? 'completed' : unansweredStatus(cause),
    cause,
    ringing: at.ringing,
    connecting: at.extensionAnswered,
    answered: at.answered,
    ended: at.ended,
    duration:
      answered && at.ended !== undefined
        ? Math.max(0, Math.floor((at.ended - (at.answered ?? 0)) / 1000))
        : 0,
  }
}

describe('events', () => {
  const anyEvent = fc.record<EmittedEvent>({
    call: fc.integer({ min: 0, max: 2 }),
    type: fc.constantFrom('ringing', 'extensionAnswered', 'progress', 'answered', 'ended'),
    after: fc.integer({ min: 0, max: 90_000 }),
    cause: fc.constantFrom('NORMAL_CLEARING', 'USER_BUSY', 'NO_ANSWER', 'ORIGINATOR_CANCEL'),
  })

  test('late, repeated and out of order, in any bursts, leave each call as the first of each kind made it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(anyEvent, { maxLength: 8 }), { maxLength: 5 }), async (bursts) => {
        const ids = await newCalls(3)
        const { add, drained } = createTestQueue()
        for (const burst of bursts) {
          for (const { call, type, after, cause } of burst) {
            const event = { callId: ids[call] ?? '', at: new Date(start.getTime() + after) }
            add(type === 'ended' ? { ...event, type, cause, by: 'service' } : { ...event, type })
          }
          await drained(1000)
        }
        for (const [call, id] of ids.entries()) {
          const row = await rowOf(id)
          const since = (time: Date | null) => (time ? time.getTime() - start.getTime() : undefined)
          expect({
            status: row.status,
            cause: row.hangup_cause,
            ringing: since(row.ringing_at),
            connecting: since(row.connecting_at),
            answered: since(row.answered_at),
            ended: since(row.ended_at),
            duration: row.duration,
          }).toEqual(lifeOf(bursts.flat().filter((event) => event.call === call)))
        }
      }),
      { numRuns: 60 },
    )
  })

  test('of a thousand calls at once are all stored, in few statements', async () => {
    const ids = await newCalls(1000)
    let statements = 0
    const counting = service.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        statements += 1
        return result
      },
    })
    const { add, drained, stored } = createTestQueue({ db: counting })
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
    const [first = '', ...others] = await newCalls(501)
    const { add, drained, isBehind } = createTestQueue()
    for (const callId of others) add({ type: 'ringing', callId, at: start })
    expect(isBehind()).toBe(false)
    add({ type: 'ringing', callId: first, at: start })
    expect(isBehind()).toBe(true)
    await drained(1000)
    expect(isBehind()).toBe(false)
  })

  test('of one call wait for each other, those of other calls do not', async () => {
    const [slow = '', ...others] = await newCalls(50)
    const { announcer: slowly, open } = announceLate(slow)
    const { add, drained, stored } = createTestQueue({ announcer: slowly })
    add({ type: 'answered', callId: slow, at: start })
    await new Promise(setImmediate)
    add({ type: 'ended', callId: slow, at: start, cause: 'USER_BUSY', by: 'extension' })
    for (const callId of others) add({ type: 'ringing', callId, at: start })
    await expect.poll(() => stored.length).toBe(others.length)
    expect((await rowOf(slow)).status).toBe('queued')
    open()
    await drained(1000)
    expect(await rowOf(slow)).toMatchObject({ status: 'completed', answered_at: start })
  })

  test('of a call that ends do not keep its account from placing others while they are announced', async () => {
    const [ending = '', next = ''] = await newCalls(2)
    const { account_id: accountId, to_number: destination } = await rowOf(ending)
    const { credit } = service.app.services.money
    const reserve = (callId: string) =>
      service.db.transaction().execute((tx) => credit.reserve(tx, [{ accountId, callId, destination }]))
    await reserve(ending)
    const { announcer, open, isWaiting } = announceLate(ending)
    const { add, drained } = createTestQueue({ announcer })
    add({ type: 'answered', callId: ending, at: start })
    add({ type: 'ended', callId: ending, at: plusSeconds(start, 40), cause: 'NORMAL_CLEARING', by: 'other' })
    await expect.poll(isWaiting).toBe(true)
    expect((await reserve(next)).answers.get(next)).toMatchObject({ talkSeconds: 60 })
    open()
    add({ type: 'ended', callId: next, at: start, cause: 'USER_BUSY', by: 'other' })
    await drained(1000)
    expect(await rowOf(ending)).toMatchObject({ status: 'completed', pricing: { seconds: 40 } })
    expect(await findStrayReservations(service.db)).toEqual([])
  })

  test('of a call in which nothing came from the phone (D420) charge nothing, whatever it lasted', async () => {
    const [silent = '', heard = ''] = await newCalls(2)
    const { account_id: accountId, to_number: destination } = await rowOf(silent)
    const { credit } = service.app.services.money
    await service.db.transaction().execute((tx) =>
      credit.reserve(
        tx,
        [silent, heard].map((callId) => ({ accountId, callId, destination })),
      ),
    )
    const { add, drained } = createTestQueue()
    for (const callId of [silent, heard]) {
      add({ type: 'answered', callId, at: start })
      const at = plusSeconds(start, 29)
      const end = { type: 'ended', callId, at, cause: 'MEDIA_TIMEOUT', by: 'extension' } as const
      add(callId === silent ? { ...end, unheard: true } : end)
    }
    await drained(1000)
    const ended = { status: 'completed', duration: 29, hangup_cause: 'MEDIA_TIMEOUT' }
    expect(await rowOf(silent)).toMatchObject({ ...ended, call_price: 0, pricing: { seconds: 0 } })
    expect((await rowOf(heard)).call_price).toBeGreaterThan(0)
    const entries = await service.db.selectFrom('ledger_entries').selectAll().execute()
    expect(entries.filter((entry) => JSON.stringify(entry).includes(silent))).toEqual([])
    expect(entries.filter((entry) => JSON.stringify(entry).includes(heard))).toHaveLength(1)
    expect(await findStrayReservations(service.db)).toEqual([])
  })

  test('that cannot be stored do not keep the others from it', async () => {
    const [good = ''] = await newCalls(1)
    const { add, drained } = createTestQueue()
    add({ type: 'ringing', callId: 'not a call', at: start })
    add({ type: 'ringing', callId: uuidv7(start), at: start })
    add({ type: 'ringing', callId: good, at: start })
    await drained(1000)
    expect((await rowOf(good)).status).toBe('ringing')
  })

  test('store the length of the recording', async () => {
    const [id = ''] = await newCalls(1)
    const { add, drained } = createTestQueue()
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
    const { recording: state, recording_seconds, recording_bytes } = await rowOf(id)
    expect([state, recording_seconds, recording_bytes]).toEqual(['spooled', 13, 403_244])
  })
})
