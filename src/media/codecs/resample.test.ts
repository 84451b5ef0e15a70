import fc from 'fast-check'
import { expect, test } from 'vitest'
import { resample } from './resample.ts'

const rates = fc.constantFrom(8000, 16_000, 24_000, 48_000)

test('the duration stays the same, and a constant stays constant', () => {
  fc.assert(
    fc.property(fc.integer({ min: -32_768, max: 32_767 }), rates, rates, (value, from, to) => {
      const output = new Int16Array(5760)
      const count = resample(new Int16Array(from / 50).fill(value), from / 50, from, output, to)
      expect(count).toBe(to / 50)
      expect(new Set(output.subarray(0, count))).toEqual(new Set([value]))
    }),
  )
})

test('samples after the last one of the packet are not read', () => {
  const output = new Int16Array(4)
  expect(resample(Int16Array.of(10, 20, 9999), 2, 8000, output, 16_000)).toBe(4)
  expect([...output]).toEqual([10, 15, 20, 20])
})
