import { expect, test } from 'vitest'
import { createTestTimers } from '../kit/testing/test-timers.ts'
import { createCallCeilings } from './ceilings.ts'

function setUp() {
  const timers = createTestTimers()
  const live = new Set<string>()
  const settings = { perNode: 20, attemptsPerMinute: 30 }
  const atOnceOf = () => ({ extension: 4, account: 12 })
  const ended: string[] = []
  const ceilings = createCallCeilings({
    settings,
    atOnceOf,
    timers,
    liveCalls: () => [...live],
    endCall(callId) {
      ended.push(callId)
      live.delete(callId)
      ceilings.release(callId)
    },
  })
  let calls = 0
  const take = (accountId: number, extensionId = accountId * 100 + calls, isFree = false) => {
    calls += 1
    const callId = `${calls}`
    const refusal = ceilings.take(callId, { accountId, extensionId, isFree })
    if (refusal instanceof Promise) throw new Error('the limits are at hand')
    if (!refusal) live.add(callId)
    return refusal?.reached ?? callId
  }
  return { timers, ceilings, live, ended, take }
}

test('D176: an extension and an account may have so many calls at once', () => {
  const { take, ceilings } = setUp()
  const first = take(1, 1)
  for (let n = 0; n < 3; n += 1) take(1, 1)
  expect(take(1, 1)).toBe('extension')
  ceilings.release(first)
  ceilings.release(first)
  expect(take(1, 1)).toBe('6')
  for (let n = 0; n < 8; n += 1) take(1)
  expect(take(1)).toBe('account')
  expect(take(2)).toBe('16')
})

test('D176: the last fifth of the calls is for accounts that have few', () => {
  const { take } = setUp()
  for (let n = 0; n < 12; n += 1) take(1)
  for (let n = 0; n < 4; n += 1) take(2)
  expect(take(2)).toBe('17')
  expect(take(2)).toBe('node')
  expect([take(3), take(3), take(3)]).toEqual(['19', '20', '21'])
  expect(take(4)).toBe('node')
})

test('D176: a call whose end was never reported does not count for ever', () => {
  const { take, live, timers } = setUp()
  for (let n = 0; n < 4; n += 1) take(1, 1)
  live.clear()
  expect(take(1, 1)).toBe('extension')
  timers.advance(61_000)
  expect(take(1, 1)).toBe('6')
})

test('D177: the phone of an extension dials so often a minute', () => {
  const { ceilings, timers } = setUp()
  const dials = (count: number) =>
    Array.from({ length: count }, () => ceilings.mayDial('1000@a')).filter(Boolean).length
  expect(dials(1_000)).toBe(30)
  expect(ceilings.mayDial('1001@a')).toBe(true)
  timers.advance(60_000)
  expect(dials(1_000)).toBe(30)
})

test('D272: calls to services and emergency are refused only where the node is full: the third of an extension ends its first', () => {
  const { take, ended } = setUp()
  for (let n = 0; n < 4; n += 1) take(1, 1)
  for (let n = 0; n < 8; n += 1) take(1)
  expect([take(1, 1), take(1, 1, true), take(1, 1, true)]).toEqual(['extension', '14', '15'])
  expect(ended).toEqual([])
  expect(take(1, 1, true)).toBe('16')
  expect(ended).toEqual(['14'])
  // Another extension has its own.
  expect([take(1, 2, true), ended.length]).toEqual(['17', 1])
  for (let n = 0; n < 5; n += 1) take(2)
  expect(take(1, 3, true)).toBe('node')
})
