import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  divideHalfUp,
  formatCentavos,
  priceOfSeconds,
  readCentavos,
  readMinutePrice,
  secondsPaidBy,
  toCentavos,
  toReais,
  writeCentavos,
  writeMinutePrice,
} from './money.ts'

describe('money', () => {
  test.each([
    [5.01, 501],
    [0.1, 10],
    [49_999.99, 4_999_999],
    [-0.3, -30],
    [-0, 0],
    [10, 1000],
    [3 * 19.9, 5970],
    [0.1 + 10.2, 1030],
    [1.005, undefined],
    [5.000_000_01, undefined],
    [1e21, undefined],
    [1e-7, undefined],
    [Number.NaN, undefined],
    [Number.POSITIVE_INFINITY, undefined],
  ])('%d reais are %s centavos', (reais, centavos) => {
    expect(toCentavos(reais)).toBe(centavos)
  })

  test('is written and read back the same', () => {
    const amounts = fc.integer({ min: -1e12, max: 1e12 })
    fc.assert(fc.property(amounts, (amount) => toCentavos(toReais(amount)) === amount))
    fc.assert(fc.property(amounts, (amount) => readCentavos(writeCentavos(amount)) === amount))
    fc.assert(fc.property(amounts, (price) => readMinutePrice(writeMinutePrice(price)) === price))
  })

  test.each(['', '.5', '5.', '1,5', '1e3', '+1', ' 1', '1.23456'])('%j is not a minute price', (text) => {
    expect(readMinutePrice(text)).toBeUndefined()
  })

  test('is formatted in reais', () => {
    expect([1230, 5, -70].map(formatCentavos)).toEqual(['R$ 12.30', 'R$ 0.05', 'R$ -0.70'])
  })

  test('pays for the longest talk whose price is not above it', () => {
    const amounts = fc.integer({ min: 0, max: 1e6 })
    const prices = fc.integer({ min: 1, max: 1e5 })
    fc.assert(
      fc.property(amounts, prices, (amount, price) => {
        const seconds = secondsPaidBy(amount, price)
        expect(priceOfSeconds(price, seconds)).toBeLessThanOrEqual(amount)
        expect(priceOfSeconds(price, seconds + 1)).toBeGreaterThan(amount)
      }),
    )
  })

  test('is divided half up, exactly', () => {
    const dividend = fc.bigInt({ min: 0n, max: 2n ** 50n })
    const divisor = fc.bigInt({ min: 1n, max: 10_000n })
    fc.assert(
      fc.property(dividend, divisor, (a, b) => {
        expect(divideHalfUp(Number(a), Number(b))).toBe(Number((2n * a + b) / (2n * b)))
      }),
    )
  })
})
