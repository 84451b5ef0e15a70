import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { divideHalfUp, readDecimal, sayMoney, toCentavos, toReais, writeDecimal } from './money.ts'

describe('money', () => {
  test.each([
    [5.01, 501],
    [0.1, 10],
    [49_999.99, 4_999_999],
    [-0.3, -30],
    [-0, 0],
    [10, 1000],
    [1.005, undefined],
    [1e21, undefined],
    [1e-7, undefined],
    [Number.NaN, undefined],
    [Number.POSITIVE_INFINITY, undefined],
  ])('%d reais are %s centavos', (reais, centavos) => {
    expect(toCentavos(reais)).toBe(centavos)
  })

  test('goes out and comes back the same', () => {
    const amounts = fc.integer({ min: -1e12, max: 1e12 })
    fc.assert(fc.property(amounts, (amount) => toCentavos(toReais(amount)) === amount))
    fc.assert(fc.property(amounts, (amount) => readDecimal(writeDecimal(amount, 4), 4) === amount))
  })

  test.each(['', '.5', '5.', '1,5', '1e3', '+1', ' 1', '1.23456'])('%j is no amount', (text) => {
    expect(readDecimal(text, 4)).toBeUndefined()
  })

  test('is said in reais', () => {
    expect([1230, 5, -70].map(sayMoney)).toEqual(['R$ 12.30', 'R$ 0.05', 'R$ -0.70'])
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
