/** Refunds and chargebacks: histories in which one was booked wrongly. */
import { expect, test } from 'vitest'
import { type Entry, entriesOf, type History } from './history.ts'
import { add, type Change, first, last, violationsAfter } from './testing/break-history.ts'

const refundOf = (history: History) =>
  first(entriesOf(history, 'payment').filter(({ state }) => state === 'refunded'))
const credit: Entry = {
  kind: 'credit',
  at: 30,
  account: 'aurora',
  key: 'gift',
  amount: 200,
  status: 200,
}
/** At the end of the statement, with the balance that follows. */
function enter(history: History, amount: number) {
  const entries = statementOf(history)
  const { balance } = last(entries)
  entries.push({ id: 6, kind: 'adjustment', amount, balance: balance + amount, reference: 'manual:gift' })
  Object.assign(first(entriesOf(history, 'balance')), { balance: balance + amount })
}

const statementOf = (history: History) => last(entriesOf(history, 'statement')).entries

test.each<[string, string, Change]>([
  [
    'a refund in part that is not booked',
    'charge 7 of aurora: -100 went back, 0 is booked',
    (history) => add(history, { ...refundOf(history), amount: 100, payment: 'pay_1', status: 'RECEIVED' }),
  ],
  [
    'a refund that is booked for another charge',
    'charge 6 of aurora: -600 went back, 0 is booked',
    (history) => Object.assign(last(statementOf(history).slice(0, 4)), { reference: 'refund:7:600' }),
  ],
  [
    'a refund that is booked twice',
    'charge 6 of aurora: -600 went back, -1200 is booked',
    (history) =>
      statementOf(history).push({
        id: 6,
        kind: 'refund',
        amount: -600,
        balance: 888,
        reference: 'refund:6:600',
      }),
  ],
  [
    'a lost chargeback that is not booked',
    'charge 7 of aurora: -1000 went back, 0 is booked',
    (history) => {
      const lost = { ...refundOf(history), amount: 1_000, payment: 'pay_1' }
      add(history, { ...lost, state: 'moved', status: 'CHARGEBACK_REQUESTED' }, lost)
    },
  ],
  [
    'a charge that does not follow a chargeback that was won',
    'charge 7 of aurora is AWAITING_CHARGEBACK_REVERSAL, its payment at the gateway RECEIVED',
    (_, { charges }) => Object.assign(first(charges), { status: 'AWAITING_CHARGEBACK_REVERSAL' }),
  ],
  [
    'a payment that is credited to another charge',
    'charge 7 of aurora: 1000 was paid, 0 credited',
    (history) => Object.assign(first(statementOf(history).slice(2)), { reference: 'charge:9' }),
  ],
  [
    'a call that takes more than was there before the refund',
    'aurora: entry 5 of a call leaves -612',
    (history) => {
      for (const entry of statementOf(history)) entry.balance -= 2_100
    },
  ],
  [
    'credit below what refunds explain',
    'aurora had -601 available at 199100',
    (history) => Object.assign(first(entriesOf(history, 'balance')), { available: -601 }),
  ],
  [
    'credit that was acknowledged and is not entered',
    'aurora: gift over 200 is entered as []',
    (history) => add(history, credit),
  ],
  [
    'credit that is entered with another amount',
    'aurora: gift over 200 is entered as [{"id":6,"kind":"adjustment","amount":300,"balance":1788,"reference":"manual:gift"}]',
    (history) => {
      add(history, credit)
      enter(history, 300)
    },
  ],
  [
    'credit that nobody ordered',
    'aurora was given manual:gift, which nobody ordered',
    (history) => enter(history, 200),
  ],
  [
    'a refund that was acknowledged and is unknown to the gateway',
    'charge 7 of aurora was to be refunded, and is RECEIVED',
    (history) => add(history, { kind: 'refund', at: 30, account: 'aurora', charge: 7, status: 200 }),
  ],
])('%s is found', (_, text, change) => {
  expect(violationsAfter(change)).toContainEqual({ check: 'money', text })
})

test('D34: a refund of credit that calls have used leaves a balance below zero, and is no violation', () => {
  const found = violationsAfter((history, { charges }) => {
    Object.assign(first(charges), { status: 'REFUNDED' })
    add(history, { ...refundOf(history), at: 6, amount: 1_000, payment: 'pay_1' })
    const entries = statementOf(history)
    Object.assign(first(entries), { amount: 5 })
    for (const entry of entries) entry.balance -= 495
    Object.assign(last(entries), { id: 6, balance: -7 })
    entries.splice(4, 0, { id: 5, kind: 'refund', amount: -1_000, balance: 5, reference: 'refund:7:1000' })
    Object.assign(first(entriesOf(history, 'balance')), { balance: -7, available: -7 })
  })
  expect(found).toEqual([])
})

test('credit that the operator gave, in two attempts with one key, is no violation', () => {
  const found = violationsAfter((history) => {
    add(history, { ...credit, status: 0 }, credit)
    enter(history, 200)
  })
  expect(found).toEqual([])
})
