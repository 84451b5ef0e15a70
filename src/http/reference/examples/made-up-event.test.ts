import Schema from 'typebox/schema'
import { expect, test } from 'vitest'
import { type EventType, webhookTypes } from '../../../contract/webhooks/events.ts'
import { webhookPayloads } from '../../../contract/webhooks/webhook-payloads.ts'
import { makeUpEvent } from './made-up-event.ts'

const now = new Date('2026-11-15T12:31:00.000Z')

test.each<EventType>([...webhookTypes, 'test'])(
  '%s is valid by its schema, and has no field besides',
  (type) => {
    const event = makeUpEvent(type, now, undefined)
    const [, errors] = Schema.Errors(webhookPayloads[type], event)
    expect(errors).toEqual([])
    expect(event.eventType).toBe(type)
    const known = Object.keys(webhookPayloads[type].properties)
    expect(Object.keys(event).filter((name) => !known.includes(name))).toEqual([])
  },
)

test('a call rang, was answered and ended, as far as the event is', () => {
  const times = (type: EventType) => {
    const { startedAt, answeredAt, endedAt } = makeUpEvent(type, now, undefined)
    return [startedAt, answeredAt, endedAt]
  }
  expect(times('channel-ringing')).toEqual(['2026-11-15 09:30:00', '', undefined])
  expect(times('channel-answer')).toEqual(['2026-11-15 09:30:00', '2026-11-15 09:30:09', undefined])
  expect(times('channel-hangup')).toEqual([
    '2026-11-15 09:30:00',
    '2026-11-15 09:30:09',
    '2026-11-15 09:31:00',
  ])
})

test('only a refunded charge has a time of its refund, and a lost recording has no link', () => {
  expect(makeUpEvent('charge-paid', now, undefined).refundedAt).toBeNull()
  expect(makeUpEvent('charge-refunded', now, undefined).refundedAt).toBe(now.toISOString())
  expect(makeUpEvent('recording-lost', now, undefined).recordUrl).toBe('')
})

test('a link to a recording is that of the call', () => {
  const { id, recordUrl } = makeUpEvent('channel-hangup', now, undefined)
  expect(recordUrl).toContain(`/calls/${id}/recording?`)
})

test('each has an id of its own', () => {
  expect(makeUpEvent('test', now, undefined).id).not.toBe(makeUpEvent('test', now, undefined).id)
})
