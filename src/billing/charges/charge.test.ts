import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Refusal } from '../../contract/errors.ts'
import { type ChargeStatus, chargeStatuses } from '../../contract/money/charges.ts'
import {
  dateIn,
  isCancellable,
  isPaid,
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

test('a gateway is polled while the status may still change, and no longer', () => {
  const since = new Date('2026-11-15T12:00:00Z')
  const later = (days: number) => new Date(since.getTime() + days * 86_400_000)
  expect(nextPoll('PENDING', since, since)).toEqual(new Date('2026-11-15T12:10:00Z'))
  expect(nextPoll('CONFIRMED', since, later(40))).not.toBeNull()
  expect(nextPoll('RECEIVED', since, later(8))).toBeNull()
  expect(nextPoll('REFUNDED', since, since)).toBeNull()
  for (const one of chargeStatuses) expect(nextPoll(one, since, later(365)), one).toBeNull()
})
