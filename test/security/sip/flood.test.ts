/** A flood from twenty addresses, smaller than that of `npm run flood:sip`: the phones of others must not notice. */
import { expect, test } from 'vitest'
import { floodSip } from '../../../bench/parts/sip-attack/flood.ts'

test('a flood of connections and datagrams neither ends a call nor keeps a new phone out', async () => {
  const flood = await floodSip({ connections: 1_500, datagramsPerSecond: 3_000, seconds: 5 })
  expect(flood.liveCalls).toBe(1)
  expect(flood.soundPerSecond).toBeGreaterThan(10)
  expect(flood.registeredAfterMs).toBeLessThan(30_000)
  expect(flood.figures.sip_connections_unproven).toBeLessThanOrEqual(1_000)
}, 120_000)
