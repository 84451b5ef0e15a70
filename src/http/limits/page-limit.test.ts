import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { createTestClock } from '../../../test/helpers/run/test-clock.ts'
import { secondsToWait } from './page-limit.ts'
import { createMemoryRateCounters } from './rate-counters.ts'

const from = (address: string) => ({ address }) as FastifyRequest

test('D103: an address may load a page 60 times a minute, and is answered how long to wait', async () => {
  const clock = createTestClock()
  const counters = createMemoryRateCounters(clock, 60_000)
  for (let n = 0; n < 60; n += 1)
    expect(await secondsToWait(counters, from('192.0.2.1'), 'page')).toBe(undefined)
  clock.advance(20.5)
  expect(await secondsToWait(counters, from('192.0.2.1'), 'page')).toBe(40)
  expect(await secondsToWait(counters, from('192.0.2.2'), 'page')).toBe(undefined)
  expect(await secondsToWait(counters, from('192.0.2.1'), 'other page')).toBe(undefined)
  clock.advance(39.4995)
  expect(await secondsToWait(counters, from('192.0.2.1'), 'page')).toBe(1)
  clock.advance(0.001)
  expect(await secondsToWait(counters, from('192.0.2.1'), 'page')).toBe(undefined)
})

test('without counters nobody waits', async () => {
  expect(await secondsToWait(undefined, from('192.0.2.1'), 'page')).toBe(undefined)
})
