import { expect, test } from 'vitest'
import { createTestTimers } from '../../../kit/testing/test-timers.ts'
import { createFailureBudgets } from './failure-budgets.ts'

const extension = { domain: 'acme.example', number: '1000' }
const home = '198.51.100.7'

/** Each attempt from another address, all of them wrong. */
function guess(budgets: ReturnType<typeof createFailureBudgets>, count: number): number {
  let tried = 0
  for (let n = 0; n < count; n += 1) {
    if (!budgets.mayTry(extension, `203.0.113.${n % 250}`)) continue
    budgets.failed(extension)
    tried += 1
  }
  return tried
}

test('D181: the password of an extension can be guessed thirty times, then once a minute, from all addresses together', () => {
  const timers = createTestTimers()
  const budgets = createFailureBudgets({ timers })
  expect(guess(budgets, 10_000)).toBe(30)
  timers.advance(10 * 60_000)
  expect(guess(budgets, 10_000)).toBe(10)
  expect(budgets.mayTry({ ...extension, number: '1001' }, home)).toBe(true)
})

test('D181: guesses do not lock out a phone at an address where it has authenticated before', () => {
  const budgets = createFailureBudgets({ timers: createTestTimers() })
  budgets.succeeded(extension, home)
  guess(budgets, 10_000)
  expect(budgets.mayTry(extension, home)).toBe(true)
  for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) budgets.succeeded(extension, address)
  expect(budgets.mayTry(extension, home)).toBe(true)
  budgets.succeeded(extension, '192.0.2.4')
  expect(budgets.mayTry(extension, home)).toBe(false)
})
