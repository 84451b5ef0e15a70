import { expect, test } from 'vitest'
import { createTestTimers } from '../../../kit/testing/test-timers.ts'
import { createLateRefusals } from './late-refusals.ts'

const refusal = new Error('too many')

test('D475: a client within three times its limit is refused at once', () => {
  const refuseLate = createLateRefusals(createTestTimers())
  expect(() => refuseLate(refusal, 61, 60)).toThrow(refusal)
  expect(() => refuseLate(refusal, 180, 60)).toThrow(refusal)
})

test('D475: a client beyond three times its limit is refused half a second later', async () => {
  const timers = createTestTimers()
  const late = createLateRefusals(timers)(refusal, 181, 60)
  let isRefused = false
  late.catch(() => {
    isRefused = true
  })
  timers.advance(499)
  await Promise.resolve()
  expect(isRefused).toBe(false)
  timers.advance(1)
  await expect(late).rejects.toThrow(refusal)
})

test('D475: 2,000 refusals wait at once; others come at once', async () => {
  const timers = createTestTimers()
  const refuseLate = createLateRefusals(timers)
  const waiting = Array.from({ length: 2_000 }, () => refuseLate(refusal, 181, 60))
  expect(() => refuseLate(refusal, 181, 60)).toThrow(refusal)
  timers.advance(500)
  await Promise.allSettled(waiting)
  const next = refuseLate(refusal, 181, 60)
  timers.advance(500)
  await expect(next).rejects.toThrow(refusal)
})
