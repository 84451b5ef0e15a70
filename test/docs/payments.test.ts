/** docs/payments.md: what it says of Asaas is what the service does. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { nextPoll } from '../../src/billing/charges/charge.ts'
import type { ChargeStatus } from '../../src/contract/money/charges.ts'
import { readEvent } from '../../src/payments/asaas/wire.ts'

const guide = readFileSync(new URL('../../docs/payments.md', import.meta.url), 'utf8').replaceAll('\n', ' ')

const day = 86_400_000
const since = new Date('2026-11-16T12:00:00Z')

test.each<[ChargeStatus, string, { minutes: number; days?: number }]>([
  ['PENDING', 'not paid every 10 minutes for 30 days', { minutes: 10, days: 30 }],
  ['OVERDUE', 'an overdue one every 6 hours for 90 days', { minutes: 360, days: 90 }],
  ['CONFIRMED', 'a confirmed one every 12 hours', { minutes: 720 }],
  ['CHARGEBACK_DISPUTE', 'about refunds and charge-backs every 6 hours', { minutes: 360 }],
  ['REFUND_REQUESTED', 'about refunds and charge-backs every 6 hours', { minutes: 360 }],
])('a charge that is %s is asked about as the guide says: %s', (status, sentence, { minutes, days }) => {
  expect(guide).toContain(sentence)
  expect(nextPoll(status, since, since)?.getTime()).toBe(since.getTime() + minutes * 60_000)
  if (days === undefined) return
  expect(nextPoll(status, since, new Date(since.getTime() + days * day))).not.toBeNull()
  expect(nextPoll(status, since, new Date(since.getTime() + days * day + 1000))).toBeNull()
})

test('every event that the guide names is read', () => {
  const named = new Set(guide.match(/\bPAYMENT_(?!GATEWAY)[A-Z_]+/g))
  expect(named.size).toBeGreaterThan(10)
  const payment = { id: 'pay_1', status: 'PENDING', value: 10, dueDate: '2026-11-20', externalReference: 'x' }
  for (const event of named)
    expect(readEvent(JSON.stringify({ id: 'evt_1', event, payment })), event).toHaveProperty('event')
})
