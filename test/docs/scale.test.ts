import { expect, test } from 'vitest'
import { readCosts } from '../../bench/parts/scale/costs.ts'
import { scalePage } from '../../bench/parts/scale/page.ts'
import { sizeOf, usualLoad } from '../../bench/parts/scale/sizing.ts'

test('docs/scale.md is computed from the figures of docs/capacity.json', async () => {
  await expect(scalePage(readCosts())).toMatchFileSnapshot('../../docs/scale.md')
})

test('machines and disk follow from the load, with half of the cores free and one machine to spare', () => {
  const costs = {
    sound: { plain: 0.004, browser: 0.008 },
    setUp: 0.003,
    registration: 0.001,
    request: 0.0001,
    call: { service: 0.0005, database: 0.0004 },
    delivery: { service: 0.00025, database: 0.0003 },
  }
  const sizing = sizeOf({ ...usualLoad, callsAtOnce: 1_800, browsers: 0.5 }, costs)
  expect(sizing.callsPerSecond).toBe(10)
  // 1,800 calls of 0.006 cores, 10 set-ups of 3 ms and 30 registrations of 1 ms a second.
  expect(sizing.cores.voice).toBeCloseTo(10.8 + 0.03 + 0.03)
  expect(sizing.voiceMachines).toBe(3 + 1)
  // 10 calls of 0.4 ms and 20 webhooks of 0.3 ms a second, twice.
  expect(sizing.databaseCores).toBeCloseTo(0.02)
  expect(sizing.recordingsPerDay).toBe(1_800 * 8 * 3_600 * 32_000)
})
