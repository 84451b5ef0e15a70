import { describe, expect, test } from 'vitest'
import { type DeckRate, findRate, toDecks } from './decks.ts'

const at = new Date('2026-11-15T12:00:00Z').getTime()
const rate = (prefix: string, accountId: number | null, change: Partial<DeckRate> = {}): DeckRate => ({
  accountId,
  prefix,
  name: `${accountId ?? 'all'} ${prefix}`,
  minutePrice: 1000,
  firstBlock: 30,
  step: 6,
  grace: 3,
  from: new Date(at - 1000),
  until: null,
  ...change,
})
const nameOf = (rates: DeckRate[], accountId: number | null, number = '5548') =>
  findRate(toDecks(rates), accountId, number, at)?.name

describe('the rate of a number', () => {
  test("is that of the account's own deck first, whatever the length of the prefix", () => {
    const rates = [rate('5548', null), rate('55', 7), rate('554', 8)]
    expect([nameOf(rates, 7), nameOf(rates, 9), nameOf(rates, null)]).toEqual([
      '7 55',
      'all 5548',
      'all 5548',
    ])
  })

  test('is that of the default deck where the own deck has none', () => {
    expect(nameOf([rate('1', 7), rate('55', null)], 7)).toBe('all 55')
    expect(nameOf([rate('55', 7, { until: new Date(at) }), rate('5', null)], 7)).toBe('all 5')
    expect(nameOf([rate('55', 7)], 9)).toBeUndefined()
  })
})
