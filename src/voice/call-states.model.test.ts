/**
 * D556: the states of calls against their rule in its simplest words. Whatever events an engine emits, however often and in
 * whatever order, a call moves forward only and ends once.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { wantedCommands } from '../../test/helpers/run/model-run.ts'
import { startVoiceService, type VoiceService } from '../../test/helpers/service/voice.ts'
import { unansweredStatus } from '../calls/call.ts'
import type { Cause } from '../contract/calls/causes.ts'
import type { CallEvent } from '../engine/port.ts'
import { type EventQueueSetup, openEventQueueSetup, start } from './testing/event-queue-setup.ts'

let service: VoiceService
let setup: EventQueueSetup

beforeAll(async () => {
  service = await startVoiceService()
  setup = await openEventQueueSetup(service)
})
afterAll(() => service.stop())

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

const anyEvent = fc.record<EmittedEvent>({
  call: fc.integer({ min: 0, max: 2 }),
  type: fc.constantFrom('ringing', 'extensionAnswered', 'progress', 'answered', 'ended'),
  after: fc.integer({ min: 0, max: 90_000 }),
  cause: fc.constantFrom('NORMAL_CLEARING', 'USER_BUSY', 'NO_ANSWER', 'ORIGINATOR_CANCEL'),
})
const anyBursts = fc.array(fc.array(anyEvent, { maxLength: 8 }), { maxLength: 5 })

/** Events of three calls; those of a burst are emitted at once. */
async function emit(bursts: EmittedEvent[][]): Promise<string[]> {
  const ids = await setup.newCalls(3)
  const { add, drained } = setup.createTestQueue()
  for (const burst of bursts) {
    for (const { call, type, after, cause } of burst) {
      const event = { callId: ids[call] ?? '', at: new Date(start.getTime() + after) }
      add(type === 'ended' ? { ...event, type, cause, by: 'service' } : { ...event, type })
    }
    await drained(1000)
  }
  return ids
}

async function storedLife(id: string) {
  const row = await setup.rowOf(id)
  const since = (time: Date | null) => (time ? time.getTime() - start.getTime() : undefined)
  return {
    status: row.status,
    cause: row.hangup_cause,
    ringing: since(row.ringing_at),
    connecting: since(row.connecting_at),
    answered: since(row.answered_at),
    ended: since(row.ended_at),
    duration: row.duration,
  }
}

test('events late, repeated and out of order, in any bursts, leave each call as the first of each kind made it', async () => {
  let emitted = 0
  const property = fc.asyncProperty(anyBursts, async (bursts) => {
    emitted += bursts.flat().length
    const ids = await emit(bursts)
    for (const [call, id] of ids.entries())
      expect(await storedLife(id)).toEqual(lifeOf(bursts.flat().filter((event) => event.call === call)))
  })
  while (emitted < wantedCommands) await fc.assert(property, { numRuns: 10 })
})
