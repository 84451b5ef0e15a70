import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type EventType, eventTypes, isForAdmins, isOptional, webhookTypes } from './events.ts'
import { webhookPayloads } from './webhook-payloads.ts'

const spec = readFileSync(new URL('../../../docs/spec.md', import.meta.url), 'utf8')

test.each(webhookTypes)('%s is documented in the contract', (type) => {
  expect(spec).toContain(`\`${type}\``)
})

test.each(webhookTypes)('%s has its payload in contract/webhook-payloads.ts', (type) => {
  expect(Object.keys(webhookPayloads)).toContain(type)
})

test('each type has one row', () => {
  expect(new Set(webhookTypes).size).toBe(eventTypes.length)
})

test('only the two types of the contract are sent unlisted; those of the account are for ADMINs (D89, D125)', () => {
  const required = webhookTypes.filter((type) => !isOptional(type))
  expect(required).toEqual(['channel-answer', 'channel-hangup'])
  const forAdmins: EventType[] = ['account-low-balance', 'account-alert', 'charge-paid', 'charge-refunded']
  expect(webhookTypes.filter(isForAdmins)).toEqual(forAdmins)
  expect([isOptional('test'), isForAdmins('test')]).toEqual([false, false])
})
