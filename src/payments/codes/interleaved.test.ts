import { expect, test } from 'vitest'
import { interleavedWidths } from './interleaved.ts'

/** As a scanner does it: widths to digits. */
function read(widths: number[]): string {
  const inside = widths.slice(4, -3)
  let code = ''
  for (let at = 0; at < inside.length; at += 10) {
    for (const side of [0, 1]) {
      const wide = [0, 1, 2, 3, 4].filter((index) => inside[at + 2 * index + side] === 3)
      // Weights of the five places; 0 has its wide ones at 4 and 7.
      const sum = wide.reduce((total, index) => total + ([1, 2, 4, 7, 0][index] ?? 0), 0)
      code += sum === 11 ? 0 : sum
    }
  }
  return code
}

test('a scanner reads the same digits', () => {
  const code = '46191163700000123451234567890123456789012345'
  const widths = interleavedWidths(code)
  expect(widths).toHaveLength(4 + 22 * 10 + 3)
  expect(read(widths)).toBe(code)
})

test('every digit has two wide and three narrow ones', () => {
  for (let digit = 0; digit < 10; digit++) {
    const inside = interleavedWidths(`${digit}${digit}`).slice(4, -3)
    expect(inside.reduce((sum, width) => sum + width, 0)).toBe(18)
    expect(read(interleavedWidths(`${digit}${digit}`))).toBe(`${digit}${digit}`)
  }
})

test('half a pair is refused', () => {
  expect(() => interleavedWidths('123')).toThrow(RangeError)
})
