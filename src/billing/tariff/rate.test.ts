import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { billedSeconds, defaultBlocks, explain, longestFor, priceOf, type Rate, secondsFor } from './rate.ts'

const rate: Rate = { prefix: '5548', name: 'Brazil fixed', minutePrice: 1000, ...defaultBlocks }

const rates = fc
  .record({
    minutePrice: fc.integer({ min: 1, max: 200_000 }),
    step: fc.integer({ min: 1, max: 60 }),
    steps: fc.integer({ min: 1, max: 30 }),
    grace: fc.integer({ min: 0, max: 10 }),
  })
  .map(({ steps, step, ...rest }): Rate => ({ ...rate, ...rest, step, firstBlock: step * steps }))
  .filter(({ grace, firstBlock }) => grace < firstBlock)

describe('the price of a call (D40)', () => {
  test.each([
    [0, 0],
    [3, 0],
    [4, 30],
    [30, 30],
    [31, 36],
    [36, 36],
    [37, 42],
    [60, 60],
    [61, 66],
  ])('%d s are billed as %d s', (seconds, billed) => {
    expect(billedSeconds(rate, seconds)).toBe(billed)
  })

  test.each([
    [1000, 4, 5],
    [1000, 61, 11],
    [1200, 51, 11],
    [50, 60, 1],
    [49, 60, 0],
    [150, 60, 2],
    [0, 3600, 0],
  ])('at %d ten-thousandths a minute %d s cost %d centavos, half up', (minutePrice, seconds, price) => {
    expect(priceOf({ ...rate, minutePrice }, seconds)).toBe(price)
  })

  test('is exact where floating point would not be', () => {
    fc.assert(
      fc.property(rates, fc.integer({ min: 0, max: 86_400 }), (some, seconds) => {
        const exact = (BigInt(some.minutePrice) * BigInt(billedSeconds(some, seconds)) * 2n + 6000n) / 12_000n
        expect(priceOf(some, seconds)).toBe(Number(exact))
      }),
    )
  })

  test('is explained by its blocks', () => {
    expect(explain(rate, 61, 0)).toEqual({
      prefix: '5548',
      name: 'Brazil fixed',
      seconds: 61,
      billedSeconds: 66,
      blocks: { first: 30, step: 6, steps: 6, grace: 3 },
    })
    expect(explain(rate, 2, 4)).toMatchObject({ billedSeconds: 0, blocks: { steps: 0 }, forgiven: 4 })
  })
})

describe('the talk time that an amount pays for', () => {
  test('is the longest that does not cost more', () => {
    fc.assert(
      fc.property(rates, fc.integer({ min: 0, max: 500 }), (some, amount) => {
        const seconds = secondsFor(some, amount, 600)
        if (seconds > 0) expect(priceOf(some, seconds)).toBeLessThanOrEqual(amount)
        if (seconds === 0) expect(priceOf(some, some.firstBlock)).toBeGreaterThan(amount)
        else if (seconds < Math.min(600, some.firstBlock)) expect.unreachable()
        else if (seconds < 600) expect(priceOf(some, seconds + 1)).toBeGreaterThan(amount)
      }),
    )
  })

  test('is unlimited where the rate is zero', () => {
    expect(secondsFor({ ...rate, minutePrice: 0 }, 0, 14_400)).toBe(14_400)
  })

  test('is at least the first block, and then whole steps, unless the rate is zero', () => {
    const longest = [0, 30, 31, 36, 37].map((seconds) => longestFor(rate, seconds))
    expect(longest).toEqual([30, 30, 36, 36, 42])
    expect(longestFor({ ...rate, minutePrice: 0 }, 31)).toBe(31)
    expect(secondsFor({ ...rate, minutePrice: 100, firstBlock: 60, step: 60 }, 1, 600)).toBe(60)
  })
})
