import { describe, expect, test } from 'vitest'
import { describeProblem, planChanges, type SheetRate, type StoredRate } from './rate-changes.ts'

const now = new Date('2026-11-15T12:00:00Z')
const days = (count: number) => new Date(now.getTime() + count * 86_400_000)
const terms = { prefix: '55', name: 'Brazil', minutePrice: 1000, firstBlock: 30, step: 6, grace: 3 }
const begun: StoredRate = { ...terms, id: 1, accountId: null, domain: '', from: days(-30), until: null }
const future: StoredRate = { ...begun, id: 2, from: days(10), minutePrice: 1500 }
const named = (change: Partial<SheetRate> = {}): SheetRate => ({
  ...terms,
  domain: '',
  from: undefined,
  until: undefined,
  line: 2,
  ...change,
})
const plan = (stored: StoredRate[], sheet: SheetRate[], replace = false) => {
  const { added, ended, dropped, unchanged, problems } = planChanges(stored, sheet, now, replace)
  return {
    ...(added.length > 0 && {
      added: added.map(({ minutePrice, from, until }) => [minutePrice, from, until]),
    }),
    ...(ended.length > 0 && { ended: ended.map(({ rate, until }) => [rate.id, until]) }),
    ...(dropped.length > 0 && { dropped: dropped.map(({ id }) => id) }),
    ...(unchanged > 0 && { unchanged }),
    ...(problems.length > 0 && { problems: problems.map((one) => describeProblem(one, 'en')) }),
  }
}

describe('a line of an import', () => {
  test('that names no rate we have begins a new one', () => {
    expect(plan([], [named()])).toEqual({ added: [[1000, now, null]] })
    expect(plan([{ ...begun, prefix: '56' }], [named()])).toEqual({ added: [[1000, now, null]] })
    expect(plan([begun], [named({ domain: 'a.example' })])).toEqual({ added: [[1000, now, null]] })
    expect(plan([begun], [named({ from: days(5), until: days(6) })])).toEqual({
      added: [[1000, days(5), days(6)]],
    })
  })

  test('that says what holds changes nothing', () => {
    expect(plan([begun, future], [named()])).toEqual({ unchanged: 1 })
    expect(plan([begun, future], [named({ from: begun.from })])).toEqual({ unchanged: 1 })
    const ending = { ...begun, until: days(3) }
    expect(plan([ending], [named({ until: days(3) })])).toEqual({ unchanged: 1 })
  })

  test.each([
    ['name', { name: 'Brasil' }],
    ['price', { minutePrice: 999 }],
    ['first block', { firstBlock: 60 }],
    ['step', { step: 30 }],
    ['grace', { grace: 0 }],
  ])('with another %s ends the rate in force, and another begins', (_, change) => {
    expect(plan([begun], [named(change)])).toMatchObject({
      ended: [[1, now]],
      added: [[expect.any(Number), now, null]],
    })
  })

  test('with another end alone moves the end, or takes it away', () => {
    expect(plan([begun], [named({ until: days(3) })])).toEqual({ ended: [[1, days(3)]] })
    expect(plan([{ ...begun, until: days(3) }], [named()])).toEqual({ ended: [[1, null]] })
  })

  test('that changes a rate before it begins, or as it begins, replaces it', () => {
    expect(plan([begun, future], [named({ from: days(10), minutePrice: 1600, until: days(20) })])).toEqual({
      dropped: [2],
      added: [[1600, days(10), days(20)]],
    })
    expect(plan([{ ...begun, from: now }], [named({ minutePrice: 900 })])).toEqual({
      dropped: [1],
      added: [[900, now, null]],
    })
  })

  test('may name the present moment as its beginning', () => {
    expect(plan([], [named({ from: now })])).toEqual({ added: [[1000, now, null]] })
  })

  test.each([
    ['ends before it begins', [], { from: days(2), until: days(1) }],
    ['ends before it begins', [], { from: days(2), until: days(2) }],
    ['ends before it begins', [], { until: now }],
    ['begins in the past: leave valid_from empty to begin now', [], { from: days(-1) }],
    ['ends in the past', [begun], { from: begun.from, until: days(-1) }],
    ['ends in the past', [begun], { from: begun.from, until: now }],
    [
      'has begun, and is kept as it is: leave valid_from empty to change it from now on',
      [begun],
      { from: begun.from, minutePrice: 1 },
    ],
  ])('is refused if it %s', (problem, stored, change) => {
    expect(plan(stored, [named(change)])).toEqual({ problems: [`line 2 (55): ${problem}`] })
  })

  test('is refused if an earlier line is the same rate', () => {
    const lines = [named(), named({ line: 3 }), named({ line: 4, from: days(1) }), named({ line: 5 })]
    expect(plan([], lines)).toEqual({
      added: [
        [1000, now, null],
        [1000, days(1), null],
      ],
      problems: ['line 3 (55): is the same rate as line 2', 'line 5 (55): is the same rate as line 2'],
    })
  })
})

describe('an import that replaces', () => {
  const other: StoredRate = { ...begun, id: 3, prefix: '1' }
  const foreign: StoredRate = { ...begun, id: 4, domain: 'a.example', accountId: 9 }

  test('ends what it does not name and drops what has not begun, in the decks that it names', () => {
    const stored = [begun, future, other, { ...other, id: 5, prefix: '2', from: now }, foreign]
    expect(plan(stored, [named()], true)).toEqual({ unchanged: 1, dropped: [2, 5], ended: [[3, now]] })
    expect(plan(stored, [named()])).toEqual({ unchanged: 1 })
  })
})

describe('a problem', () => {
  const message = { en: 'is wrong', pt: 'está errada' }
  test('is described in one sentence, with its line and prefix if it has them', () => {
    expect(describeProblem({ line: 3, prefix: '55', message }, 'pt')).toBe('linha 3 (55): está errada')
    expect(describeProblem({ line: 3, message }, 'en')).toBe('line 3: is wrong')
    expect(describeProblem({ line: undefined, message }, 'en')).toBe('is wrong')
  })
})
