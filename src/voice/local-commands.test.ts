import { expect, test } from 'vitest'
import type { CallEvent, CallRequest } from '../engine/port.ts'
import { systemClock } from '../kit/clock.ts'
import { createLog } from '../kit/process/log.ts'
import { createTestTimers } from '../kit/testing/test-timers.ts'
import { createEventWaiter } from './event-waiter.ts'
import { createLocalCommands } from './local-commands.ts'

const extension = { domain: 'padaria.example', number: '1000' }
const command = {
  accountId: 1,
  extensionId: 1,
  request: {
    callId: '01997f3c-0000-7000-8000-000000000000',
    extension,
    shown: { number: '5548999990001' },
    destination: { number: '5548999990001' },
    presented: undefined,
    record: false,
  },
}

/** A node whose events are never stored: the database does not answer. */
function startNode(isDraining: boolean) {
  const timers = createTestTimers()
  const placed: CallRequest[] = []
  const events: CallEvent[] = []
  const commands = createLocalCommands({
    clock: systemClock,
    log: createLog('silent'),
    node: 'here',
    engine: {
      place: (request) => void placed.push(request),
      transfer: () => false,
      callForCode: () => Promise.reject(new Error('not here')),
      hangUp: () => false,
      pressKeys: () => false,
      registration: () => undefined,
    },
    limits: { ring: 30, answer: 60, talk: 3600 },
    creditControl: { start() {} },
    ceilings: { take: () => undefined, release() {} },
    callsHere: { add() {}, find: () => undefined },
    waiter: createEventWaiter(timers),
    onCall: (event) => events.push(event),
    isDraining: () => isDraining,
    answerWithinMs: 2_000,
  })
  return { commands, timers, placed, events }
}

test('D501: a call whose request became too old rings nowhere and counts as not taken, though its end cannot be stored', async () => {
  const { commands, timers, placed, events } = startNode(false)
  const answer = commands.place(command, { isWanted: () => false })
  timers.advance(2_000)
  expect(await answer).toBe('not taken')
  expect(placed).toEqual([])
  expect(events, 'so that its key places it again').toMatchObject([
    { type: 'ended', cause: 'ORIGINATOR_CANCEL', isNotTaken: true },
  ])
})

test('D501: a call that a node which stops did not begin counts as not taken', async () => {
  const { commands, timers, placed, events } = startNode(true)
  const answer = commands.place(command)
  timers.advance(2_000)
  expect(await answer).toBe('not taken')
  expect(placed).toEqual([])
  expect(events).toMatchObject([{ type: 'ended', cause: 'NORMAL_TEMPORARY_FAILURE' }])
})

test('D6: a call that the engine has taken counts as placed when the time to wait is over', async () => {
  const { commands, timers, placed } = startNode(false)
  const answer = commands.place(command, { isWanted: () => true })
  timers.advance(2_000)
  expect(await answer).toBeUndefined()
  expect(placed).toHaveLength(1)
})
