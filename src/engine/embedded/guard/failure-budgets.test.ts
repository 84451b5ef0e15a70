import { expect, test } from 'vitest'
import { createTestTimers } from '../../../kit/testing/test-timers.ts'
import { type Attempt, createFailureBudgets, type FailureBudgets } from './failure-budgets.ts'

const extension = { domain: 'acme.example', number: '1000' }
const home = '198.51.100.7'
const stored = (...knownAddresses: string[]) => ({ password: 'secret', knownAddresses })

function attempt(address: string, change: Partial<Attempt> = {}): Attempt {
  return { extension, address, credentials: stored(), isTemporary: false, ...change }
}

/** Each attempt from another address, all of them wrong. */
function guess(budgets: FailureBudgets, count: number, change: Partial<Attempt> = {}): number {
  let tried = 0
  for (let n = 0; n < count; n += 1) {
    const guessed = attempt(`203.0.113.${n % 250}`, change)
    if (!budgets.mayTry(guessed)) continue
    budgets.failed(guessed)
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
  const other = { extension: { ...extension, number: '1001' } }
  expect(budgets.mayTry(attempt(home, other))).toBe(true)
})

test('D181: guesses do not lock out a phone at an address where it has authenticated before', () => {
  const budgets = createFailureBudgets({ timers: createTestTimers() })
  budgets.succeeded(attempt(home))
  guess(budgets, 10_000)
  expect(budgets.mayTry(attempt(home))).toBe(true)
  for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) budgets.succeeded(attempt(address))
  expect(budgets.mayTry(attempt(home))).toBe(true)
  budgets.succeeded(attempt('192.0.2.4'))
  expect(budgets.mayTry(attempt(home))).toBe(false)
})

test('D181: addresses that were stored before a restart, or by another node, count as known', () => {
  const budgets = createFailureBudgets({ timers: createTestTimers() })
  guess(budgets, 10_000)
  expect(budgets.mayTry(attempt(home))).toBe(false)
  expect(budgets.mayTry(attempt(home, { credentials: stored('192.0.2.1', home) }))).toBe(true)
})

test('D181: a new address is reported once, with the others that are known', () => {
  const reported: string[] = []
  const onKnown = (_: unknown, blocks: readonly string[]) => reported.push(blocks.join(' '))
  const budgets = createFailureBudgets({ timers: createTestTimers(), onKnown })
  const credentials = stored('192.0.2.1', '192.0.2.2')
  for (const address of ['192.0.2.2', home, home, '192.0.2.1', home]) {
    budgets.succeeded(attempt(address, { credentials }))
  }
  expect(reported).toEqual([`192.0.2.1 192.0.2.2 ${home}`])
})

test('D181: the credentials of a browser are checked all the same, and failures with them count for nobody', () => {
  const budgets = createFailureBudgets({ timers: createTestTimers() })
  expect(guess(budgets, 100, { isTemporary: true })).toBe(100)
  expect(guess(budgets, 100)).toBe(30)
  expect(budgets.mayTry(attempt(home, { isTemporary: true }))).toBe(true)
})

test('D181: a new password ends the wait', () => {
  const budgets = createFailureBudgets({ timers: createTestTimers() })
  guess(budgets, 100)
  expect(budgets.mayTry(attempt(home))).toBe(false)
  const credentials = { password: 'a new one' }
  expect(budgets.mayTry(attempt(home, { credentials }))).toBe(true)
  expect(guess(budgets, 100, { credentials })).toBe(30)
})
