import { expect, test } from 'vitest'
import { createTestTimers } from '../../kit/testing/test-timers.ts'
import { createHostRates, isUsedUp } from './host-rates.ts'

function start() {
  const timers = createTestTimers()
  timers.advance(100_000)
  const rates = createHostRates({ timers, perSecond: 100 })
  const takeMany = (url: string, count: number, account = 1) =>
    Array.from({ length: count }, () => rates.take(rates.of(account, url)))
  const isWaiting = (url: string, account = 1) => isUsedUp(rates.of(account, url), timers.now())
  return { timers, takeMany, isWaiting }
}

test('two seconds of the rate may begin at once, and what follows waits its turn (D198)', () => {
  const { takeMany } = start()
  const waits = takeMany('https://crm.example/a', 300)
  expect(waits.filter((ms) => ms === 0)).toHaveLength(201)
  expect(waits.at(-1)).toBeCloseTo(990)
})

test('all webhooks of an account at one host share the rate, whatever path and port', () => {
  const { isWaiting, takeMany } = start()
  takeMany('https://crm.example/a', 201)
  expect(isWaiting('https://CRM.example:8443/b')).toBe(true)
})

test('a final dot in its name does not make another host (D198)', () => {
  const { isWaiting, takeMany } = start()
  takeMany('https://crm.example/a', 201)
  expect(isWaiting('https://crm.example./a')).toBe(true)
})

test('another host, and another account, have a rate of their own', () => {
  const { isWaiting, takeMany } = start()
  takeMany('https://crm.example/a', 300)
  expect(isWaiting('https://other.example/')).toBe(false)
  expect(isWaiting('https://crm.example/a', 2)).toBe(false)
})

test('in a second, a hundred may follow', () => {
  const { timers, takeMany } = start()
  takeMany('https://crm.example/a', 201)
  timers.advance(1_000)
  expect(takeMany('https://crm.example/a', 150).filter((ms) => ms === 0)).toHaveLength(100)
})
