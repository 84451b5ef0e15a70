import { expect, test } from 'vitest'
import { readCard, testCards } from './cards.ts'

const now = new Date('2026-11-15T12:00:00Z')
const form = { holder: 'ANA SOUZA', number: '4111 1111 1111 1111', expiry: '12/30', cvv: '123' }
const problems = (change: object) => {
  const card = readCard({ ...form, ...change }, now)
  return 'problems' in card ? Object.fromEntries(card.problems) : 'good'
}

test.each(testCards)('$number is a card that is $fate', ({ number, fate }) => {
  expect(readCard({ ...form, number }, now)).toEqual({ fate, lastFour: number.slice(-4) })
})

test('a number may be typed with spaces, dots or hyphens', () => {
  for (const number of ['4111-1111-1111-1111', '4111.1111.1111.1111', ' 4111111111111111 ']) {
    expect(problems({ number })).toBe('good')
  }
})

test("a real card's number is refused as such, a mistyped one as mistyped", () => {
  expect(problems({ number: '5555 5555 5555 4444' })).toEqual({ number: 'not a test card' })
  expect(problems({ number: '4111 1111 1111 1112' })).toEqual({ number: 'number' })
  expect(problems({ number: '4'.repeat(1000) })).toEqual({ number: 'number' })
})

test.each([
  ['11/26', 'good'],
  ['11/2026', 'good'],
  ['1/27', 'good'],
  ['10/26', { expiry: 'expired' }],
  ['13/30', { expiry: 'expiry' }],
  ['00/30', { expiry: 'expiry' }],
  ['', { expiry: 'expiry' }],
])('good to %s: %o', (expiry, answer) => {
  expect(problems({ expiry })).toEqual(answer)
})

test('everything missing is said at once', () => {
  expect(problems({ holder: ' ', number: '', expiry: '', cvv: '12' })).toEqual({
    holder: 'missing',
    number: 'number',
    expiry: 'expiry',
    cvv: 'cvv',
  })
})
