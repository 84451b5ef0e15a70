import { expect, test } from 'vitest'
import type { CallEvent } from '../../engine/port.ts'
import { type StoredCall, stepsOf } from './call-moves.ts'

const at = (second: number) => new Date(Date.UTC(2026, 10, 15, 12, 0, second))

const queued: StoredCall = {
  id: 'call',
  status: 'queued',
  account_id: 1,
  domain: 'aurora.example',
  user_id: null,
  user_uuid: null,
  extension_user_uuid: null,
  call_type: 'outbound',
  from_number: '1000',
  to_number: '5548999998888',
  started_at: at(0),
  answered_at: null,
  ended_at: null,
  duration: 0,
  hangup_cause: null,
  recording: null,
  link_version: 0,
  quality: null,
  ended_by: null,
  minute_price: null,
  call_price: null,
  metadata: '{}',
}

const event = (type: 'ringing' | 'extensionAnswered' | 'answered', second: number): CallEvent => ({
  type,
  callId: 'call',
  at: at(second),
})
const ended = (second: number): CallEvent => ({
  type: 'ended',
  callId: 'call',
  at: at(second),
  cause: 'NORMAL_CLEARING',
  by: 'other',
})
const noLink = () => undefined
const statuses = (call: StoredCall, events: CallEvent[]) =>
  stepsOf(call, events, noLink).map(({ call: { status, duration } }) => `${status} ${duration}`)

test('events make one step each, and the end has the whole seconds of talk (D14)', () => {
  const events = [event('ringing', 1), event('extensionAnswered', 2), event('answered', 5), ended(47)]
  expect(statuses(queued, events)).toEqual(['ringing 0', 'connecting 0', 'answered 0', 'completed 42'])
  expect(queued.status).toBe('queued')
})

test('a call that nobody answered ends with its cause, and has no duration', () => {
  expect(statuses(queued, [event('ringing', 1), ended(47)])).toEqual(['ringing 0', 'failed 0'])
})

test('late and repeated events are no steps', () => {
  const answered: StoredCall = { ...queued, status: 'answered', answered_at: at(5) }
  expect(statuses(answered, [event('ringing', 6), event('answered', 7)])).toEqual([])
  const over: StoredCall = { ...answered, status: 'completed', ended_at: at(9), duration: 4 }
  expect(statuses(over, [event('answered', 10), ended(11)])).toEqual([])
})

test('a transfer is a step with its second call, which the steps after it do not have; one stored before is none', () => {
  const answered: StoredCall = { ...queued, status: 'answered', answered_at: at(5) }
  const transferred: CallEvent = { type: 'transferred', callId: 'call', at: at(6), to: 'second' }
  const link = { transfer_id: 'second', transfer_to: '1001' }
  const steps = stepsOf(answered, [transferred, ended(7)], () => link)
  expect(steps.map(({ call }) => call.transfer_id)).toEqual(['second', undefined])
  expect(statuses(answered, [transferred])).toEqual([])
})
