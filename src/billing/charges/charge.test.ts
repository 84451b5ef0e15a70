import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Refusal } from '../../contract/errors.ts'
import { type ChargeStatus, chargeStatuses } from '../../contract/money/charges.ts'
import {
  dateIn,
  isCancellable,
  isPaid,
  lacksCode,
  mayMove,
  nextPoll,
  readChargeRequest,
  shortestPath,
} from './charge.ts'

const open: ChargeStatus[] = ['PENDING', 'AWAITING_RISK_ANALYSIS', 'AUTHORIZED', 'OVERDUE']
const status = fc.constantFrom(...chargeStatuses)

describe('the states of a charge (D31)', () => {
  test('once paid, no path leads back to an open charge, nor to a cancelled one', () => {
    for (const paid of chargeStatuses.filter(isPaid)) {
      for (const to of [...open, 'CANCELLED'] as const)
        expect(shortestPath(paid, to), `${paid} to ${to}`).toBeUndefined()
    }
  })

  test('nothing leads away from REFUNDED, and everything else leads somewhere', () => {
    for (const from of chargeStatuses) {
      const leads = chargeStatuses.some((to) => mayMove(from, to))
      expect(leads, from).toBe(from !== 'REFUNDED')
    }
  })

  test('a refunded charge was paid before', () => {
    fc.assert(
      fc.property(fc.array(status), (statuses) => {
        let [at, paid]: [ChargeStatus, boolean] = ['PENDING', false]
        for (const to of statuses) {
          if (!mayMove(at, to)) continue
          at = to
          paid ||= isPaid(to)
        }
        if (!open.includes(at) && at !== 'CANCELLED') expect(paid).toBe(true)
      }),
    )
  })

  test('the shortest path is made of allowed moves', () => {
    fc.assert(
      fc.property(status, status, (from, to) => {
        const path = shortestPath(from, to)
        if (!path) return
        for (const [index, next] of path.entries()) expect(mayMove(path[index - 1] ?? from, next)).toBe(true)
        expect(path.at(-1) ?? from).toBe(to)
      }),
    )
  })

  test.each([
    ['a payment that is received at once', 'PENDING', ['RECEIVED']],
    ['a payment by card', 'PENDING', ['CONFIRMED', 'RECEIVED']],
    ['a payment whose risk is examined', 'PENDING', ['AWAITING_RISK_ANALYSIS', 'CONFIRMED']],
    ['a risk that is too high', 'AWAITING_RISK_ANALYSIS', ['PENDING']],
    ['a risk analysis that ends with the money', 'AWAITING_RISK_ANALYSIS', ['RECEIVED']],
    ['a charge given up during its analysis', 'AWAITING_RISK_ANALYSIS', ['CANCELLED']],
    ['a card that is authorized first', 'PENDING', ['AUTHORIZED', 'CONFIRMED']],
    ['an authorized payment that is received', 'AUTHORIZED', ['RECEIVED']],
    ['an authorization that is given back', 'AUTHORIZED', ['PENDING', 'OVERDUE']],
    ['an authorization that is cancelled', 'AUTHORIZED', ['CANCELLED']],
    ['a charge that is paid late', 'PENDING', ['OVERDUE', 'RECEIVED']],
    ['a charge that is confirmed late', 'OVERDUE', ['CONFIRMED']],
    ['a due date that is put off', 'OVERDUE', ['PENDING']],
    ['a charge that nobody pays', 'PENDING', ['OVERDUE', 'CANCELLED']],
    ['a charge that is cancelled', 'PENDING', ['CANCELLED']],
    ['a cancelled charge that is confirmed all the same (D33)', 'CANCELLED', ['CONFIRMED']],
    ['a cancelled charge that is received all the same (D33)', 'CANCELLED', ['RECEIVED']],
    ['a refund', 'RECEIVED', ['REFUND_REQUESTED', 'REFUND_IN_PROGRESS', 'REFUNDED']],
    ['a refund that is done at once', 'CONFIRMED', ['REFUNDED']],
    ['a refund without a second step', 'CONFIRMED', ['REFUND_REQUESTED', 'REFUNDED']],
    ['a refund that begins with its second step', 'CONFIRMED', ['REFUND_IN_PROGRESS']],
    ['a refund that is withdrawn', 'REFUND_REQUESTED', ['RECEIVED']],
    ['a refund in progress that fails', 'REFUND_IN_PROGRESS', ['RECEIVED']],
    ['a chargeback that is lost', 'CONFIRMED', ['CHARGEBACK_REQUESTED', 'CHARGEBACK_DISPUTE', 'REFUNDED']],
    ['a chargeback that is not disputed', 'RECEIVED', ['CHARGEBACK_REQUESTED', 'REFUNDED']],
    ['a chargeback that is won', 'CHARGEBACK_DISPUTE', ['AWAITING_CHARGEBACK_REVERSAL', 'CONFIRMED']],
    ['a chargeback that is won, and received', 'AWAITING_CHARGEBACK_REVERSAL', ['RECEIVED']],
  ] as [string, ChargeStatus, ChargeStatus[]][])('%s is followed, from %s to %j', (_, from, statuses) => {
    for (const [index, to] of statuses.entries())
      expect(mayMove(statuses[index - 1] ?? from, to), to).toBe(true)
  })

  test.each([
    ['PENDING', 'PENDING', []],
    ['PENDING', 'REFUNDED', ['CONFIRMED', 'REFUNDED']],
    ['OVERDUE', 'REFUND_IN_PROGRESS', ['CONFIRMED', 'REFUND_IN_PROGRESS']],
    ['RECEIVED', 'CHARGEBACK_DISPUTE', ['CHARGEBACK_REQUESTED', 'CHARGEBACK_DISPUTE']],
    ['CHARGEBACK_REQUESTED', 'RECEIVED', ['CHARGEBACK_DISPUTE', 'AWAITING_CHARGEBACK_REVERSAL', 'RECEIVED']],
    ['CONFIRMED', 'PENDING', undefined],
  ] as [ChargeStatus, ChargeStatus, ChargeStatus[] | undefined][])(
    'the fewest moves from %s to %s are %j',
    (from, to, path) => {
      expect(shortestPath(from, to)).toEqual(path)
    },
  )

  test('only what is pending or overdue can be cancelled (D33)', () => {
    expect(chargeStatuses.filter(isCancellable)).toEqual(['PENDING', 'OVERDUE'])
  })
})

describe('a due date (D35)', () => {
  const takes = (dueDate: string, now: string) => {
    try {
      return readChargeRequest(
        { method: 'PIX', amount: 100, description: '', dueDate },
        new Date(now),
      ).dueAt.toISOString()
    } catch (error) {
      if (error instanceof Refusal) return 'refused'
      throw error
    }
  }

  test.each([
    // A minute before and at midnight in Brazil, which is three hours behind.
    ['2026-11-16', '2026-11-16T02:59:59.999Z', '2026-11-16T03:00:00.000Z'],
    ['2026-11-16', '2026-11-16T03:00:00.000Z', 'refused'],
    ['2026-11-22', '2026-11-16T02:59:59.999Z', '2026-11-22T03:00:00.000Z'],
    ['2026-11-23', '2026-11-16T02:59:59.999Z', 'refused'],
    ['2026-11-23', '2026-11-16T03:00:00.000Z', '2026-11-23T03:00:00.000Z'],
    // Ends of months and years, and a leap day.
    ['2027-01-01', '2026-12-31T12:00:00Z', '2027-01-01T03:00:00.000Z'],
    ['2027-01-07', '2026-12-31T12:00:00Z', '2027-01-07T03:00:00.000Z'],
    ['2027-01-08', '2026-12-31T12:00:00Z', 'refused'],
    ['2027-02-29', '2027-02-25T12:00:00Z', 'refused'],
    ['2028-02-29', '2028-02-25T12:00:00Z', '2028-02-29T03:00:00.000Z'],
    ['2026-11-31', '2026-11-25T12:00:00Z', 'refused'],
    ['2026-11-1', '2026-10-31T12:00:00Z', 'refused'],
    // In 2018 the clocks of Brazil jumped over midnight: that day began at one.
    ['2018-11-04', '2018-11-01T12:00:00Z', '2018-11-04T03:00:00.000Z'],
  ])('%s asked at %s is %s', (dueDate, now, expected) => {
    expect(takes(dueDate, now)).toBe(expected)
  })

  test('is sent to the gateway as the date in Brazil', () => {
    expect(dateIn(new Date('2026-11-16T02:59:59Z'))).toBe('2026-11-15')
    expect(dateIn(new Date('2026-11-16T03:00:00Z'))).toBe('2026-11-16')
  })
})

describe('the terms of a charge', () => {
  const now = new Date('2026-11-15T12:00:00Z')
  const request = { method: 'PIX' as const, amount: 100, description: 'Credit', dueDate: '2026-11-16' }
  const problemsOf = (change: object) => {
    try {
      readChargeRequest({ ...request, ...change }, now)
      return []
    } catch (error) {
      if (error instanceof Refusal) return Object.keys(Object(error.details?.en).codes)
      throw error
    }
  }

  test('are whole centavos, a description without spaces around it, and its metadata', () => {
    const terms = { ...request, amount: 5.01, description: ' Credit of May ', metadata: { order: 7 } }
    expect(readChargeRequest(terms, now)).toEqual({
      method: 'PIX',
      dueAt: new Date('2026-11-16T03:00:00Z'),
      amount: 501,
      description: 'Credit of May',
      metadata: { order: 7 },
    })
    expect(readChargeRequest(request, now).metadata).toEqual({})
  })

  test.each([5, 50_000, 10.001, 0, -10])('have no amount of %s (D35)', (amount) => {
    expect(problemsOf({ amount })).toEqual(['amount'])
  })

  test.each([5.01, 49_999.99])('may have an amount of %s (D35)', (amount) => {
    expect(problemsOf({ amount })).toEqual([])
  })

  test('are refused with all their problems at once', () => {
    const deep = { a: { b: { c: { d: { e: { f: { g: { h: { i: { j: { k: 1 } } } } } } } } } } }
    const wrong = { amount: 1, dueDate: '2026-11-15', metadata: { deep, long: 'x'.repeat(100_000) } }
    expect(problemsOf(wrong).sort()).toEqual(['amount', 'dueDate', 'metadata'])
    expect(problemsOf({ metadata: wrong.metadata })).toEqual(['metadata'])
  })
})

test('a payer lacks the code of a charge by PIX or bank slip that is still to be paid (D152)', () => {
  const charge = {
    status: 'PENDING' as ChargeStatus,
    payment_method: 'PIX' as const,
    payment_code: null,
    pix_code: null,
  }
  const [boleto, card] = ['BOLETO' as const, 'CREDIT_CARD' as const]
  for (const one of chargeStatuses)
    expect(lacksCode({ ...charge, status: one }), one).toBe(one === 'PENDING' || one === 'OVERDUE')
  expect(lacksCode({ ...charge, pix_code: '000201' })).toBe(false)
  expect(lacksCode({ ...charge, payment_code: '46191' })).toBe(true)
  expect(lacksCode({ ...charge, payment_method: boleto })).toBe(true)
  expect(lacksCode({ ...charge, payment_method: boleto, payment_code: '46191' })).toBe(false)
  expect(lacksCode({ ...charge, payment_method: boleto, pix_code: '000201' })).toBe(true)
  expect(lacksCode({ ...charge, payment_method: card })).toBe(false)
})

describe('a gateway is polled about a charge', () => {
  const since = new Date('2026-11-15T12:00:00Z')

  test.each([
    ['PENDING', '2026-11-15T12:10Z', '2026-12-15T12:00Z'],
    ['AWAITING_RISK_ANALYSIS', '2026-11-15T12:10Z', '2026-12-15T12:00Z'],
    ['AUTHORIZED', '2026-11-15T12:10Z', '2026-12-15T12:00Z'],
    ['OVERDUE', '2026-11-15T18:00Z', '2027-02-13T12:00Z'],
    ['CONFIRMED', '2026-11-16T00:00Z', '2027-02-13T12:00Z'],
    ['RECEIVED', '2026-11-16T12:00Z', '2026-11-22T12:00Z'],
    ['CANCELLED', '2026-11-16T00:00Z', '2026-11-18T12:00Z'],
    ['REFUND_REQUESTED', '2026-11-15T18:00Z', '2027-05-14T12:00Z'],
    ['REFUND_IN_PROGRESS', '2026-11-15T18:00Z', '2027-05-14T12:00Z'],
    ['CHARGEBACK_REQUESTED', '2026-11-15T18:00Z', '2027-05-14T12:00Z'],
    ['CHARGEBACK_DISPUTE', '2026-11-15T18:00Z', '2027-05-14T12:00Z'],
    ['AWAITING_CHARGEBACK_REVERSAL', '2026-11-15T18:00Z', '2027-05-14T12:00Z'],
  ] as [ChargeStatus, string, string][])('that is %s since 12:00, at %s and until %s', (one, next, last) => {
    expect(nextPoll(one, since, since)).toEqual(new Date(next))
    const end = new Date(last).getTime()
    expect(nextPoll(one, since, new Date(end))).not.toBeNull()
    expect(nextPoll(one, since, new Date(end + 1))).toBeNull()
  })

  test('that is REFUNDED never', () => {
    expect(nextPoll('REFUNDED', since, since)).toBeNull()
  })
})
