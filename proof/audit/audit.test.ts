import { expect, test } from 'vitest'
import { audit } from './audit.ts'
import { entriesOf, type FinalState, type History } from './history.ts'
import { add, first, foundBy, last } from './testing/break-history.ts'
import { feedOf, makeGoodHistory } from './testing/good-history.ts'
import type { Check } from './violation.ts'

test('D550: a history in which all held has no violation', () => {
  expect(audit(makeGoodHistory())).toEqual([])
})

test.each([0, 1])('a delivery that has just become due is no violation, after %i attempts', (attempts) => {
  const history = makeGoodHistory()
  const { integrations } = first(entriesOf(history, 'final'))
  Object.assign(last(first(integrations).deliveries), {
    status: 'pending',
    attempts,
    nextAt: 196_000,
    lastError: attempts > 0 ? 'x' : null,
  })
  expect(audit(history)).toEqual([])
})

test('a delivery whose attempt goes on while all is read has no result yet', () => {
  const history = makeGoodHistory()
  const final = first(entriesOf(history, 'final'))
  const delivery = last(first(final.integrations).deliveries)
  Object.assign(delivery, { status: 'pending', attempts: 1, nextAt: 230_000 })
  const sent = entriesOf(history, 'webhook').find(
    ({ subject, type }) => subject === delivery.subject && type === delivery.type,
  )
  Object.assign(sent ?? {}, { at: final.at - 60 })
  expect(audit(history)).toEqual([])
})

test.each<[string, Check, (history: History, aurora: FinalState) => void]>([
  ['a call without an end', 'one end', (_, { calls }) => Object.assign(first(calls), { endedAt: null })],
  ['a call that is listed twice', 'one end', (_, { calls }) => calls.push(first(calls))],
  ['a call without a terminal event', 'one end', (_, { feed }) => feed.splice(3, 1)],
  ['two terminal events', 'one end', (_, { feed }) => feed.push(...feedOf('c2', 20, 'channel-hangup'))],
  [
    'a terminal event of no call',
    'one end',
    (_, { feed }) => feed.push(...feedOf('c9', 20, 'channel-hangup')),
  ],
  [
    'a phone left in a call',
    'one end',
    (history) => first(entriesOf(history, 'phones in calls')).calls.push('c1'),
  ],
  [
    'a call that goes back to an earlier state',
    'states',
    (history) => Object.assign(first(last(entriesOf(history, 'live')).calls), { status: 'ringing' }),
  ],
  [
    'an end that is not final',
    'states',
    (history) => Object.assign(first(last(entriesOf(history, 'live')).calls), { status: 'failed' }),
  ],
  ['an event number that is missing', 'event order', (_, { feed }) => feed.splice(0, 1)],
  [
    'an answer after the hangup',
    'event order',
    (_, { feed }) => {
      Object.assign(first(feed), { type: 'channel-hangup' })
      Object.assign(feed[1] ?? {}, { type: 'channel-answer' })
    },
  ],
  [
    'an answer event of a call that nobody answered',
    'event order',
    (_, aurora) => aurora.feed.splice(3, 1, ...feedOf('c2', 4, 'channel-answer', 'channel-hangup')),
  ],
  [
    'a reader that misses an event',
    'feed without gaps',
    (history) => first(entriesOf(history, 'feed')).events.pop(),
  ],
  [
    'a reader that gets an event again',
    'feed without gaps',
    (history) => {
      const [one, two] = entriesOf(history, 'feed')
      two?.events.unshift(first(one?.events ?? []))
    },
  ],
  [
    'a delivery that the receiver never accepted',
    'webhooks',
    (history) => Object.assign(last(entriesOf(history, 'webhook')), { status: 500 }),
  ],
  ['an event without a delivery', 'webhooks', (_, { integrations }) => first(integrations).deliveries.pop()],
  [
    'a dead delivery without a reason',
    'webhooks',
    (_, { integrations }) => Object.assign(first(first(integrations).deliveries), { status: 'dead' }),
  ],
  [
    'a delivery that is overdue',
    'webhooks',
    (_, { integrations }) =>
      Object.assign(last(first(integrations).deliveries), { status: 'pending', nextAt: 5, lastError: 'x' }),
  ],
  [
    'a delivery that has been due for more than 5 s',
    'webhooks',
    (_, { integrations }) =>
      Object.assign(last(first(integrations).deliveries), {
        status: 'pending',
        nextAt: 194_000,
        lastError: 'x',
      }),
  ],
  [
    'a delivery whose attempt left no result',
    'webhooks',
    (_, { integrations }) =>
      Object.assign(last(first(integrations).deliveries), {
        status: 'pending',
        attempts: 1,
        nextAt: 230_000,
      }),
  ],
  [
    'a delivery that is sent again although it was accepted before',
    'webhooks',
    (history, { at, integrations }) => {
      const delivery = last(first(integrations).deliveries)
      Object.assign(delivery, { status: 'pending', attempts: 2, nextAt: at + 45_000 })
      Object.assign(first(entriesOf(history, 'faults over')), { at: 50_000 })
      const sent = last(entriesOf(history, 'webhook'))
      Object.assign(sent, { at: at - 45_000 })
      add(history, { ...sent, at: at - 60 })
    },
  ],
  [
    'a delivery that waits behind one that is settled',
    'webhooks',
    (_, { integrations }) => Object.assign(last(first(integrations).deliveries), { status: 'pending' }),
  ],
  [
    'a hangup that is sent before the answer',
    'webhooks',
    (history) => Object.assign(first(entriesOf(history, 'webhook')), { at: 90_000 }),
  ],
  [
    'a delivery with another body the second time',
    'webhooks',
    (history) => add(history, { ...first(entriesOf(history, 'webhook')), body: 'other' }),
  ],
  [
    'a webhook with a wrong signature',
    'webhooks',
    (history) => Object.assign(first(entriesOf(history, 'webhook')), { isSigned: false }),
  ],
  [
    'a call that is paid twice',
    'money',
    (history) => {
      const { entries } = last(entriesOf(history, 'statement'))
      entries.push({ ...last(entries), id: 6, balance: 1_476 })
    },
  ],
  [
    'a payment that is not credited',
    'money',
    (history) =>
      add(history, {
        kind: 'payment',
        at: 9,
        account: 'boreal',
        payment: 'pay_2',
        amount: 700,
        state: 'paid',
        status: 'CONFIRMED',
      }),
  ],
  [
    'a charge that stays behind its payment',
    'money',
    (_, { charges }) => Object.assign(first(charges), { status: 'CONFIRMED' }),
  ],
  ['a recording that is there without an event', 'recordings', (_, { feed }) => feed.splice(2, 1)],
  [
    'a balance that does not follow from the one before',
    'money',
    (history) => Object.assign(last(last(entriesOf(history, 'statement')).entries), { balance: 1_487 }),
  ],
  [
    'a balance below zero by a call',
    'money',
    (history) => {
      const { entries } = last(entriesOf(history, 'statement'))
      for (const entry of entries) entry.balance -= 2_110
      Object.assign(first(entries), { amount: 500 - 2_110 })
    },
  ],
  [
    'credit that was below zero for a moment',
    'money',
    (history) => Object.assign(last(entriesOf(history, 'balance')), { available: -1 }),
  ],
  [
    'a price that does not follow the rate',
    'price',
    (_, { calls }) => Object.assign(first(calls), { price: 11 }),
  ],
  [
    'a call that is billed for longer than the talk',
    'price',
    (history) => Object.assign(first(entriesOf(history, 'talk')), { endedAt: 60_000 }),
  ],
  [
    'a call that is billed for less than the talk, though its node was well',
    'price',
    (history) => Object.assign(first(entriesOf(history, 'talk')), { endedAt: 70_000 }),
  ],
  [
    'credit that stays reserved',
    'reservations',
    (history) => Object.assign(first(entriesOf(history, 'balance')), { reserved: 24, available: 1_464 }),
  ],
  ['an acknowledged call that is not there', 'acknowledged writes', (_, { calls }) => calls.splice(1, 1)],
  ['an acknowledged charge that is not there', 'acknowledged writes', (_, { charges }) => charges.shift()],
  [
    'an acknowledged change that is undone',
    'acknowledged writes',
    (_, { extensions }) => Object.assign(first(extensions), { firstName: 'Ana 1' }),
  ],
  [
    'a key with two calls that rang',
    'idempotency',
    (history, { calls }) => {
      Object.assign(last(calls), { key: 'key-c1' })
      add(history, { ...first(entriesOf(history, 'rang')), call: 'c2' })
    },
  ],
  [
    'a key that is answered with two ids',
    'idempotency',
    (history) => add(history, { ...first(entriesOf(history, 'place')), id: 'c2' }),
  ],
  [
    'a key that is answered with a call and with a refusal',
    'idempotency',
    (history) => add(history, { ...first(entriesOf(history, 'place')), status: 424, code: 'CALL_FAILED' }),
  ],
  [
    'a call that goes on after it was hung up',
    'hang-up',
    (history) => add(history, { kind: 'hangup', at: 6_000, account: 'aurora', call: 'c1', status: 200 }),
  ],
  [
    'an acknowledged call that the service cancelled',
    'hang-up',
    (_, { calls }) => Object.assign(last(calls), { cause: 'ORIGINATOR_CANCEL', status: 'cancelled' }),
  ],
  [
    'a call that is given up though all has settled',
    'hang-up',
    (_, { calls }) => Object.assign(last(calls), { startedAt: 165_000, cause: 'RECOVERY_ON_TIMER_EXPIRE' }),
  ],
  [
    'a call that is given up though its node is well',
    'hang-up',
    (_, { calls }) => Object.assign(first(calls), { cause: 'RECOVERY_ON_TIMER_EXPIRE' }),
  ],
  [
    'a refused call that is answered',
    'refusals',
    (history) => Object.assign(first(entriesOf(history, 'place')), { status: 422 }),
  ],
  [
    'a call that rings at an older phone',
    'registrations',
    (history) => Object.assign(first(entriesOf(history, 'rang')), { phone: 'mobile' }),
  ],
  [
    'a registered phone that the API does not know',
    'registrations',
    (_, { extensions }) => Object.assign(first(extensions), { isRegistered: false }),
  ],
  [
    'a recording that cannot be fetched',
    'recordings',
    (_, aurora) => Object.assign(aurora, { recordings: {} }),
  ],
  [
    'a process that is not ready a minute after the faults',
    'settled',
    (history) => Object.assign(first(entriesOf(history, 'ready')), { status: 503, problems: ['database'] }),
  ],
  [
    'a client that sees the hangup and not the payment',
    'cycles',
    (history) => addStatementWithoutPayment(history, 66_400),
  ],
])('%s is found by the check of: %s', (_, check, change) => {
  expect(foundBy(change)).toContain(check)
})

test('a client that asked for the statement before it saw the hangup need not see the payment in it', () => {
  expect(foundBy((history) => addStatementWithoutPayment(history, 65_500))).toEqual([])
})

test('a client that has seen the payment need not see the hangup in a page of the feed that has others behind it', () => {
  const withPage = (more: boolean) => (history: History) => {
    const paid = last(entriesOf(history, 'statement'))
    add(history, { ...paid, reader: 'rui', sentAt: 65_700, at: 65_800 })
    history.entries.sort((a, b) => Number('at' in a && a.at) - Number('at' in b && b.at))
    const [page, next] = entriesOf(history, 'feed')
    Object.assign(page ?? {}, { more, cursor: 1 })
    Object.assign(next ?? {}, { after: 1 })
    next?.events.unshift(...(page?.events.splice(1) ?? []))
  }
  expect(foundBy(withPage(true))).toEqual([])
  expect(foundBy(withPage(false))).toContain('cycles')
})

/** Read after a page of the feed with the end of the call. */
function addStatementWithoutPayment(history: History, sentAt: number) {
  const whole = last(entriesOf(history, 'statement'))
  const early = { ...whole, sentAt, at: 66_500, entries: whole.entries.slice(0, 4) }
  add(history, { ...whole, reader: 'eva' }, early)
  history.entries.sort((a, b) => Number('at' in a && a.at) - Number('at' in b && b.at))
}

test('a recording that is reported as lost is no violation', () => {
  const found = foundBy((_, aurora) => {
    Object.assign(first(aurora.calls), { isRecordingLost: true, hasRecording: false })
    aurora.recordings = {}
  })
  expect(found).toEqual([])
})

test('D501: a call that rang nowhere does not use up its key', () => {
  const found = foundBy((history, { calls }) => {
    const [refused] = entriesOf(history, 'place').slice(1)
    Object.assign(refused ?? {}, { status: 503 })
    Object.assign(last(calls), { key: 'key-c1' })
  })
  expect(found).toEqual([])
})

test('a change that was not answered, or with 503, may have happened; one that was refused may not', () => {
  const foundAfter = (status: number) =>
    foundBy((history, { extensions }) => {
      const change = first(entriesOf(history, 'change'))
      add(history, { ...change, at: 30, sentAt: 29, value: 'Ana 3', status })
      Object.assign(first(extensions), { firstName: 'Ana 3' })
    })
  expect(foundAfter(0)).toEqual([])
  expect(foundAfter(503)).toEqual([])
  expect(foundAfter(422)).toEqual(['acknowledged writes'])
})
