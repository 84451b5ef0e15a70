import { expect, test } from 'vitest'
import { fingerprintOf, linesOf } from './plan-lines.ts'
import { planChanges, type SheetRate, type StoredRate } from './rate-changes.ts'

const now = new Date('2026-11-18T12:00:00Z')
const later = new Date('2026-12-01T00:00:00Z')
const terms = { name: 'x', minutePrice: 1000, firstBlock: 30, step: 6, grace: 3 }
const stored = (id: number, prefix: string, from = new Date(0)): StoredRate => ({
  id,
  accountId: null,
  domain: '',
  prefix,
  ...terms,
  from,
  until: null,
})
const line = (number: number, prefix: string, more: Partial<SheetRate> = {}): SheetRate => ({
  domain: '',
  prefix,
  ...terms,
  from: undefined,
  until: undefined,
  line: number,
  ...more,
})
const known = [stored(1, '1'), stored(2, '2'), stored(3, '3'), stored(4, '4', later)]

test('a plan is read as rates that are new, changed and gone', () => {
  const sheet = [
    line(2, '5'),
    line(3, '2', { minutePrice: 900 }),
    line(4, '3', { until: later }),
    line(5, '4', { from: later, minutePrice: 700 }),
  ]
  const lines = linesOf(planChanges(known, sheet, now, true), now)
  expect(
    lines.map(({ kind, before, after }) => [
      kind,
      (after ?? before)?.prefix,
      before?.minutePrice,
      after?.minutePrice,
    ]),
  ).toEqual([
    ['gone', '1', 1000, undefined],
    ['changed', '2', 1000, 900],
    ['changed', '3', 1000, 1000],
    ['changed', '4', 1000, 700],
    ['new', '5', undefined, 1000],
  ])
  expect(lines[2]?.after?.until).toEqual(later)
})

test('the fingerprint of a plan is the same a minute later, and another one if a rate or a price differs', () => {
  const sheet = [line(2, '2', { minutePrice: 900 })]
  const at = (time: Date, rates = known, given = sheet) =>
    fingerprintOf(planChanges(rates, given, time, false), time)
  const first = at(now)
  expect(at(new Date(now.getTime() + 60_000))).toBe(first)
  expect(at(now, [stored(7, '2')])).not.toBe(first)
  expect(at(now, known, [line(2, '2', { minutePrice: 901 })])).not.toBe(first)
  expect(at(now, known, [line(2, '2', { minutePrice: 900, from: later })])).not.toBe(first)
})

test('the fingerprint of a plan covers when rates begin and end, and which of the future are dropped', () => {
  const of = (sheet: SheetRate[], rates = known, replace = false) =>
    fingerprintOf(planChanges(rates, sheet, now, replace), now)
  const sooner = new Date(later.getTime() - 86_400_000)
  const changed = (more: Partial<SheetRate>) => of([line(2, '2', { minutePrice: 900, ...more })])
  const different = [
    changed({ from: later }),
    changed({ from: sooner }),
    changed({ until: later }),
    changed({ until: sooner }),
    of([line(2, '9')], [stored(4, '4', later)], true),
    of([line(2, '9')], [stored(5, '4', later)], true),
  ]
  expect(new Set(different).size).toBe(different.length)
})

test('the lines of a plan are in the order of decks and prefixes, whatever the order of the sheet', () => {
  const prefixes = ['9', '5', '81', '7', '8', '6', '50']
  const sheet = prefixes.map((prefix, index) => line(index + 2, prefix))
  const lines = linesOf(planChanges([], sheet, now, false), now)
  expect(lines.map(({ after }) => after?.prefix)).toEqual(prefixes.toSorted())
})
